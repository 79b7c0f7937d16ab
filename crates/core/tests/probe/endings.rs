//! How requests end, and what class of failure it was.

use streamlag_core::input::TimeoutPhase;
use streamlag_core::measurement::Measurement;
use streamlag_core::{AbortBy, ErrorClass, Failure, Flags, Outcome};

use crate::script::{DONE, Do, Heard, finish, ms, play, probe, read, role, tell, text};

/// An answered request with this body, closed cleanly.
fn answered(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Measurement {
    play(&[
        (0, Do::Send),
        (50, Do::Head(status, headers.to_vec())),
        (60, read(body)),
        (70, Do::Eof),
    ])
}

#[test]
fn a_status_has_a_class() {
    use ErrorClass::{
        Auth, BadRequest, GeoBlocked, Overloaded, Quota, RateLimited, Server, Timeout,
    };
    for (status, class, retryable) in [
        (400, BadRequest, false),
        (401, Auth, false),
        (402, Quota, false),
        (403, Auth, false),
        (404, BadRequest, false),
        (408, Timeout, true),
        (413, BadRequest, false),
        (422, BadRequest, false),
        (429, RateLimited, true),
        (451, GeoBlocked, false),
        (500, Server, true),
        (501, Server, false),
        (502, Server, true),
        (503, Overloaded, true),
        (504, Timeout, true),
        (524, Timeout, true),
        (529, Overloaded, true),
    ] {
        for body in ["", "<html>no</html>", "{\"detail\":\"no\"}"] {
            let m = answered(status, &[("content-type", "text/html")], body);
            assert_eq!(
                (m.outcome, m.error),
                (Outcome::Error, Some(class)),
                "{status} {body}"
            );
            assert_eq!(m.http.retryable, Some(retryable), "{status}");
            assert_eq!(
                (m.complete, m.counts.events, m.timing.ttft),
                (false, 0, None)
            );
        }
    }
}

#[test]
fn the_body_of_a_refusal_names_what_the_status_cannot() {
    use ErrorClass::{Auth, BadRequest, ContentFilter, GeoBlocked, Overloaded, Quota, RateLimited};
    for (status, error, class) in [
        (
            429,
            r#""type":"insufficient_quota","code":"insufficient_quota""#,
            Quota,
        ),
        (
            429,
            r#""type":"requests","code":"rate_limit_exceeded""#,
            RateLimited,
        ),
        (429, r#""type":"engine_overloaded_error""#, Overloaded),
        (
            429,
            r#""code":429,"status":"RESOURCE_EXHAUSTED""#,
            RateLimited,
        ),
        (
            403,
            r#""code":"unsupported_country_region_territory""#,
            GeoBlocked,
        ),
        (403, r#""type":"permission_error""#, Auth),
        (400, r#""code":"content_filter""#, ContentFilter),
        (
            400,
            r#""type":"invalid_request_error","code":"context_length_exceeded""#,
            BadRequest,
        ),
        (500, r#""type":"overloaded_error""#, Overloaded),
        (503, r#""message":"no capacity""#, Overloaded),
        (401, r#""type":"server_error""#, Auth),
        // The message is never read: it may say anything.
        (
            400,
            r#""message":"insufficient_quota rate_limit overloaded""#,
            BadRequest,
        ),
    ] {
        let body = format!("{{\"error\":{{{error}}}}}");
        let m = answered(status, &[("content-type", "application/json")], &body);
        assert_eq!(m.error, Some(class), "{status} {error}");
        assert_eq!((m.error_count, m.counts.events), (1, 0));
    }
}

#[test]
fn text_in_the_body_of_a_refusal_is_no_answer() {
    let body = text("ghost") + "data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n";
    let mut heard = Heard::default();
    let mut probe = probe();
    let steps = [
        (0, Do::Send),
        (
            50,
            Do::Head(500, vec![("content-type", "text/event-stream")]),
        ),
        (60, read(&body)),
        (70, Do::Eof),
    ];
    tell(&mut probe, &steps, &mut heard);
    let m = probe.measurement();
    assert_eq!((heard.text.as_str(), heard.kinds.len()), ("", 0));
    assert_eq!(
        (m.timing.ttft, m.counts.events, m.counts.content),
        (None, 0, 0)
    );
    assert_eq!(m.error, Some(ErrorClass::Overloaded));
}

#[test]
fn a_header_may_name_the_error() {
    let named = |status, word| {
        answered(
            status,
            &[("X-Amzn-ErrorType", word)],
            "{\"message\":\"no\"}",
        )
        .error
    };
    assert_eq!(
        named(400, "ThrottlingException"),
        Some(ErrorClass::RateLimited)
    );
    assert_eq!(
        named(400, "ValidationException:http://x"),
        Some(ErrorClass::BadRequest)
    );
    assert_eq!(
        named(500, "InternalServerException"),
        Some(ErrorClass::Server)
    );
}

#[test]
fn a_relay_that_could_not_reach_its_upstream_says_why() {
    let of = |word| {
        let m = answered(
            502,
            &[("X-Streamlag-Upstream", word)],
            "{\"error\":{\"type\":\"upstream_unreachable\"}}",
        );
        (m.outcome, m.error)
    };
    assert_eq!(of("dns"), (Outcome::Error, Some(ErrorClass::Dns)));
    assert_eq!(of("connect"), (Outcome::Error, Some(ErrorClass::Connect)));
    assert_eq!(of("tls"), (Outcome::Error, Some(ErrorClass::Tls)));
    assert_eq!(of("timeout"), (Outcome::Timeout, Some(ErrorClass::Timeout)));
    assert_eq!(of("weather"), (Outcome::Error, Some(ErrorClass::Server)));
}

#[test]
fn an_error_inside_a_success_is_an_error() {
    for (event, class) in [
        (
            r#"{"error":{"type":"server_error","code":500}}"#,
            ErrorClass::Server,
        ),
        (
            r#"{"error":{"type":"overloaded_error"}}"#,
            ErrorClass::Overloaded,
        ),
        (r#"{"error":{"code":429}}"#, ErrorClass::RateLimited),
        (r#"{"error":"upstream failed"}"#, ErrorClass::Server),
    ] {
        let body = text("Par") + "data: " + event + "\n\n" + DONE;
        let m = answered(200, &[], &body);
        assert_eq!(
            (m.outcome, m.error),
            (Outcome::Error, Some(class)),
            "{event}"
        );
        assert!(!m.complete, "[DONE] after an error makes no success");
        assert_eq!((m.timing.ttft, m.error_count), (ms(60), 1));
    }
}

#[test]
fn a_finish_reason_may_be_a_failure() {
    for (reason, error) in [
        ("stop", None),
        ("length", None),
        ("refusal", None),
        ("error", Some(ErrorClass::Server)),
        ("content_filter", Some(ErrorClass::ContentFilter)),
        ("network_error", Some(ErrorClass::Server)),
    ] {
        let m = answered(200, &[], &(text("a") + &finish(reason) + DONE));
        assert_eq!((m.error, m.complete), (error, error.is_none()), "{reason}");
        assert_eq!(m.finish.as_deref(), Some(reason));
    }
}

#[test]
fn a_body_that_just_stops_is_truncated() {
    let m = answered(200, &[], &text("Half"));
    assert_eq!(
        (m.outcome, m.error),
        (Outcome::Truncated, Some(ErrorClass::Truncated))
    );
    assert_eq!(
        (m.end.as_deref(), m.http.retryable),
        (Some("eof"), Some(true))
    );
    let m = answered(200, &[], "");
    assert_eq!(
        (m.outcome, m.error),
        (Outcome::Error, Some(ErrorClass::Empty))
    );
}

#[test]
fn a_format_that_nobody_knows_is_not_called_truncated() {
    let m = answered(200, &[], "data: {\"value\":\"Sure\"}\n\n");
    assert!(m.flags.contains(Flags::UNRECOGNISED_FORMAT));
    assert_eq!((m.complete, m.error, m.timing.ttft), (false, None, None));
}

#[test]
fn a_web_page_is_not_a_stream() {
    let m = answered(
        200,
        &[("content-type", "text/html")],
        "<html>\n<body>wait</body>\n",
    );
    assert_eq!(
        (m.outcome, m.error),
        (Outcome::Error, Some(ErrorClass::NotAStream))
    );
    assert_eq!((m.counts.events, m.timing.ttft), (0, None));
}

#[test]
fn an_answer_in_one_piece_is_whole_and_not_streamed() {
    let body = r#"{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":5}}"#;
    let m = answered(200, &[("content-type", "application/json")], body);
    assert!(m.flags.contains(Flags::NOT_STREAMED) && m.complete);
    assert_eq!(
        (m.outcome, m.counts.answer_chars, m.timing.tpot),
        (Outcome::Ok, 2, None)
    );
}

/// A stream that shows so much and is then closed so.
fn closed(body: &str, close: Do) -> Measurement {
    let mut steps = vec![(0, Do::Send), (100, Do::Head(200, vec![]))];
    if !body.is_empty() {
        steps.push((400, read(body)));
    }
    steps.push((470, close));
    play(&steps)
}

type Judged = (Outcome, Option<ErrorClass>);

/// How a body may be closed, and what that makes of an answer that had begun, and of none.
fn closings() -> [(Do, Judged, Judged); 8] {
    use ErrorClass::{Connect, Network, Prober, Reset, Timeout};
    let aborted = (Outcome::Aborted, None);
    let timeout = (Outcome::Timeout, Some(Timeout));
    let cut = |class| (Outcome::Truncated, Some(class));
    let error = |class| (Outcome::Error, Some(class));
    let limit = AbortBy::Timeout(TimeoutPhase::BetweenChunks);
    [
        (Do::Abort(AbortBy::User), aborted, aborted),
        (Do::Abort(AbortBy::Page), aborted, aborted),
        (Do::Abort(AbortBy::Library), aborted, aborted),
        (Do::Abort(limit), timeout, timeout),
        (Do::Fail(Failure::Reset), cut(Reset), error(Reset)),
        (Do::Fail(Failure::Network), cut(Network), error(Network)),
        (Do::Fail(Failure::Connect), error(Connect), error(Connect)),
        (Do::Fail(Failure::Prober), error(Prober), error(Prober)),
    ]
}

#[test]
fn who_ended_it_decides() {
    for (close, with_text, without) in closings() {
        let m = closed(&text("a"), close.clone());
        assert_eq!((m.outcome, m.error), with_text, "{close:?}");
        assert_eq!((m.timing.ttft, m.timing.ttft_at_least), (ms(400), None));
        assert_eq!((m.timing.stream_end, m.complete), (ms(470), false));
        assert_eq!(m.tokens.usage, None, "unknown, not 0");
        let m = closed("", close);
        assert_eq!((m.outcome, m.error), without);
    }
}

#[test]
fn a_connection_that_goes_after_the_answer_takes_nothing_from_it() {
    for (close, _, _) in closings() {
        let whole = closed(&(text("a") + &finish("stop") + DONE), close.clone());
        assert_eq!(
            (whole.outcome, whole.error),
            (Outcome::Ok, None),
            "{close:?}"
        );
        assert!(whole.complete);
    }
}

#[test]
fn a_wait_that_was_cut_off_is_a_lower_bound() {
    let least = |close| closed(&role(), close).timing.ttft_at_least;
    assert_eq!(least(Do::Abort(AbortBy::User)), ms(470));
    assert_eq!(
        least(Do::Abort(AbortBy::Timeout(TimeoutPhase::Total))),
        ms(470)
    );
    assert_eq!(least(Do::Fail(Failure::Reset)), ms(470));
    assert_eq!(least(Do::Eof), None, "the target itself gave up");
    assert_eq!(answered(500, &[], "").timing.ttft_at_least, None);
}

#[test]
fn the_limit_that_ran_out_is_named() {
    let m = closed("", Do::Abort(AbortBy::Timeout(TimeoutPhase::FirstByte)));
    assert_eq!(m.timeout_phase, Some(TimeoutPhase::FirstByte));
    assert_eq!(closed("", Do::Abort(AbortBy::User)).timeout_phase, None);
}

#[test]
fn a_refusal_stays_one_whoever_hangs_up() {
    let m = play(&[
        (0, Do::Send),
        (50, Do::Head(429, vec![])),
        (60, Do::Abort(AbortBy::User)),
    ]);
    assert_eq!(
        (m.outcome, m.error),
        (Outcome::Error, Some(ErrorClass::RateLimited))
    );
}
