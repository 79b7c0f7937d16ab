use crate::heard::{hear, sse};

fn parts(parts: &str, rest: &str) -> String {
    format!("{{\"candidates\":[{{\"content\":{{\"parts\":[{parts}],\"role\":\"model\"}}{rest}}}]}}")
}

#[test]
fn thoughts_are_reasoning_and_counted_with_the_output() {
    let thought = parts(
        r#"{"text":"hm","thought":true},{"text":"So","thought":false},{"thoughtSignature":"x","text":""}"#,
        "",
    );
    let last = r#"{"candidates":[{"content":{"parts":[{"text":"."}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":2,"thoughtsTokenCount":22,"totalTokenCount":32,"cachedContentTokenCount":4}}"#;
    let heard = hear(sse(&[&thought, last]));
    assert_eq!(heard.seq(), "content+reasoning content+usage");
    assert_eq!(
        (heard.answer(), heard.reasoning.as_str(), heard.finish()),
        ("So.", "hm", "STOP")
    );
    assert_eq!(heard.usage(), (Some(8), Some(24), Some(22)));
    assert_eq!(
        (heard.usages[0].cached, heard.usages[0].total),
        (Some(4), Some(32))
    );
}

#[test]
fn a_report_without_output_leaves_it_open() {
    let first = hear(sse(&[
        r#"{"candidates":[],"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}"#,
    ]));
    assert_eq!(first.usage(), (Some(4), None, None));
    let thoughts = hear(sse(&[
        r#"{"usageMetadata":{"promptTokenCount":4,"thoughtsTokenCount":7}}"#,
    ]));
    assert_eq!(thoughts.usage(), (Some(4), Some(7), Some(7)));
}

#[test]
fn finish_reasons_may_be_numbers() {
    let heard = hear(format!(
        "[{},{}]",
        parts(r#"{"text":"a"}"#, ""),
        parts(r#"{"text":"b"}"#, ",\"finishReason\":1")
    ));
    assert_eq!(
        (heard.answer(), heard.finish(), heard.dialect),
        ("ab", "1", Some("gemini"))
    );
}

#[test]
fn a_blocked_prompt_is_an_error() {
    let heard = hear(sse(&[
        r#"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}"#,
    ]));
    assert_eq!(
        (heard.seq(), heard.error()),
        (
            "usage+error".into(),
            ("content_filter", "PROHIBITED_CONTENT", None)
        )
    );
    let heard = hear(sse(&[r#"{"promptFeedback":{"safetyRatings":[]}}"#]));
    assert_eq!(heard.seq(), "empty");
}

#[test]
fn errors_come_as_elements_too() {
    let body = format!(
        "[{}\n,\r\n{{\"error\":{{\"code\":503,\"message\":\"x\",\"status\":\"UNAVAILABLE\"}}}}\n]",
        parts(r#"{"text":"Sea"}"#, "")
    );
    let heard = hear(body);
    assert_eq!(
        (heard.seq(), heard.error()),
        ("content error".into(), ("", "UNAVAILABLE", Some(503)))
    );
}

#[test]
fn function_calls_come_whole_and_are_numbered() {
    let call = |name: &str| {
        format!("{{\"functionCall\":{{\"name\":\"{name}\",\"args\":{{\n \"a\": 1\n}}}}}}")
    };
    let heard = hear(sse(&[
        &parts(&(call("f") + "," + &call("g")), "").replace('\n', ""),
        &parts(&call("h"), "").replace('\n', ""),
    ]));
    assert_eq!(heard.seq(), "tool tool");
    assert_eq!(
        (heard.tool(0), heard.tool(1), heard.tool(2)),
        (("f", "{\"a\":1}"), ("g", "{\"a\":1}"), ("h", "{\"a\":1}"))
    );
}

#[test]
fn candidates_are_choices() {
    let heard = hear(sse(&[
        r#"{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}},{"index":0,"content":{"parts":[{"text":"a"}]},"finishReason":"MAX_TOKENS"}]}"#,
    ]));
    assert_eq!(
        (heard.answer(), heard.answers[&1].as_str(), heard.finish()),
        ("a", "b", "MAX_TOKENS")
    );
}

#[test]
fn wrapped_responses_are_unwrapped() {
    let heard = hear(sse(&[&format!(
        "{{\"response\":{}}}",
        parts(r#"{"text":"a"}"#, "")
    )]));
    assert_eq!((heard.answer(), heard.dialect), ("a", Some("gemini")));
}
