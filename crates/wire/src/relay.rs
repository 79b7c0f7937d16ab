//! What a relay does to headers, paths and limits. One policy for every relay; no I/O, no clock.
//!
//! A relay holds the key of a target and streams its answer through byte for byte. Nothing of the caller
//! but a short list of headers reaches the target, and nothing of the target that would act on the
//! relay's own origin (cookies, redirects, policies) reaches the caller.

mod cap;

use std::time::Duration;

pub use cap::HourlyCap;

/// Largest request body that is relayed, in bytes.
pub const MAX_BODY: usize = 1 << 20;
/// Response header: the relay's id of the request.
pub const ID: &str = "x-streamlag-id";
/// Response header of the relay's own failures: the error class that the caller's record should hold.
pub const UPSTREAM: &str = "x-streamlag-upstream";
/// Request and response header by which providers and their callers name one request.
pub const REQUEST_ID: &str = "x-request-id";

/// Headers of the caller that reach the target; the list is closed, because a caller's cookies and
/// credentials are for the relay's host only. The key and `accept-encoding` are the relay's to set.
const TO_TARGET: [&str; 10] = [
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "content-type",
    "idempotency-key",
    "openai-beta",
    REQUEST_ID,
    "x-client-request-id",
    "traceparent",
    "tracestate",
];

/// Headers of the target that do not reach the caller.
const NOT_BACK: [&str; 24] = [
    // Hop by hop (RFC 9110, section 7.6.1).
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    // They would act on the relay's origin, not on the target's.
    "alt-svc",
    "clear-site-data",
    "content-security-policy",
    "content-security-policy-report-only",
    "link",
    "nel",
    "refresh",
    "report-to",
    "reporting-endpoints",
    "set-cookie",
    "set-cookie2",
    "strict-transport-security",
    // Redirects are not followed, neither here nor by the caller's browser.
    "location",
    // The relay's to set.
    "timing-allow-origin",
    "x-content-type-options",
];

/// Whether the caller's header (lower case) reaches the target.
pub fn reaches_target(name: &str) -> bool {
    TO_TARGET.contains(&name)
}

/// Whether the target's header (lower case) reaches the caller. `connection` is the value of the target's
/// `Connection` header: what it names is hop by hop too.
pub fn reaches_caller(name: &str, connection: Option<&str>) -> bool {
    let named = |list: &str| {
        list.split(',')
            .any(|item| item.trim().eq_ignore_ascii_case(name))
    };
    let cors = name.starts_with("access-control-");
    // A target that is itself a relay has its own id; the caller's record joins with this one's.
    let ours = name == ID || name == UPSTREAM;
    !(NOT_BACK.contains(&name) || cors || ours || connection.is_some_and(named))
}

/// The headers a relay adds to every answer that a page may read. `origin` is the page's, already allowed.
pub fn cors(origin: &str) -> [(&'static str, String); 3] {
    [
        ("access-control-allow-origin", origin.to_owned()),
        ("vary", "origin".to_owned()),
        ("timing-allow-origin", "*".to_owned()),
    ]
}

/// The value of `access-control-expose-headers`: everything that is there. The `*` of the standard would
/// do the same, but not for requests with credentials.
pub fn exposed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// Answer to a preflight that asks for `requested` headers. All are allowed: SDKs send many of their own
/// and always a key, and none but the short list above goes any further.
pub fn preflight(requested: Option<&str>) -> [(&'static str, String); 3] {
    [
        ("access-control-allow-methods", "POST".to_owned()),
        (
            "access-control-allow-headers",
            requested.unwrap_or("content-type").to_owned(),
        ),
        ("access-control-max-age", "7200".to_owned()),
    ]
}

/// The value of `Server-Timing`: send → the target's headers.
pub fn server_timing(upstream: Duration) -> String {
    format!("upstream;dur={:.3}", upstream.as_secs_f64() * 1000.0)
}

/// Whether `rest`, which an SDK appended to its base URL, is the tail of the target's own path. The relay
/// calls the target's exact URL in any case; a request for another endpoint must not pass for this one.
pub fn is_tail(target_url: &str, rest: &str) -> bool {
    let whole = target_url.split(['?', '#']).next().unwrap_or_default();
    let path = whole.split_once("://").map_or(whole, |(_, rest)| rest);
    let Some((_, path)) = path.split_once('/') else {
        return false;
    };
    let rest = rest.trim_matches('/');
    let path = path.trim_end_matches('/');
    !rest.is_empty()
        && path
            .strip_suffix(rest)
            .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_of_the_caller_stay_here() {
        for name in [
            "cookie",
            "authorization",
            "x-api-key",
            "host",
            "origin",
            "referer",
            "accept-encoding",
        ] {
            assert!(!reaches_target(name), "{name}");
        }
        for name in [
            "x-request-id",
            "traceparent",
            "content-type",
            "anthropic-version",
        ] {
            assert!(reaches_target(name), "{name}");
        }
    }

    #[test]
    fn what_acts_on_an_origin_or_a_hop_is_dropped_and_the_rest_kept() {
        for name in [
            "set-cookie",
            "location",
            "transfer-encoding",
            "access-control-allow-origin",
            ID,
            "x-hop",
        ] {
            assert!(!reaches_caller(name, Some("close, X-Hop")), "{name}");
        }
        for name in [
            "x-request-id",
            "retry-after",
            "x-ratelimit-limit-requests",
            "content-type",
            "server-timing",
        ] {
            assert!(reaches_caller(name, None), "{name}");
        }
    }

    #[test]
    fn only_the_tail_of_the_target_path_is_accepted() {
        let url = "https://h.example/openai/v1/chat/completions?api-version=1";
        for rest in [
            "completions",
            "chat/completions",
            "v1/chat/completions",
            "/openai/v1/chat/completions",
        ] {
            assert!(is_tail(url, rest), "{rest}");
        }
        for rest in [
            "",
            "/",
            "embeddings",
            "mpletions",
            "chat",
            "h.example/openai/v1/chat/completions",
        ] {
            assert!(!is_tail(url, rest), "{rest}");
        }
        assert!(!is_tail("https://h.example", "h.example"));
    }

    #[test]
    fn server_timing_is_in_milliseconds() {
        assert_eq!(
            server_timing(Duration::from_micros(12_345)),
            "upstream;dur=12.345"
        );
    }

    #[test]
    fn every_header_that_is_there_is_exposed_once() {
        assert_eq!(exposed(["b", "a", "b"].into_iter()), "a, b");
    }
}
