//! Whether a call comes from the worker: signature, clock, and a memory for nonces.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use http::HeaderMap;
use streamlag_wire::sign::{self, Call, WINDOW_S};

use crate::clock;
use crate::config::Edge;

/// What is known of the worker.
pub(crate) struct EdgeAuth {
    key_id: String,
    secret: String,
    seen: Mutex<Nonces>,
}

/// Why a call is not taken for the worker's.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AuthError {
    #[error("records of vantage edge must be signed: the header {0} is missing")]
    Missing(&'static str),
    #[error("the key id is not the one under [edge] in streamlag.toml")]
    UnknownKey,
    #[error("the timestamp is not a number of seconds")]
    BadTimestamp,
    #[error("{0}")]
    Refused(#[from] sign::Refused),
    #[error("the nonce was used before; sign every call anew")]
    Replayed,
}

impl EdgeAuth {
    pub(crate) fn new(edge: &Edge, secret: String) -> Self {
        Self {
            key_id: edge.key_id.clone(),
            secret,
            seen: Mutex::default(),
        }
    }

    /// Whether anything in the headers claims to be signed.
    pub(crate) fn is_claimed(headers: &HeaderMap) -> bool {
        headers.contains_key(sign::SIGNATURE)
    }

    /// Accepts a signed call once. `body` is as it was sent, before unpacking.
    pub(crate) fn check(
        &self,
        headers: &HeaderMap,
        path: &str,
        body: &[u8],
        now_s: u64,
    ) -> Result<(), AuthError> {
        let header = |name: &'static str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok());
            value.ok_or(AuthError::Missing(name))
        };
        let signature = header(sign::SIGNATURE)?;
        if header(sign::KEY)? != self.key_id {
            return Err(AuthError::UnknownKey);
        }
        let timestamp = header(sign::TIMESTAMP)?.parse();
        let call = Call {
            method: "POST",
            path,
            timestamp_s: timestamp.map_err(|_| AuthError::BadTimestamp)?,
            nonce: header(sign::NONCE)?,
            body,
        };
        sign::verify(self.secret.as_bytes(), &call, signature, now_s)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match seen.insert(call.nonce, call.timestamp_s, now_s) {
            true => Ok(()),
            false => Err(AuthError::Replayed),
        }
    }

    /// The headers of a call to the worker.
    pub(crate) fn sign(&self, path: &str, body: &[u8]) -> [(&'static str, String); 4] {
        let timestamp_s = clock::now_s();
        let nonce = crate::upstream::random_id();
        let call = Call {
            method: "POST",
            path,
            timestamp_s,
            nonce: &nonce,
            body,
        };
        let signature = sign::sign(self.secret.as_bytes(), &call);
        [
            (sign::KEY, self.key_id.clone()),
            (sign::TIMESTAMP, timestamp_s.to_string()),
            (sign::NONCE, nonce),
            (sign::SIGNATURE, signature),
        ]
    }
}

/// Nonces of valid calls, for as long as their timestamps are accepted. Only a holder of the secret can
/// make it grow. After a restart it is empty: what is replayed then has known record ids and changes
/// nothing.
#[derive(Debug, Default)]
struct Nonces {
    known: HashSet<String>,
    /// In the order they came, with the second after which each is forgotten.
    order: VecDeque<(u64, String)>,
}

impl Nonces {
    /// False where it was there already.
    fn insert(&mut self, nonce: &str, timestamp_s: u64, now_s: u64) -> bool {
        while let Some((until, _)) = self.order.front() {
            if *until >= now_s {
                break;
            }
            if let Some((_, nonce)) = self.order.pop_front() {
                self.known.remove(&nonce);
            }
        }
        if !self.known.insert(nonce.to_owned()) {
            return false;
        }
        let until = timestamp_s.max(now_s).saturating_add(WINDOW_S);
        self.order.push_back((until, nonce.to_owned()));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000;
    const PATH: &str = "/v1/records";

    fn auth() -> EdgeAuth {
        let edge = Edge {
            url: "http://127.0.0.1:7072".to_owned(),
            key_id: "demo".to_owned(),
            secret_env: "UNUSED".to_owned(),
        };
        EdgeAuth::new(&edge, "s3cret".to_owned())
    }

    fn headers(nonce: &str, timestamp_s: u64, key: &str) -> HeaderMap {
        let call = Call {
            method: "POST",
            path: PATH,
            timestamp_s,
            nonce,
            body: b"[]",
        };
        let mut headers = HeaderMap::new();
        headers.insert(
            sign::SIGNATURE,
            sign::sign(b"s3cret", &call).parse().unwrap(),
        );
        headers.insert(sign::KEY, key.parse().unwrap());
        headers.insert(sign::NONCE, nonce.parse().unwrap());
        headers.insert(sign::TIMESTAMP, timestamp_s.into());
        headers
    }

    #[test]
    fn a_signed_call_is_accepted_once() {
        let (auth, headers) = (auth(), headers("nonce-one", NOW, "demo"));
        assert_eq!(auth.check(&headers, PATH, b"[]", NOW), Ok(()));
        assert_eq!(
            auth.check(&headers, PATH, b"[]", NOW),
            Err(AuthError::Replayed)
        );
    }

    #[test]
    fn a_nonce_is_remembered_for_as_long_as_its_timestamp_is_accepted() {
        let (auth, ahead) = (auth(), headers("nonce-one", NOW + WINDOW_S, "demo"));
        assert_eq!(auth.check(&ahead, PATH, b"[]", NOW), Ok(()));
        for later in [WINDOW_S + 1, 2 * WINDOW_S] {
            assert_eq!(
                auth.check(&ahead, PATH, b"[]", NOW + later),
                Err(AuthError::Replayed)
            );
        }
        let stale = AuthError::Refused(sign::Refused::Stale);
        assert_eq!(
            auth.check(&ahead, PATH, b"[]", NOW + 2 * WINDOW_S + 1),
            Err(stale)
        );
    }

    #[test]
    fn forgotten_nonces_leave_no_trace() {
        let mut nonces = Nonces::default();
        assert!(nonces.insert("a", NOW, NOW));
        assert!(nonces.insert("b", NOW, NOW + WINDOW_S + 1));
        assert_eq!((nonces.known.len(), nonces.order.len()), (1, 1));
    }

    #[test]
    fn other_keys_stale_calls_and_changes_are_refused() {
        let auth = auth();
        let other = headers("nonce-two", NOW, "other");
        assert_eq!(
            auth.check(&other, PATH, b"[]", NOW),
            Err(AuthError::UnknownKey)
        );
        let signed = headers("nonce-two", NOW, "demo");
        let changed = AuthError::Refused(sign::Refused::BadSignature);
        assert_eq!(auth.check(&signed, PATH, b"[1]", NOW), Err(changed));
        // A refused call does not use its nonce up.
        assert_eq!(auth.check(&signed, PATH, b"[]", NOW), Ok(()));
        let missing = AuthError::Missing(sign::SIGNATURE);
        assert_eq!(
            auth.check(&HeaderMap::new(), PATH, b"[]", NOW),
            Err(missing)
        );
    }
}
