use crate::heard::hear;

fn lines(records: &[&str]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn chat_and_generate_are_read() {
    let chat = hear(lines(&[
        r#"{"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}"#,
        r#"{"model":"m","message":{"role":"assistant","content":"Red"},"done":false}"#,
        r#"{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":900000000,"prompt_eval_count":6,"eval_count":2,"eval_duration":200500000}"#,
    ]));
    assert_eq!(chat.seq(), "reasoning content usage+end");
    assert_eq!(
        (chat.answer(), chat.reasoning.as_str(), chat.finish()),
        ("Red", "hm", "stop")
    );
    assert_eq!(
        (chat.usage(), chat.ends.concat()),
        ((Some(6), Some(2), None), "done:true".into())
    );
    assert_eq!(
        chat.timings,
        [("total_duration", 900.0), ("eval_duration", 200.5)]
    );
    let generate = hear(lines(&[
        r#"{"model":"m","response":"a","thinking":"t","done":false}"#,
        r#"{"model":"m","response":"","done":true,"eval_count":58,"context":[1,2,3]}"#,
    ]));
    assert_eq!(
        (
            generate.answer(),
            generate.reasoning.as_str(),
            generate.seq()
        ),
        ("a", "t", "content+reasoning usage+end".into())
    );
    assert_eq!(generate.usage(), (None, Some(58), None));
}

#[test]
fn tool_calls_come_whole_with_object_arguments() {
    let heard = hear(lines(&[
        r#"{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"a": "x y"}}}]},"done":false}"#,
        r#"{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":1,"name":"g","arguments":{}}}]},"done":false}"#,
        r#"{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#,
    ]));
    assert_eq!(
        (heard.tool(0), heard.tool(1)),
        (("f", "{\"a\":\"x y\"}"), ("g", "{}"))
    );
    assert_eq!(heard.seq(), "tool tool end");
}

#[test]
fn an_error_record_is_an_error() {
    let heard = hear(lines(&[
        r#"{"message":{"content":"Red"},"done":false}"#,
        r#"{"error":"the runner stopped"}"#,
    ]));
    assert_eq!(
        (heard.seq(), heard.error()),
        ("content error".into(), ("", "", None))
    );
}

#[test]
fn other_ndjson_is_no_chat() {
    let heard = hear(lines(&[
        r#"{"status":"pulling manifest"}"#,
        r#"{"status":"pulling","total":3,"completed":1}"#,
    ]));
    assert_eq!(heard.seq(), "unknown unknown");
}
