//! Turning the bytes of JSON strings and numbers into text and values.

use std::borrow::Cow;

use crate::scan::string_special;

/// Appends the text of a string's inside (which the parser has checked) to `out`.
///
/// `half` is the first half of a surrogate pair that earlier text of the same channel ended in, and takes
/// up the one that this text ends in: token streams cut pairs in two. A half that is not completed by what
/// follows it becomes U+FFFD.
pub(crate) fn decode(raw: &[u8], half: &mut Option<u16>, out: &mut String) {
    let text = lossy(raw);
    let mut rest = &*text;
    while let Some(run) = string_special(rest.as_bytes(), 0) {
        let Some((before, escape)) = rest.split_at_checked(run) else {
            return;
        };
        say(before, half, out);
        rest = match *escape.as_bytes() {
            [b'\\', b'u', a, b, c, d, ..] => {
                unit(hex([a, b, c, d]), half, out);
                escape.get(6..)
            }
            [b'\\', letter, ..] => {
                give_up(half, out);
                put(short_escape(letter), out);
                escape.get(2..)
            }
            _ => None,
        }
        .unwrap_or_default();
    }
    say(rest, half, out);
}

fn say(text: &str, half: &mut Option<u16>, out: &mut String) {
    if !text.is_empty() {
        give_up(half, out);
        out.push_str(text);
    }
}

/// The same for text that stands alone.
pub(crate) fn decode_all(raw: &[u8], out: &mut String) {
    let mut half = None;
    decode(raw, &mut half, out);
    give_up(&mut half, out);
}

/// Appends the array or object (which the parser has checked) that `raw` begins with, without the white space between
/// its tokens, so that its length does not depend on how its sender indents.
pub(super) fn compact(raw: &[u8], out: &mut String) {
    let (mut in_string, mut escaped, mut depth) = (false, false, 0u32);
    for c in lossy(raw).chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else {
            match c {
                '"' => in_string = true,
                '{' | '[' => depth += 1,
                '}' | ']' => depth = depth.saturating_sub(1),
                ' ' | '\t' | '\n' | '\r' => continue,
                _ => {}
            }
        }
        put(c, out);
        if depth == 0 {
            return;
        }
    }
}

/// Bytes as text, what is not UTF-8 replaced as the WHATWG decoder does it.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The value of a numeral made of digits alone, if it fits.
pub(super) fn count(raw: &[u8]) -> Option<u64> {
    if raw.is_empty() {
        return None;
    }
    raw.iter().try_fold(0u64, |sum, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| sum.checked_mul(10)?.checked_add(digit.into()))?
    })
}

/// The value of a numeral. Exact for up to 19 digits and small exponents, else off by a bit or two: the
/// standard library's exact conversion would cost the page more bytes than this whole reader.
pub(super) fn number(raw: &[u8]) -> f64 {
    let (mut mantissa, mut scale, mut fraction) = (0u64, 0i32, false);
    let mut bytes = raw.iter();
    let mut exponent = 0i32;
    while let Some(byte) = bytes.next() {
        match byte {
            b'0'..=b'9' => {
                if mantissa < u64::MAX / 10 - 1 {
                    mantissa = mantissa * 10 + u64::from(byte - b'0');
                    scale -= i32::from(fraction);
                } else {
                    scale = scale.saturating_add(i32::from(!fraction));
                }
            }
            b'.' => fraction = true,
            b'e' | b'E' => {
                exponent = signed(bytes.as_slice());
                break;
            }
            _ => {}
        }
    }
    let magnitude = scaled(mantissa as f64, scale.saturating_add(exponent));
    if raw.first() == Some(&b'-') {
        -magnitude
    } else {
        magnitude
    }
}

fn signed(raw: &[u8]) -> i32 {
    let magnitude = raw
        .iter()
        .filter(|b| b.is_ascii_digit())
        .fold(0i32, |sum, b| {
            sum.saturating_mul(10).saturating_add(i32::from(b - b'0'))
        });
    if raw.first() == Some(&b'-') {
        -magnitude
    } else {
        magnitude
    }
}

fn scaled(mut value: f64, exponent: i32) -> f64 {
    // Steps of an exactly representable power, so that small exponents round once.
    let mut left = exponent.unsigned_abs().min(700);
    while left > 0 {
        let step = left.min(22);
        let power = (0..step).fold(1.0, |power, _| power * 10.0);
        value = if exponent < 0 {
            value / power
        } else {
            value * power
        };
        left -= step;
    }
    value
}

fn unit(unit: u16, half: &mut Option<u16>, out: &mut String) {
    let code = match (unit, half.take()) {
        (0xdc00..=0xdfff, Some(high)) => {
            0x1_0000 + (u32::from(high - 0xd800) << 10) + u32::from(unit - 0xdc00)
        }
        (unit, before) => {
            if before.is_some() {
                put(char::REPLACEMENT_CHARACTER, out);
            }
            if let 0xd800..=0xdbff = unit {
                *half = Some(unit);
                return;
            }
            unit.into()
        }
    };
    put(
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
        out,
    );
}

fn give_up(half: &mut Option<u16>, out: &mut String) {
    if half.take().is_some() {
        put(char::REPLACEMENT_CHARACTER, out);
    }
}

/// In a page out of line: it pays for each copy.
#[cfg_attr(target_arch = "wasm32", inline(never))]
fn put(c: char, out: &mut String) {
    out.push(c);
}

fn hex(digits: [u8; 4]) -> u16 {
    digits.iter().fold(0, |sum, digit| {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            _ => (digit | 0x20).wrapping_sub(b'a').wrapping_add(10) & 15,
        };
        sum << 4 | u16::from(value)
    })
}

const fn short_escape(letter: u8) -> char {
    match letter {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        other => other as char,
    }
}
