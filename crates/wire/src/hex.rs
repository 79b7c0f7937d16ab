//! Bytes as lower-case hex digits.

/// Two digits a byte.
pub fn lower(bytes: &[u8]) -> String {
    let digit = |n: u8| char::from_digit(u32::from(n), 16).unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn every_byte_has_two_lower_case_digits() {
        assert_eq!(lower(&[0, 9, 0xab, 0xff]), "0009abff");
        assert_eq!(lower(&[]), "");
    }
}
