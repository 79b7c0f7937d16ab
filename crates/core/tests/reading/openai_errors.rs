//! How those that speak OpenAI's language say that something went wrong.

use crate::heard::{hear, hear_as, named, sse};
use crate::openai::{choice, delta};

#[test]
fn errors_are_found_wherever_they_are() {
    for (event, error) in [
        (
            r#"{"error":{"message":"x","type":"server_error","code":500}}"#,
            ("server_error", "", Some(500)),
        ),
        (
            r#"{"error":{"message":"x","type":"tokens","code":"rate_limit_exceeded"}}"#,
            ("tokens", "rate_limit_exceeded", None),
        ),
        (
            r#"{"error":{"message":"x","code":"429"}}"#,
            ("", "429", Some(429)),
        ),
        (
            r#"{"error":{"object":"error","message":"x","type":"BadRequestError","param":null,"code":400}}"#,
            ("BadRequestError", "", Some(400)),
        ),
        (
            r#"{"object":"error","message":"x","type":"BadRequestError","code":400}"#,
            ("BadRequestError", "", Some(400)),
        ),
        (
            r#"{"error":{"message":"x","type":"invalid_request_error","code":"tool_use_failed","status_code":400}}"#,
            ("invalid_request_error", "tool_use_failed", Some(400)),
        ),
        (
            r#"{"error":"Request failed","error_type":"generation"}"#,
            ("generation", "", None),
        ),
    ] {
        let heard = hear(sse(&[&delta(r#""content":"x""#), event]));
        assert_eq!(
            (heard.seq().as_str(), heard.error()),
            ("content error", error),
            "{event}"
        );
    }
    let heard = hear(named(&[("error", r#"{"message":"x","code":503}"#)]));
    assert_eq!(
        (heard.seq(), heard.error()),
        ("error".into(), ("", "", Some(503)))
    );
    assert_eq!(hear(named(&[("error", "upstream gone")])).seq(), "error");
    assert_eq!(
        hear(sse(&[
            r#"{"error":null,"choices":[{"delta":{"content":"x"}}]}"#
        ]))
        .seq(),
        "content"
    );
}

#[test]
fn an_error_beside_choices_and_an_error_as_finish_reason_are_one() {
    let both = r#"{"error":{"code":502,"message":"x"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#;
    let heard = hear(sse(&[both]));
    assert_eq!(
        (heard.seq(), heard.errors.len(), heard.finish()),
        ("usage+error".into(), 1, "error")
    );
    for reason in ["error", "network_error"] {
        let heard = hear(sse(&[&choice(&format!(
            "\"delta\":{{}},\"finish_reason\":\"{reason}\""
        ))]));
        assert_eq!((heard.seq().as_str(), heard.finish()), ("error", reason));
    }
}

#[test]
fn the_error_field_of_old_llama_cpp_is_an_error_and_no_event() {
    let heard = hear_as(
        "openai",
        "error: {\"code\":400,\"message\":\"x\",\"type\":\"invalid_request_error\"}\n\n",
    );
    assert_eq!((heard.seq(), heard.events), ("error+unframed".into(), 0));
    assert_eq!(heard.error(), ("invalid_request_error", "", Some(400)));
}
