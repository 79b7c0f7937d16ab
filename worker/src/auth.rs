//! Who may make the edge spend money: callers who sign, each call once.

use std::collections::BTreeMap;

use streamlag_wire::sign::{self, Call};

/// The secret shared with the collector. Never printed.
#[derive(Clone)]
pub struct Keys {
    /// Names the secret, so that it can be rotated.
    pub id: String,
    /// The secret itself.
    pub secret: Vec<u8>,
}

/// A call that was signed rightly; whether it is a repeat is [`Nonces`]' to say.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Signed {
    /// When it was signed, in seconds since 1970 UTC.
    pub timestamp_s: u64,
    /// Drawn anew for every call.
    pub nonce: String,
}

/// Why a call is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A header is missing or has the wrong shape.
    #[error("the header {0} is missing or malformed: this call must be signed")]
    Header(&'static str),
    /// Another key.
    #[error("the key id {0:?} is not known here: EDGE_KEY_ID on both sides must be the same")]
    Key(String),
    /// Time, nonce or code do not fit.
    #[error(transparent)]
    Signature(#[from] sign::Refused),
    /// The same call again.
    #[error("this call was made before: a nonce counts once")]
    Replayed,
    /// More calls in the window than can be remembered.
    #[error("more than {MOST_NONCES} signed calls within {window} s: wait", window = 2 * sign::WINDOW_S)]
    TooMany,
}

/// Checks a call's headers, time and code.
pub fn check(
    keys: &Keys,
    (method, path): (&str, &str),
    header: impl Fn(&str) -> Option<String>,
    body: &[u8],
    now_ms: i64,
) -> Result<Signed, Refused> {
    let need = |name: &'static str| header(name).ok_or(Refused::Header(name));
    let key = need(sign::KEY)?;
    if key != keys.id {
        // What a stranger sent is cut: it goes into an answer and a log.
        return Err(Refused::Key(key.chars().take(32).collect()));
    }
    let timestamp_s = need(sign::TIMESTAMP)?
        .parse()
        .map_err(|_| Refused::Header(sign::TIMESTAMP))?;
    let nonce = need(sign::NONCE)?;
    let call = Call {
        method,
        path,
        timestamp_s,
        nonce: &nonce,
        body,
    };
    sign::verify(
        &keys.secret,
        &call,
        &need(sign::SIGNATURE)?,
        seconds(now_ms),
    )?;
    Ok(Signed { timestamp_s, nonce })
}

/// The headers that sign an outgoing call.
pub fn headers(keys: &Keys, call: &Call<'_>) -> [(&'static str, String); 4] {
    [
        (sign::KEY, keys.id.clone()),
        (sign::TIMESTAMP, call.timestamp_s.to_string()),
        (sign::NONCE, call.nonce.to_owned()),
        (sign::SIGNATURE, sign::sign(&keys.secret, call)),
    ]
}

/// Milliseconds since 1970 as the whole seconds that are signed.
pub fn seconds(now_ms: i64) -> u64 {
    u64::try_from(now_ms / 1_000).unwrap_or(0)
}

/// Most nonces remembered. Forgetting one within its window would let its call through again, so beyond
/// this calls are refused instead.
pub const MOST_NONCES: usize = 4_096;

/// The nonces of calls whose signature is still valid. One region object remembers those that reached it,
/// and there is only one such object in the world.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Nonces(BTreeMap<String, u64>);

impl Nonces {
    /// Takes a rightly signed call once.
    pub fn admit(&mut self, signed: &Signed, now_s: u64) -> Result<(), Refused> {
        self.0.retain(|_, until_s| *until_s >= now_s);
        if self.0.contains_key(&signed.nonce) {
            return Err(Refused::Replayed);
        }
        if self.0.len() >= MOST_NONCES {
            return Err(Refused::TooMany);
        }
        let until_s = signed.timestamp_s.saturating_add(sign::WINDOW_S);
        self.0.insert(signed.nonce.clone(), until_s);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_700_000_000_000;

    fn keys() -> Keys {
        Keys {
            id: "demo".to_owned(),
            secret: b"s3cret".to_vec(),
        }
    }

    fn checked(
        tamper: impl Fn(&mut Vec<(&'static str, String)>),
        body: &[u8],
    ) -> Result<Signed, Refused> {
        let call = Call {
            method: "POST",
            path: "/probe/t",
            timestamp_s: seconds(NOW_MS),
            nonce: "abcdefgh",
            body: b"{}",
        };
        let mut sent = headers(&keys(), &call).to_vec();
        tamper(&mut sent);
        let header = |name: &str| {
            let found = sent.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| value.clone())
        };
        check(&keys(), ("POST", "/probe/t"), header, body, NOW_MS)
    }

    #[test]
    fn what_one_side_signs_the_other_accepts() {
        assert!(checked(|_| {}, b"{}").is_ok());
    }

    #[test]
    fn unsigned_tampered_stale_and_foreign_calls_are_refused() {
        assert_eq!(checked(Vec::clear, b"{}"), Err(Refused::Header(sign::KEY)));
        let bad = Err(Refused::Signature(sign::Refused::BadSignature));
        assert_eq!(checked(|_| {}, b"{ }"), bad);
        assert_eq!(
            checked(|h| h[1].1 = "1".to_owned(), b"{}"),
            Err(Refused::Signature(sign::Refused::Stale))
        );
        assert_eq!(
            checked(|h| h[1].1 = "now".to_owned(), b"{}"),
            Err(Refused::Header(sign::TIMESTAMP))
        );
        assert_eq!(
            checked(|h| h[0].1 = "other".to_owned(), b"{}"),
            Err(Refused::Key("other".to_owned()))
        );
    }

    fn signed(nonce: &str, timestamp_s: u64) -> Signed {
        Signed {
            timestamp_s,
            nonce: nonce.to_owned(),
        }
    }

    #[test]
    fn a_call_counts_once_within_its_window() {
        let mut nonces = Nonces::default();
        // Signed by a clock 300 s ahead: valid until 600 s from now, and remembered as long.
        let ahead = signed("abcdefgh", 1_300);
        assert_eq!(nonces.admit(&ahead, 1_000), Ok(()));
        assert_eq!(nonces.admit(&ahead, 1_600), Err(Refused::Replayed));
        assert_eq!(nonces.0.len(), 1);
        assert_eq!(nonces.admit(&signed("other678", 1_601), 1_601), Ok(()));
        assert_eq!(nonces.0.len(), 1, "what is no longer valid is forgotten");
    }

    #[test]
    fn a_flood_is_refused_rather_than_forgotten() {
        let mut nonces = Nonces::default();
        for n in 0..MOST_NONCES {
            assert_eq!(
                nonces.admit(&signed(&format!("nonce-{n}"), 1_000), 1_000),
                Ok(())
            );
        }
        assert_eq!(
            nonces.admit(&signed("one-more", 1_000), 1_000),
            Err(Refused::TooMany)
        );
    }
}
