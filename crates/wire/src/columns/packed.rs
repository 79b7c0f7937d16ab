//! Whole numbers as one short text: base64 VLQ, the number format of source maps, and `.` for null.
//!
//! A number is cut into groups of five bits, the lowest first, each written as one digit of
//! `A–Z a–z 0–9 + /` (0 to 63). A digit of 32 or more says that another follows. The lowest bit of the
//! number so read is its sign: 0 for plus, 1 for minus. `C` is 1, `D` is −1, `gB` is 16, `C.E` is 1, null, 2.
//! Every library that reads source maps has a reader for it.

use std::fmt;

/// Digits 0 to 63.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Set in a digit that another follows.
const MORE: u64 = 32;
/// Stands for null.
const NULL: char = '.';

/// The text of these numbers.
pub fn pack(numbers: impl IntoIterator<Item = Option<i64>>) -> String {
    let mut text = String::new();
    for number in numbers {
        match number {
            Some(number) => push(&mut text, number),
            None => text.push(NULL),
        }
    }
    text
}

/// Appends one number.
pub fn push(text: &mut String, number: i64) {
    // i64::MIN has no positive counterpart; it means nothing here either.
    let number = number.max(-i64::MAX);
    let mut rest = number.unsigned_abs() << 1 | u64::from(number < 0);
    loop {
        let (group, more) = (rest & (MORE - 1), rest >= MORE);
        let digit = if more { group | MORE } else { group };
        let digit = DIGITS.get(digit as usize).copied();
        text.push(digit.map_or(NULL, char::from));
        rest >>= 5;
        if !more {
            return;
        }
    }
}

/// Why a text is no such list. Says "has …", "ends …": what comes before is the column's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// This is no digit.
    Letter(char),
    /// The last digit says that another follows.
    Middle,
    /// A number has more than 63 bits and its sign.
    Large,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter) => write!(
                f,
                "has {letter:?} where a digit of base64 VLQ is due (A-Z a-z 0-9 + /)"
            ),
            Self::Middle => f.write_str("ends in the middle of a number"),
            Self::Large => f.write_str("has a number that is too large"),
        }
    }
}

/// The numbers of a text.
///
/// # Errors
/// When it is no such list.
pub fn unpack(text: &str) -> Result<Vec<Option<i64>>, Wrong> {
    let mut numbers = Vec::new();
    // The number that is being read, and where its next group belongs.
    let (mut number, mut shift) = (0u64, 0u32);
    for letter in text.chars() {
        if letter == NULL && shift == 0 {
            numbers.push(None);
            continue;
        }
        let digit = value(letter).ok_or(Wrong::Letter(letter))?;
        let group = digit & (MORE - 1);
        // Of the 64 bits four are left for the thirteenth group.
        if shift > 60 || (shift == 60 && group >= 16) {
            return Err(Wrong::Large);
        }
        number |= group << shift;
        shift += 5;
        if digit & MORE != 0 {
            continue;
        }
        let size = i64::try_from(number >> 1).unwrap_or(i64::MAX);
        numbers.push(Some(if number & 1 == 1 { -size } else { size }));
        (number, shift) = (0, 0);
    }
    match shift {
        0 => Ok(numbers),
        _ => Err(Wrong::Middle),
    }
}

fn value(letter: char) -> Option<u64> {
    let value = match letter {
        'A'..='Z' => letter as u32 - 'A' as u32,
        'a'..='z' => letter as u32 - 'a' as u32 + 26,
        '0'..='9' => letter as u32 - '0' as u32 + 52,
        '+' => 62,
        '/' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_digits_are_those_of_source_maps() {
        for (number, text) in [
            (0, "A"),
            (1, "C"),
            (-1, "D"),
            (15, "e"),
            (16, "gB"),
            (-17, "jB"),
            (1000, "w+B"),
        ] {
            assert_eq!(pack([Some(number)]), text);
            assert_eq!(unpack(text), Ok(vec![Some(number)]));
        }
        assert_eq!(unpack("C.E"), Ok(vec![Some(1), None, Some(2)]));
        assert_eq!(unpack(""), Ok(vec![]));
    }

    #[test]
    fn what_is_no_such_text_is_refused_in_words() {
        let reason = |text: &str| unpack(text).unwrap_err().to_string();
        assert!(reason("A-B").contains("'-'"));
        assert!(reason("é").contains("'é'"));
        assert_eq!(reason("Ag"), "ends in the middle of a number");
        assert!(reason("g.").contains("'.'"));
        assert!(reason("//////////////").contains("too large"));
        assert!(reason("gggggggggggggg").contains("too large"));
    }

    proptest! {
        #[test]
        fn numbers_survive(numbers in proptest::collection::vec(proptest::option::of(-i64::MAX..=i64::MAX), 0..40)) {
            prop_assert_eq!(unpack(&pack(numbers.clone())), Ok(numbers));
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,60}") {
            if let Ok(numbers) = unpack(&text) {
                prop_assert!(numbers.len() <= text.len());
            }
        }
    }
}
