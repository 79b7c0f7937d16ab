//! Signed calls between edge and collector: HMAC-SHA256 over what must not be changed or replayed.
//!
//! Pure: the caller gives the time and keeps the nonces it has seen.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::hex;

/// How far the signer's clock may be off, and how long nonces are to be remembered, in seconds.
pub const WINDOW_S: u64 = 300;
/// Header: which key signed.
pub const KEY: &str = "x-streamlag-key";
/// Header: seconds since 1970 UTC.
pub const TIMESTAMP: &str = "x-streamlag-timestamp";
/// Header: drawn anew for every call.
pub const NONCE: &str = "x-streamlag-nonce";
/// Header: `v1=` and the code in hex.
pub const SIGNATURE: &str = "x-streamlag-signature";

/// What is signed.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// HTTP method, upper case.
    pub method: &'a str,
    /// Path, without host and query.
    pub path: &'a str,
    /// Seconds since 1970 UTC.
    pub timestamp_s: u64,
    /// 8 to 64 letters, digits, `-` or `_`.
    pub nonce: &'a str,
    /// The whole body.
    pub body: &'a [u8],
}

/// Why a signed call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Too old or from the future.
    #[error("the timestamp is more than {WINDOW_S} s away from this clock: check the clocks")]
    Stale,
    /// The nonce's shape is wrong.
    #[error("the nonce is not 8 to 64 letters, digits, '-' or '_'")]
    BadNonce,
    /// The code does not fit.
    #[error(
        "the signature does not fit: check the secret, and that nothing between changes path or body"
    )]
    BadSignature,
}

/// The value of the signature header.
pub fn sign(secret: &[u8], call: &Call<'_>) -> String {
    format!(
        "v1={}",
        hex::lower(&code(secret, call).finalize().into_bytes())
    )
}

/// Checks time, nonce shape and code, in constant time. Whether the nonce was seen before is the caller's to know.
pub fn verify(secret: &[u8], call: &Call<'_>, signature: &str, now_s: u64) -> Result<(), Refused> {
    if call.timestamp_s.abs_diff(now_s) > WINDOW_S {
        return Err(Refused::Stale);
    }
    let shaped = call
        .nonce
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if !shaped || !(8..=64).contains(&call.nonce.len()) {
        return Err(Refused::BadNonce);
    }
    let given = signature
        .strip_prefix("v1=")
        .and_then(unhex)
        .ok_or(Refused::BadSignature)?;
    code(secret, call)
        .verify_slice(&given)
        .map_err(|_| Refused::BadSignature)
}

fn code(secret: &[u8], call: &Call<'_>) -> Hmac<Sha256> {
    #[expect(
        clippy::expect_used,
        reason = "HMAC takes keys of any length (RFC 2104, section 2)"
    )]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("any key length");
    let body = hex::lower(&Sha256::digest(call.body));
    let Call {
        method,
        path,
        timestamp_s,
        nonce,
        ..
    } = call;
    mac.update(format!("v1\n{method}\n{path}\n{timestamp_s}\n{nonce}\n{body}").as_bytes());
    mac
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok()))
        .collect();
    let digits = digits.filter(|d| d.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Call<'static> = Call {
        method: "POST",
        path: "/v1/records",
        timestamp_s: 1_000,
        nonce: "abcdefgh",
        body: b"[]",
    };

    #[test]
    fn a_signed_call_is_accepted_within_the_window() {
        let signature = sign(b"secret", &CALL);
        assert_eq!(verify(b"secret", &CALL, &signature, 1_300), Ok(()));
        assert_eq!(
            verify(b"secret", &CALL, &signature, 1_301),
            Err(Refused::Stale)
        );
        assert_eq!(
            verify(b"secret", &CALL, &signature, 699),
            Err(Refused::Stale)
        );
    }

    #[test]
    fn any_change_is_refused() {
        let signature = sign(b"secret", &CALL);
        for changed in [
            Call {
                method: "PUT",
                ..CALL
            },
            Call {
                path: "/v1/records/",
                ..CALL
            },
            Call {
                timestamp_s: 1_001,
                ..CALL
            },
            Call {
                nonce: "abcdefgi",
                ..CALL
            },
            Call {
                body: b"[ ]",
                ..CALL
            },
        ] {
            assert_eq!(
                verify(b"secret", &changed, &signature, 1_000),
                Err(Refused::BadSignature)
            );
        }
        assert_eq!(
            verify(b"other", &CALL, &signature, 1_000),
            Err(Refused::BadSignature)
        );
    }

    #[test]
    fn signatures_of_a_wrong_shape_are_refused() {
        for signature in ["", "v1=", "v1=zz", "v1=abc", "v2=00", "v1=\u{e9}\u{e9}"] {
            assert_eq!(
                verify(b"secret", &CALL, signature, 1_000),
                Err(Refused::BadSignature)
            );
        }
        let call = Call {
            nonce: "no spaces",
            ..CALL
        };
        assert_eq!(
            verify(b"secret", &call, &sign(b"secret", &call), 1_000),
            Err(Refused::BadNonce)
        );
    }
}
