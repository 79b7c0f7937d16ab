use crate::heard::{hear, sse};

const START: &str = r#"{"type":"message_start","message":{"id":"m","usage":{"input_tokens":5,"cache_read_input_tokens":4,"output_tokens":1}}}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

fn text(text: &str) -> String {
    format!(
        "{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{{\"type\":\"text_delta\",\"text\":\"{text}\"}}   }}"
    )
}

#[test]
fn a_message_is_read_from_start_to_stop() {
    let heard = hear(sse(&[
        START,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type": "ping"}"#,
        &text("Hi"),
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"cited_text":"x"}}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}"#,
        STOP,
    ]));
    assert_eq!(
        heard.seq(),
        "usage empty keepalive content empty empty usage end"
    );
    assert_eq!(
        (heard.answer(), heard.finish(), heard.ends.concat()),
        ("Hi", "end_turn", "message_stop".into())
    );
    let (first, last) = (heard.usages[0], heard.usages[1]);
    assert_eq!(
        (first.input, first.output, first.cached, first.provisional),
        (Some(5), Some(1), Some(4), true)
    );
    assert_eq!((last.output, last.provisional), (Some(9), false));
}

#[test]
fn thinking_is_reasoning_and_what_is_opaque_is_not() {
    let heard = hear(sse(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xyz"}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"AAAA"}}"#,
    ]));
    assert_eq!(
        (heard.seq(), heard.reasoning.as_str()),
        ("empty reasoning empty empty".into(), "hm")
    );
}

#[test]
fn a_tool_without_arguments_is_seen_by_its_name() {
    let heard = hear(sse(&[
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"now","input":{}}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"web_search_tool_result","content":[{"type":"text","text":"x"}]}}"#,
    ]));
    assert_eq!(heard.seq(), "tool empty tool tool empty");
    assert_eq!(
        (heard.tool(1), heard.tool(2)),
        (("now", ""), ("web_search", "{\"q\":1}"))
    );
    assert_eq!(heard.answer(), "");
}

#[test]
fn an_error_event_is_an_error() {
    let heard = hear(
        "event: error\ndata: {\"type\":\"error\",\"error\":{\"details\":null,\"type\":\"overloaded_error\",\"message\":\"x\"}      }\n\n",
    );
    assert_eq!(
        (heard.seq(), heard.error()),
        ("error".into(), ("overloaded_error", "", None))
    );
}

#[test]
fn a_second_start_discards_what_came_before() {
    let heard = hear(sse(&[START, &text("lost"), START, &text("kept"), STOP]));
    assert_eq!((heard.restarts, heard.answer()), (1, "kept"));
    let two = hear(sse(&[START, &text("a"), STOP, START, &text("b"), STOP]));
    assert_eq!((two.restarts, two.answer()), (0, "ab"));
}

#[test]
fn events_yet_unknown_of_the_family_are_empty() {
    let heard = hear(sse(&[
        r#"{"type":"content_block_pause","index":0}"#,
        r#"{"type":"message_metadata","x":1}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"new_delta","text":"x"}}"#,
    ]));
    assert_eq!(
        (heard.seq(), heard.answer()),
        ("empty empty empty".into(), "")
    );
}
