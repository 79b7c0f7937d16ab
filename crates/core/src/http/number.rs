//! Decimal numbers in headers.

use std::time::Duration;

/// A non-negative decimal number (`12`, `0.5`), times 10^`places` nanoseconds. `None` for anything else,
/// and for what does not fit. Digits below a nanosecond are dropped.
pub(super) fn scaled(text: &str, places: u32) -> Option<Duration> {
    let text = text.trim();
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut ns = 0u64;
    for byte in whole.bytes() {
        ns = ns.checked_mul(10)?.checked_add(digit(byte)?)?;
    }
    let mut fraction = fraction.bytes();
    for _ in 0..places {
        let next = fraction.next().map_or(Some(0), digit)?;
        ns = ns.checked_mul(10)?.checked_add(next)?;
    }
    for byte in fraction {
        digit(byte)?;
    }
    Some(Duration::from_nanos(ns))
}

fn digit(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_decimal_numbers_are_taken() {
        assert_eq!(scaled("30", 9), Some(Duration::from_secs(30)));
        assert_eq!(scaled(" 1.5 ", 9), Some(Duration::from_millis(1500)));
        assert_eq!(scaled("0", 9), Some(Duration::ZERO));
        assert_eq!(
            scaled("12.3456789", 6),
            Some(Duration::from_nanos(12_345_678))
        );
        for bad in [
            "",
            ".",
            "-1",
            "+1",
            "1e3",
            "soon",
            "NaN",
            "1.2.3",
            "1.x",
            "99999999999999999999",
        ] {
            assert_eq!(scaled(bad, 9), None, "{bad:?}");
        }
    }
}
