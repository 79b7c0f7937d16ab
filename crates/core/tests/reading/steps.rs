//! Streams of applications rather than of models: the AI SDK's UI messages, LangServe, LangGraph.

use crate::heard::{hear, named, sse};

#[test]
fn ui_messages_are_read() {
    let heard = hear(sse(&[
        r#"{"type":"start","messageId":"m"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"reasoning-start","id":"r"}"#,
        r#"{"type":"reasoning-delta","id":"r","delta":"hm"}"#,
        r#"{"type":"text-start","id":"t"}"#,
        r#"{"type":"text-delta","id":"t","delta":"Hi"}"#,
        r#"{"type":"text-end","id":"t"}"#,
        r#"{"type":"data-weather","data":{"x":"text"}}"#,
        r#"{"type":"source-url","sourceId":"s","url":"https://example.com"}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"finish"}"#,
        "[DONE]",
    ]));
    assert_eq!(
        heard.seq(),
        "empty empty empty reasoning empty content empty empty empty empty end end"
    );
    assert_eq!((heard.answer(), heard.reasoning.as_str()), ("Hi", "hm"));
    assert_eq!(
        (heard.ends.join(" "), heard.dialect),
        ("finish [DONE]".into(), Some("aisdk"))
    );
}

#[test]
fn ui_tool_input_is_counted_once() {
    let heard = hear(sse(&[
        r#"{"type":"tool-input-start","toolCallId":"a","toolName":"f"}"#,
        r#"{"type":"tool-input-start","toolCallId":"b","toolName":"g"}"#,
        r#"{"type":"tool-input-delta","toolCallId":"b","inputTextDelta":"{\"x\":1}"}"#,
        r#"{"type":"tool-input-available","toolCallId":"b","toolName":"g","input":{"x":1}}"#,
        r#"{"type":"tool-input-available","toolCallId":"c","toolName":"h","input":{"y": 2}}"#,
        r#"{"type":"tool-output-available","toolCallId":"b","output":{"z":3}}"#,
    ]));
    assert_eq!(heard.seq(), "tool tool tool empty tool empty");
    assert_eq!(
        (heard.tool(0), heard.tool(1), heard.tool(2)),
        (("f", ""), ("g", "{\"x\":1}"), ("h", "{\"y\":2}"))
    );
}

#[test]
fn a_step_that_is_reset_keeps_the_steps_before_it() {
    let text =
        |text: &str| format!("{{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"{text}\"}}");
    let (step, reset) = (r#"{"type":"start-step"}"#, r#"{"type":"reset-step"}"#);
    let heard = hear(sse(&[
        step,
        &text("kept "),
        step,
        &text("lost"),
        reset,
        &text("new"),
    ]));
    assert_eq!((heard.restarts, heard.answer()), (1, "kept new"));
    assert_eq!(
        hear(sse(&[&text("lost"), reset, &text("new")])).answer(),
        "new"
    );
}

#[test]
fn ui_errors_and_aborts_are_errors() {
    let heard = hear(sse(&[
        r#"{"type":"text-delta","id":"t","delta":"Par"}"#,
        r#"{"type":"error","errorText":"x"}"#,
    ]));
    assert_eq!(
        (heard.seq(), heard.answer()),
        ("content error".into(), "Par")
    );
    assert_eq!(
        hear(sse(&[r#"{"type":"abort","reason":"x"}"#])).error(),
        ("abort", "", None)
    );
}

#[test]
fn langserve_sends_pieces_and_an_end_without_data() {
    let pieces = named(&[
        ("metadata", r#"{"run_id":"r"}"#),
        ("data", r#""Hel""#),
        (
            "data",
            r#"{"content":"lo","additional_kwargs":{},"type":"AIMessageChunk"}"#,
        ),
    ]);
    let heard = hear(pieces.clone() + "event: end\n\n");
    assert_eq!(
        (heard.seq(), heard.answer()),
        ("empty content content end+unframed".into(), "Hello")
    );
    assert_eq!((heard.events, heard.dialect), (3, Some("langserve")));
    let heard = hear(pieces + &named(&[("end", "null")]));
    assert_eq!(
        (heard.seq().as_str(), heard.events),
        ("empty content content end", 4)
    );
    let failed = hear(named(&[(
        "error",
        r#"{"status_code":500,"message":"Internal Server Error"}"#,
    )]));
    assert_eq!(failed.error(), ("", "", Some(500)));
}

#[test]
fn snapshots_are_counted_once() {
    let snapshot = |id: &str, text: &str| {
        format!("[{{\"content\":\"{text}\",\"type\":\"ai\",\"id\":\"{id}\"}}]")
    };
    let heard = hear(named(&[
        ("metadata", r#"{"run_id":"r"}"#),
        ("messages/metadata", r#"{"m":{}}"#),
        ("messages/partial", &snapshot("m", "")),
        ("messages/partial", &snapshot("m", "One \\ud83d")),
        ("messages/partial", &snapshot("m", "One \\ud83d\\udc69")),
        ("messages/partial", &snapshot("m", "One \\ud83d\\udc69")),
        ("messages/complete", &snapshot("m", "One \\ud83d\\udc69!")),
        ("messages/partial", &snapshot("n", "Two")),
        (
            "messages/partial",
            r#"[{"content":"ignored","type":"human","id":"h"}]"#,
        ),
        (
            "values",
            r#"{"messages":[{"content":"all of it","type":"ai"}]}"#,
        ),
        ("end", "null"),
    ]));
    assert_eq!((heard.answer(), heard.restarts), ("One \u{1f469}!Two", 0));
    assert_eq!(
        heard.seq(),
        "empty empty empty content content empty content content empty empty end"
    );
}

#[test]
fn a_snapshot_that_takes_back_is_a_restart() {
    let snapshot = |text: &str| {
        format!(
            "[{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"type\":\"ai\",\"id\":\"m\"}}]"
        )
    };
    let before = snapshot("Kept. ").replace("\"m\"", "\"l\"");
    let heard = hear(named(&[
        ("messages/partial", &before),
        ("messages/partial", &snapshot("Wrong")),
        ("messages/partial", &snapshot("Right now")),
    ]));
    assert_eq!((heard.answer(), heard.restarts), ("Kept. Right now", 1));
}

#[test]
fn message_tuples_are_pieces() {
    let piece = |text: &str, kind: &str| {
        format!(
            "[{{\"content\":\"{text}\",\"type\":\"{kind}\",\"id\":\"m\"}},{{\"langgraph_node\":\"a\"}}]"
        )
    };
    let heard = hear(named(&[
        ("messages", &piece("a", "AIMessageChunk")),
        ("messages", &piece("b", "AIMessageChunk")),
        ("messages", &piece("tool said", "tool")),
        ("messages", &piece("ab", "ai")),
    ]));
    assert_eq!(
        (heard.answer(), heard.seq()),
        ("ab", "content content empty empty".into())
    );
}
