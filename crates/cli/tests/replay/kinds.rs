//! More of each kind of case: other periods, other clocks, other headers, other ends.

use serde_json::{Value, json};

use super::{check, chunk, end, text, timed, with};

fn many(n: usize) -> String {
    text("x").repeat(n)
}

#[test]
fn gateways_flush_at_other_periods_too() {
    for (name, period, size) in [("100", 100.0, 3), ("250", 250.0, 5), ("1000", 1000.0, 30)] {
        let mut reads: Vec<_> = (0..6)
            .map(|i| (400.0 + period * f64::from(i), many(size)))
            .collect();
        reads.push((401.0 + period * 5.0, end()));
        check(
            &format!("flush-{name}"),
            &timed(&reads),
            &json!({"flags": ["periodic_batching"], "provider_stalls": 0, "ttft_ms": 400, "gaps_ms": [period, period, period, period, period]}),
        );
    }
}

#[test]
fn bodies_are_held_back_in_other_ways_too() {
    let role = chunk("\"role\":\"assistant\",\"content\":\"\"", "null");
    let flags = json!({"flags": ["buffered_suspected"], "tpot_ms": null, "stalls": 0});
    check(
        "headers-held-back-too",
        &with(
            timed(&[(4000.0, many(12) + &end())]),
            &json!({"t_headers_ms": 3999}),
        ),
        &flags,
    );
    check(
        "first-bytes-let-go",
        &timed(&[
            (90.0, role),
            (7000.0, many(20)),
            (7001.5, many(20) + &end()),
        ]),
        &flags,
    );
    let thought: Vec<_> = (0..12)
        .map(|i| (30_000.0 + 9.0 * f64::from(i), text("x")))
        .collect();
    check(
        "a-short-answer-after-thought",
        &timed(&thought),
        &json!({"no_flags": ["buffered_suspected"]}),
    );
}

#[test]
fn clocks_are_off_in_other_ways_too() {
    let stream = |at: [f64; 4]| timed(&at.map(|at| (at, text("x"))));
    let steady = [300.0, 340.0, 380.0, 420.0];
    check(
        "wall-set-back",
        &with(
            stream(steady),
            &json!({"wall_ms": [300, 340, -3_599_620, -3_599_580]}),
        ),
        &json!({"flags": ["clock_anomaly"], "no_flags": ["suspended"], "suspended_ms": null, "gaps_ms": [40, 40, 40], "gaps_trusted": true}),
    );
    check(
        "slept-twice",
        &with(
            stream(steady),
            &json!({"wall_ms": [300, 60_340, 60_380, 120_420]}),
        ),
        &json!({"flags": ["suspended"], "suspended_ms": 120_000, "stalls": 0, "tpot_ms": null, "gaps_trusted": false}),
    );
    check(
        "mono-runs-back",
        &stream([300.0, 340.0, 330.0, 370.0]),
        &json!({"flags": ["clock_anomaly"], "ttft_ms": 300, "gaps_ms": [40, 40], "e2e_ms": null, "gaps_trusted": false}),
    );
    check(
        "mono-goes-on-in-sleep",
        &with(
            stream([300.0, 340.0, 10_800_340.0, 10_800_380.0]),
            &json!({"wall_ms": [300, 340, 10_800_340, 10_800_380]}),
        ),
        &json!({"flags": ["suspended"], "stalls": 0, "provider_stalls": 0}),
    );
    for (name, clock, resolution) in [
        ("coarse16", json!("coarse16"), 16.0),
        (
            "object",
            json!({"name": "performance.now", "resolution_ms": 100}),
            100.0,
        ),
        ("number", json!(20.0), 20.0),
    ] {
        check(
            &format!("clock-{name}"),
            &with(
                stream([320.0, 320.0, 400.0, 400.0]),
                &json!({"clock": clock}),
            ),
            &json!({"flags": ["coarse_clock"], "clock_resolution_ms": resolution, "gaps_ms": [80]}),
        );
    }
}

