//! Finding bytes eight at a time, in safe code: line ends, and the bytes that end or bend a JSON string.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Index of the first LF or CR.
pub(crate) fn line_end(bytes: &[u8]) -> Option<usize> {
    let (pairs, tail) = bytes.as_chunks::<16>();
    let mut at = 0;
    for pair in pairs {
        // One test for all control characters; tabs and the like are rare enough to look twice.
        let [left, right] = words(pair);
        if (below_space(left) | below_space(right)) & HIGH != 0 {
            let ends = |word| (equal(word, b'\n') | equal(word, b'\r')) & HIGH;
            let found = lowest(ends(left)).or_else(|| Some(8 + lowest(ends(right))?));
            if let Some(found) = found {
                return Some(at + found);
            }
        }
        at += 16;
    }
    let found = tail.iter().position(|b| is_line_end(*b))?;
    Some(bytes.len() - tail.len() + found)
}

/// Index, from `at` on, of the first byte that cannot stand for itself in a JSON string: a quote, a
/// backslash or a control character.
pub(crate) fn string_special(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*word);
        let hits = (equal(word, b'"') | equal(word, b'\\') | below_space(word)) & HIGH;
        if let Some(found) = lowest(hits) {
            return Some(at + found);
        }
        at += 8;
    }
    let found = bytes
        .get(at..)?
        .iter()
        .position(|b| *b < b' ' || *b == b'"' || *b == b'\\')?;
    Some(at + found)
}

/// Index of the first LF.
pub(crate) fn line_feed(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let found = from + line_end(rest)?;
        if bytes.get(found) == Some(&b'\n') {
            return Some(found);
        }
        from = found + 1;
    }
}

/// How many bytes the two have in common at their beginning.
pub(crate) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let mut equal = 0;
    for (left, right) in left.as_chunks::<16>().0.iter().zip(right.as_chunks().0) {
        let ([a, b], [c, d]) = (words(left), words(right));
        if let Some(found) = lowest(a ^ c).or_else(|| Some(8 + lowest(b ^ d)?)) {
            return equal + found;
        }
        equal += 16;
    }
    let left = left.get(equal..).unwrap_or_default().iter();
    let right = right.get(equal..).unwrap_or_default();
    let same = left.zip(right).take_while(|(left, right)| left == right);
    equal + same.count()
}

/// Without JSON's white space at both ends.
pub(crate) fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] = bytes {
        bytes = rest;
    }
    while let [rest @ .., b' ' | b'\t' | b'\n' | b'\r'] = bytes {
        bytes = rest;
    }
    bytes
}

const fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn words(bytes: &[u8; 16]) -> [u64; 2] {
    let both = u128::from_le_bytes(*bytes);
    [both as u64, (both >> 64) as u64]
}

/// The byte in which the lowest bit is set. A lowest hit is exact: borrows can only fake hits above it.
fn lowest(hits: u64) -> Option<usize> {
    (hits != 0).then_some((hits.trailing_zeros() / 8) as usize)
}

/// The high bit of each byte below 0x20 (and perhaps of bytes above such a one).
const fn below_space(word: u64) -> u64 {
    word.wrapping_sub(LOW * 0x20) & !word
}

/// The high bit of each byte equal to `byte` (and perhaps of bytes above such a one).
const fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (LOW * byte as u64);
    difference.wrapping_sub(LOW) & !difference
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn words_find_what_a_byte_loop_finds(bytes in proptest::collection::vec(
            prop_oneof![5 => 0x1du8..0x24, 1 => Just(b'\\'), 1 => Just(b'\n'), 1 => Just(b'\r'), 3 => any::<u8>()], 0..80),
            from in 0usize..90)
        {
            prop_assert_eq!(line_end(&bytes), bytes.iter().position(|b| matches!(b, b'\n' | b'\r')));
            prop_assert_eq!(line_feed(&bytes), bytes.iter().position(|b| *b == b'\n'));
            let (left, right) = bytes.split_at(from.min(bytes.len()) / 2);
            prop_assert_eq!(common_prefix(left, right), left.iter().zip(right).take_while(|(l, r)| l == r).count());
            prop_assert_eq!(common_prefix(&bytes, &[&bytes[..], b"x"].concat()), bytes.len());
            let special = bytes.iter().skip(from).position(|b| *b < 0x20 || matches!(b, b'"' | b'\\'));
            prop_assert_eq!(string_special(&bytes, from), special.map(|p| p + from));
        }
    }

    #[test]
    fn trim_takes_json_white_space_only() {
        assert_eq!(trim(b"\r\n\t a b\x0b \n"), b"a b\x0b");
        assert_eq!(trim(b" \n"), b"");
    }
}
