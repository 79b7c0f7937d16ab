use crate::heard::{hear, named, sse};

fn typed(events: &[(&str, &str)]) -> String {
    let with_type = |(kind, rest): &(&str, &str)| {
        let comma = if rest.is_empty() { "" } else { "," };
        named(&[(kind, &format!("{{\"type\":\"{kind}\"{comma}{rest}}}"))])
    };
    events.iter().map(with_type).collect()
}

const USAGE: &str = r#""usage":{"input_tokens":9,"output_tokens":4,"total_tokens":13,"output_tokens_details":{"reasoning_tokens":2},"input_tokens_details":{"cached_tokens":1}}"#;

#[test]
fn what_is_done_repeats_what_was_streamed() {
    let heard = hear(typed(&[
        (
            "response.created",
            r#""response":{"status":"in_progress","error":null,"usage":null}"#,
        ),
        ("response.queued", ""),
        (
            "response.output_item.added",
            r#""output_index":0,"item":{"type":"message","content":[]}"#,
        ),
        ("response.reasoning_summary_text.delta", r#""delta":"hm""#),
        (
            "response.output_text.delta",
            r#""delta":"Hi","obfuscation":"xx""#,
        ),
        ("response.output_text.done", r#""text":"Hi""#),
        (
            "response.content_part.done",
            r#""part":{"type":"output_text","text":"Hi"}"#,
        ),
        (
            "response.output_item.done",
            r#""item":{"type":"message","content":[{"type":"output_text","text":"Hi"}]}"#,
        ),
        (
            "response.completed",
            &format!(
                "\"response\":{{\"status\":\"completed\",\"output\":[{{\"type\":\"message\",\"content\":[{{\"type\":\"output_text\",\"text\":\"Hi\"}}]}}],{USAGE}}}"
            ),
        ),
    ]));
    assert_eq!(
        heard.seq(),
        "empty empty empty reasoning content empty empty empty usage+end"
    );
    assert_eq!(
        (heard.answer(), heard.reasoning.as_str(), heard.finish()),
        ("Hi", "hm", "completed")
    );
    assert_eq!(
        (heard.usage(), heard.usages[0].cached),
        ((Some(9), Some(4), Some(2)), Some(1))
    );
    assert_eq!(
        (heard.ends.concat(), heard.dialect),
        ("response.completed".into(), Some("responses"))
    );
}

#[test]
fn what_was_not_streamed_is_taken_from_what_is_done() {
    let heard = hear(typed(&[
        ("response.output_text.done", r#""text":"Hi""#),
        (
            "response.completed",
            r#""response":{"output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]}"#,
        ),
    ]));
    assert_eq!((heard.answer(), heard.seq()), ("Hi", "content end".into()));
    let heard = hear(typed(&[(
        "response.completed",
        r#""response":{"output":[{"type":"function_call","name":"f","arguments":"{}"}]}"#,
    )]));
    assert_eq!(
        (heard.tool(0), heard.seq()),
        (("f", "{}"), "tool+end".into())
    );
}

#[test]
fn tool_calls_are_counted_by_their_arguments_and_announced_by_name() {
    for kind in [
        "function_call_arguments",
        "mcp_call_arguments",
        "custom_tool_call_input",
    ] {
        let heard = hear(typed(&[
            (
                "response.output_item.added",
                r#""output_index":2,"item":{"type":"function_call","name":"f","arguments":""}"#,
            ),
            (
                &format!("response.{kind}.delta"),
                r#""output_index":2,"delta":"{""#,
            ),
            (
                &format!("response.{kind}.delta"),
                r#""output_index":2,"delta":"}""#,
            ),
            (
                &format!("response.{kind}.done"),
                r#""output_index":2,"arguments":"{}","input":"{}""#,
            ),
        ]));
        assert_eq!(
            (heard.seq().as_str(), heard.tool(2)),
            ("empty tool tool empty", ("f", "{}"))
        );
    }
}

#[test]
fn a_failure_reported_twice_is_one() {
    let heard = hear(typed(&[
        (
            "error",
            r#""error":{"type":"server_error","code":"server_is_overloaded","message":"x"}"#,
        ),
        (
            "response.failed",
            r#""response":{"status":"failed","error":{"code":"server_is_overloaded","message":"x"},"usage":null}"#,
        ),
    ]));
    assert_eq!(
        (heard.seq(), heard.errors.len(), heard.finish()),
        ("error end+error".into(), 1, "failed")
    );
    assert_eq!(
        heard.error(),
        ("server_error", "server_is_overloaded", None)
    );
    let alone = hear(typed(&[(
        "response.failed",
        r#""response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"x"}}"#,
    )]));
    assert_eq!(alone.error(), ("", "rate_limit_exceeded", None));
    let bare = hear(typed(&[(
        "error",
        r#""code":"ERR","message":"x","param":null"#,
    )]));
    assert_eq!(
        (bare.seq(), bare.error()),
        ("error".into(), ("", "ERR", None))
    );
}

#[test]
fn incomplete_answers_say_so() {
    let heard = hear(typed(&[(
        "response.incomplete",
        r#""response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}"#,
    )]));
    assert_eq!((heard.finish(), heard.seq()), ("incomplete", "end".into()));
    let heard = hear(typed(&[(
        "response.incomplete",
        r#""response":{"incomplete_details":{"reason":"content_filter"}}"#,
    )]));
    assert_eq!(
        (heard.finish(), heard.error()),
        ("incomplete", ("content_filter", "", None))
    );
}

#[test]
fn refusals_keep_alives_and_new_kinds_are_told_apart() {
    let heard = hear(typed(&[
        ("response.refusal.delta", r#""delta":"No""#),
        ("response.refusal.done", r#""refusal":"No""#),
        ("keepalive", r#""sequence_number":3"#),
        ("response.some_new.delta", r#""delta":"x""#),
    ]));
    assert_eq!(
        (heard.seq(), heard.refusal.as_str(), heard.answer()),
        ("content empty keepalive empty".into(), "No", "")
    );
}

#[test]
fn a_second_creation_discards_what_came_before() {
    let created = ("response.created", r#""response":{}"#);
    let heard = hear(typed(&[
        created,
        ("response.output_text.delta", r#""delta":"lost""#),
        created,
        ("response.output_text.delta", r#""delta":"kept""#),
    ]));
    assert_eq!((heard.restarts, heard.answer()), (1, "kept"));
}

#[test]
fn done_may_follow_the_end() {
    let heard = hear(typed(&[("response.completed", r#""response":{}"#)]) + &sse(&["[DONE]"]));
    assert_eq!(
        (heard.ends.join(" "), heard.finish()),
        ("response.completed [DONE]".into(), "completed")
    );
}