#[test]
fn headers_come_in_other_shapes_too() {
    let limited = |headers: Value, more: Value| {
        with(
            json!({"fmt": "openai", "text": "", "status": 429, "headers": headers}),
            &more,
        )
    };
    let wait = |ms: Value| json!({"error_class": "rate_limited", "retry_after_ms": ms, "retryable": true, "http_class": "4xx"});
    let none = json!({});
    check(
        "zero",
        &limited(json!({"Retry-After": "0"}), none.clone()),
        &wait(json!(0)),
    );
    check(
        "fraction",
        &limited(json!({"retry-after": "2.5"}), none.clone()),
        &wait(json!(2500)),
    );
    check(
        "negative",
        &limited(json!({"retry-after": "-1"}), none.clone()),
        &wait(json!(null)),
    );
    check(
        "millis",
        &limited(json!({"retry-after-ms": "1500"}), none),
        &wait(json!(1500)),
    );
    let now = json!({"now_utc": "2026-11-29T19:00:00.000Z"});
    for (name, date) in [
        ("rfc850", "Sunday, 29-Nov-26 19:01:00 GMT"),
        ("asctime", "Sun Nov 29 19:01:00 2026"),
        ("imf", "Sun, 29 Nov 2026 19:01:00 GMT"),
    ] {
        let headers = json!({"retry-after": date});
        check(
            &format!("{name}-by-local-clock"),
            &limited(headers, now.clone()),
            &wait(json!(60_000)),
        );
    }
    let hidden = json!({"headers_hidden": ["Retry-After"]});
    check(
        "hidden",
        &limited(json!({"retry-after": "9"}), hidden),
        &json!({"retry_after_ms": null, "retry_after_known": false}),
    );
}

#[test]
fn refusals_have_other_reasons_too() {
    let refused = |status: u16, body: &str| json!({"fmt": "openai", "framing": "json", "text": body, "status": status, "t_headers_ms": 80, "t_eof_ms": 90});
    for (status, body, class, retryable) in [
        (
            401,
            "{\"error\":{\"code\":\"invalid_api_key\"}}",
            "auth",
            false,
        ),
        (
            404,
            "{\"error\":{\"code\":\"model_not_found\"}}",
            "bad_request",
            false,
        ),
        (
            429,
            "{\"error\":{\"type\":\"insufficient_quota\"}}",
            "quota",
            false,
        ),
        (500, "oops", "server", true),
        (504, "<html></html>", "timeout", true),
        (529, "", "overloaded", true),
    ] {
        check(
            &format!("refused-{status}"),
            &refused(status, body),
            &json!({"error_class": class, "retryable": retryable, "complete": false, "events": 0, "ttft_ms": null, "ttfb_ms": 80, "e2e_ms": 90, "outcome": "error"}),
        );
    }
}

#[test]
fn streams_end_in_other_ways_too() {
    let cut = timed(&[(100.0, text("Half")), (150.0, text(" of it"))]);
    check(
        "reset",
        &with(cut.clone(), &json!({"end_mode": "reset", "t_eof_ms": 180})),
        &json!({"answer": "Half of it", "outcome": "truncated", "error_class": "truncated", "end": null, "e2e_ms": 180, "ttft_ms": 100}),
    );
    check(
        "timeout",
        &with(
            cut.clone(),
            &json!({"end_mode": "timeout", "t_eof_ms": 30_150}),
        ),
        &json!({"outcome": "timeout", "error_class": "timeout", "counts_as_error": true}),
    );
    check(
        "never",
        &with(cut, &json!({"end_mode": "open"})),
        &json!({"e2e_ms": null, "complete": false}),
    );
}

fn scenario(steps: Value) -> Value {
    json!({"fmt": "openai", "framing": "sse", "scenario": steps})
}

