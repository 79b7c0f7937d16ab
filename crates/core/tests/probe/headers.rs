//! What headers say.

use std::time::Duration;

use streamlag_core::measurement::Http;

use crate::script::{Do, ms, play};

fn http(headers: &[(&'static str, &'static str)]) -> Http {
    play(&[(0, Do::Send), (50, Do::Head(429, headers.to_vec()))]).http
}

const NOON: &str = "Sun, 29 Nov 2026 12:00:00 GMT";

#[test]
fn retry_after_comes_in_many_shapes() {
    let wait = |value| http(&[("Retry-After", value), ("Date", NOON)]).retry_after;
    assert_eq!(wait("30"), ms(30_000));
    assert_eq!(wait(" 0 "), Some(Duration::ZERO));
    assert_eq!(wait("1.5"), ms(1500));
    assert_eq!(wait("Sun, 29 Nov 2026 12:00:45 GMT"), ms(45_000));
    assert_eq!(wait("Sunday, 29-Nov-26 12:00:45 GMT"), ms(45_000));
    assert_eq!(wait("Sun Nov 29 12:00:45 2026"), ms(45_000));
    assert_eq!(wait("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
    for nothing in [
        "soon",
        "",
        "-5",
        "1e9",
        "NaN",
        "99999999999999999999",
        "Sun, 99 Nov 2026",
    ] {
        let http = http(&[("retry-after", nothing), ("date", NOON)]);
        assert_eq!(
            (http.retry_after, http.retry_after_known),
            (None, true),
            "{nothing:?}"
        );
    }
    assert_eq!(
        http(&[("retry-after-ms", "250"), ("retry-after", "1")]).retry_after,
        ms(250)
    );
}

#[test]
fn a_date_is_reckoned_from_the_responses_own_and_else_from_the_wall_clock() {
    const AT: &str = "Sun, 29 Nov 2026 12:00:45 GMT";
    let wall = 1_795_953_600_000; // 12:00:00
    let beside = |headers: &[(&'static str, &'static str)], wall_ms| {
        play(&[
            (0, Do::Send),
            (50, Do::Wall(wall_ms)),
            (50, Do::Head(429, headers.to_vec())),
        ])
        .http
        .retry_after
    };
    let skewed = wall + 7_200_000;
    assert_eq!(
        beside(&[("retry-after", AT), ("date", NOON)], skewed),
        ms(45_000)
    );
    assert_eq!(beside(&[("retry-after", AT)], wall), ms(45_000));
    assert_eq!(
        http(&[("retry-after", AT)]).retry_after,
        None,
        "no clock at all"
    );
}

#[test]
fn a_hidden_header_is_unknown_and_not_absent() {
    let hidden = play(&[(0, Do::Send), (50, Do::HiddenHead(429, vec![]))]).http;
    assert_eq!(
        (hidden.retry_after, hidden.retry_after_known),
        (None, false)
    );
    assert!(http(&[]).retry_after_known);
    let shown = Do::HiddenHead(429, vec![("retry-after", "3")]);
    let shown = play(&[(0, Do::Send), (50, shown)]).http;
    assert_eq!(
        (shown.retry_after, shown.retry_after_known),
        (ms(3000), true)
    );
    assert!(
        !play(&[(0, Do::Send)]).http.retry_after_known,
        "no response"
    );
}

#[test]
fn server_timing_is_read_with_and_without_durations() {
    let http = http(&[
        (
            "Server-Timing",
            "upstream;dur=12.34, cache;desc=\"a, b; c\" ;dur=\"2\", edge",
        ),
        ("server-timing", "db;DUR=53, bad;dur=x, ;dur=1"),
    ]);
    let entries: Vec<_> = http
        .server_timing
        .iter()
        .map(|(name, ms)| (name.as_str(), *ms))
        .collect();
    assert_eq!(
        entries,
        [
            ("upstream", Some(12.34)),
            ("cache", Some(2.0)),
            ("edge", None),
            ("db", Some(53.0)),
            ("bad", None),
        ]
    );
}

#[test]
fn ids_and_limits_are_kept_short() {
    const LONG: &str = "äääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää";
    let http = http(&[
        ("X-Request-Id", "req-1"),
        ("request-id", "req-2"),
        ("x-streamlag-id", "relay-1"),
        ("X-RateLimit-Remaining-Tokens", "149984"),
        ("anthropic-ratelimit-requests-reset", LONG),
        ("set-cookie", "secret=1"),
    ]);
    assert_eq!(http.request_id.as_deref(), Some("req-1"));
    assert_eq!(http.relay_id.as_deref(), Some("relay-1"));
    let names: Vec<_> = http
        .rate_limits
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "x-ratelimit-remaining-tokens",
            "anthropic-ratelimit-requests-reset"
        ]
    );
    assert!(http.rate_limits.iter().all(|(_, value)| value.len() <= 64));
    let many: Vec<_> = (0..100).map(|_| ("x-ratelimit-x", "1")).collect();
    assert!(self::http(&many).rate_limits.len() <= 16);
}