#[test]
fn requests_are_given_up_and_sent_again_in_other_ways_too() {
    let (a, rest) = (text("a"), text("b") + &end());
    check(
        "page-closed",
        &scenario(
            json!([{"t": 0, "ev": "request"}, {"t": 300, "ev": "chunk", "text": a}, {"t": 900, "ev": "abort", "by": "page"}]),
        ),
        &json!({"outcome": "aborted", "counts_as_error": false, "ttft_ms": 300, "e2e_ms": 900, "error_class": null}),
    );
    check(
        "too-late-for-a-token",
        &scenario(
            json!([{"t": 0, "ev": "request"}, {"t": 10_000, "ev": "abort", "by": "timeout"}]),
        ),
        &json!({"outcome": "timeout", "ttft_ms": null, "ttft_at_least_ms": 10_000, "counts_as_error": true}),
    );
    check(
        "limited-first",
        &scenario(json!([
            {"t": 0, "ev": "request"}, {"t": 90, "ev": "headers", "status": 429, "headers": {"retry-after": "1"}},
            {"t": 1090, "ev": "request"}, {"t": 1150, "ev": "headers", "status": 200},
            {"t": 1400, "ev": "chunk", "text": a}, {"t": 1440, "ev": "chunk", "text": rest},
        ])),
        &json!({"attempts": 2, "attempt_errors": ["rate_limited", null], "ttft_ms_by_attempt": [null, 310], "retry_wait_ms": 1000, "user_ttft_ms": 1400, "outcome": "ok", "error_class": null, "answer": "ab", "gaps_ms": [40]}),
    );
    check(
        "late-words-of-the-first",
        &scenario(json!([
            {"t": 0, "ev": "request", "n": 1}, {"t": 100, "ev": "chunk", "n": 1, "text": a},
            {"t": 200, "ev": "reset", "n": 1}, {"t": 700, "ev": "request", "n": 2},
            {"t": 750, "ev": "chunk", "n": 1, "text": text("GHOST")},
            {"t": 900, "ev": "chunk", "n": 2, "text": a}, {"t": 950, "ev": "chunk", "n": 2, "text": rest},
        ])),
        &json!({"answer": "ab", "attempts": 2, "ttft_ms_by_attempt": [100, 200], "retry_wait_ms": 500}),
    );
}

#[test]
fn pages_are_hidden_in_other_ways_too() {
    let mut reads: Vec<_> = (0..4)
        .map(|i| (300.0 + 1000.0 * f64::from(i), many(20)))
        .collect();
    reads.push((3400.0, end()));
    check(
        "hidden-from-the-start",
        &with(timed(&reads), &json!({"visibility": [[0, "hidden"]]})),
        &json!({"flags": ["hidden", "reader_throttled"], "no_flags": ["periodic_batching"], "provider_stalls": 0, "gaps_trusted": false}),
    );
    let stalled = timed(&[
        (300.0, text("a")),
        (340.0, text("b")),
        (2340.0, text("c")),
        (2380.0, end()),
    ]);
    check(
        "a-stall-while-hidden",
        &with(
            stalled.clone(),
            &json!({"visibility": [[0, "visible"], [500, "hidden"], [2000, "visible"]]}),
        ),
        &json!({"flags": ["hidden"], "no_flags": ["reader_throttled"], "stalls": 1, "provider_stalls": 0, "max_gap_ms": 2000}),
    );
    check(
        "a-stall-in-sight",
        &stalled,
        &json!({"stalls": 1, "provider_stalls": 1, "stall_ms": 2000}),
    );
}

#[test]
fn frames_show_what_was_read_before_them() {
    let case = timed(&[(100.0, text("a")), (140.0, text("b") + &end())]);
    check(
        "frames",
        &with(case.clone(), &json!({"frames_ms": [116, 133, 150]})),
        &json!({"first_paint_ms": 116, "frames": 2, "not_shown": 0, "paint_censored": 0}),
    );
    check(
        "frames-of-a-hidden-page",
        &with(
            case,
            &json!({"frames_ms": [116, 2000], "visibility": [[120, "hidden"], [1990, "visible"]]}),
        ),
        &json!({"first_paint_ms": 116, "frames": 1, "paint_censored": 1}),
    );
}
