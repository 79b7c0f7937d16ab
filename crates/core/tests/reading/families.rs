//! The families with few quirks: Cohere, Replicate, TGI, watsonx, Baidu, Workers AI, llama.cpp, Writer.

use crate::heard::{hear, hear_as, named, sse};

#[test]
fn cohere_is_read_with_plans_thoughts_and_tools() {
    let delta = |kind: &str, inside: &str| {
        format!("{{\"type\":\"{kind}\",\"index\":0,\"delta\":{{\"message\":{inside}}}}}")
    };
    let heard = hear(sse(&[
        &delta("message-start", r#"{"role":"assistant","content":[]}"#),
        &delta("tool-plan-delta", r#"{"tool_plan":"plan "}"#),
        &delta(
            "content-start",
            r#"{"content":{"type":"thinking","thinking":""}}"#,
        ),
        &delta("content-delta", r#"{"content":{"thinking":"hm"}}"#),
        &delta("content-delta", r#"{"content":{"text":"Hi"}}"#),
        &delta("citation-start", r#"{"citations":{"text":"Hi"}}"#),
        r#"{"type":"citation-end","index":0}"#,
        &delta(
            "tool-call-start",
            r#"{"tool_calls":{"id":"t","function":{"name":"f","arguments":""}}}"#,
        ),
        &delta(
            "tool-call-delta",
            r#"{"tool_calls":{"function":{"arguments":"{}"}}}"#,
        ),
        r#"{"type":"content-end","index":0}"#,
        r#"{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":7,"output_tokens":3},"tokens":{"input_tokens":69,"output_tokens":4}}}}"#,
        "[DONE]",
    ]));
    assert_eq!(
        heard.seq(),
        "empty reasoning empty reasoning content empty empty tool tool empty usage+end end"
    );
    assert_eq!(
        (heard.answer(), heard.reasoning.as_str(), heard.tool(0)),
        ("Hi", "plan hm", ("f", "{}"))
    );
    assert_eq!(
        (heard.usage(), heard.finish()),
        ((Some(69), Some(4), None), "COMPLETE")
    );
    for failed in [
        r#"{"finish_reason":"ERROR"}"#,
        r#"{"finish_reason":"ERROR","error":"x"}"#,
        r#"{"error":"x"}"#,
    ] {
        let heard = hear(sse(&[&format!(
            "{{\"type\":\"message-end\",\"delta\":{failed}}}"
        )]));
        assert_eq!(
            (heard.seq().as_str(), heard.errors.len()),
            ("end+error", 1),
            "{failed}"
        );
    }
}

#[test]
fn replicates_plain_text_keeps_every_blank() {
    let heard = hear(
        ": hi\n\nevent: output\nid: 1:0\ndata: Blue\n\nevent: output\ndata:  sky\n\nevent: output\ndata: \n\nevent: output\ndata:\ndata:\n\nevent: logs\ndata: x\n\nevent: done\ndata: {}\n\n:408: 408 Request Timeout\n\n",
    );
    assert_eq!(
        heard.seq(),
        "keepalive content content empty content empty end keepalive"
    );
    assert_eq!(
        (heard.answer(), heard.ends.concat(), heard.dialect),
        ("Blue sky\n", "done".into(), Some("plain"))
    );
    // Text that looks like JSON, or like a marker, is text.
    let heard = hear(named(&[
        ("output", "{\"choices\":[]}"),
        ("output", "[DONE]"),
        ("output", "3"),
    ]));
    assert_eq!(
        (heard.answer(), heard.seq()),
        ("{\"choices\":[]}[DONE]3", "content content content".into())
    );
}

#[test]
fn replicates_errors_are_told() {
    let heard = hear(named(&[
        ("output", "x"),
        ("error", "out of memory"),
        ("done", r#"{"reason":"error"}"#),
    ]));
    assert_eq!(
        (heard.seq(), heard.errors.len(), heard.finish()),
        ("content error end".into(), 1, "error")
    );
    let heard = hear(named(&[("output", "x"), ("done", r#"{"reason":"error"}"#)]));
    assert_eq!(
        (heard.seq(), heard.errors.len()),
        ("content end+error".into(), 1)
    );
}

#[test]
fn tgis_last_frame_repeats_the_text_and_special_tokens_are_none() {
    let heard = hear(
        "data:{\"index\":1,\"token\":{\"id\":1,\"text\":\" Deep\",\"special\":false},\"generated_text\":null,\"details\":null}\n\ndata:{\"index\":2,\"token\":{\"id\":2,\"text\":\"</s>\",\"special\":true},\"generated_text\":\" Deep\",\"details\":{\"finish_reason\":\"eos_token\",\"generated_tokens\":2}}\n\n",
    );
    assert_eq!(
        (heard.answer(), heard.seq(), heard.finish()),
        (" Deep", "content empty".into(), "eos_token")
    );
    assert_eq!(heard.usage(), (None, Some(2), None));
    let bare = hear(sse(&[
        r#"{"token":{"text":"a","special":false},"generated_text":"a","details":null}"#,
    ]));
    assert_eq!((bare.answer(), bare.finish()), ("a", "generated_text"));
    let failed = hear(sse(&[
        r#"{"error":"Request failed","error_type":"generation"}"#,
    ]));
    assert_eq!(failed.error(), ("generation", "", None));
}

#[test]
fn watsonx_counts_its_prompt_once() {
    let result = |text: &str, out: u32, input: u32, stop: &str| {
        format!(
            "{{\"results\":[{{\"generated_text\":\"{text}\",\"generated_token_count\":{out},\"input_token_count\":{input},\"stop_reason\":\"{stop}\"}}]}}"
        )
    };
    let heard = hear(sse(&[
        &result("", 0, 8, "not_finished"),
        &result("a", 1, 0, "not_finished"),
        &result("", 2, 0, "eos_token"),
    ]));
    assert_eq!(
        (heard.answer(), heard.seq(), heard.finish()),
        ("a", "usage content+usage usage".into(), "eos_token")
    );
    assert_eq!(
        (
            heard.usages[0].input,
            heard.usages[2].input,
            heard.usages[2].output
        ),
        (Some(8), None, Some(2))
    );
}

#[test]
fn baidus_own_shape_and_numbers_are_read() {
    let event = |text: &str, end: bool| {
        format!(
            "{{\"id\":\"as\",\"object\":\"chat.completion\",\"sentence_id\":0,\"is_end\":{end},\"is_truncated\":false,\"result\":\"{text}\",\"need_clear_history\":false,\"finish_reason\":\"normal\",\"usage\":{{\"prompt_tokens\":2,\"completion_tokens\":3,\"total_tokens\":5}}}}"
        )
    };
    let heard = hear(sse(&[&event("Hi", false), &event("", true)]));
    assert_eq!(
        (heard.answer(), heard.seq(), heard.finish()),
        ("Hi", "content+usage usage+end".into(), "normal")
    );
    assert_eq!(
        (heard.ends.concat(), heard.dialect),
        ("is_end:true".into(), Some("baidu"))
    );
    for (code, word) in [
        (18, "rate_limit_error"),
        (17, "insufficient_quota"),
        (336_100, "overloaded_error"),
        (110, "authentication_error"),
        (336_003, "invalid_request_error"),
        (336_000, "server_error"),
    ] {
        let heard = hear(sse(&[&format!(
            "{{\"error_code\":{code},\"error_msg\":\"x\"}}"
        )]));
        assert_eq!(
            (heard.seq().as_str(), heard.error()),
            ("error", (word, "", None)),
            "{code}"
        );
    }
    let call = hear(sse(&[
        r#"{"is_end":true,"result":"","function_call":{"name":"f","thoughts":"t","arguments":"{}"}}"#,
    ]));
    assert_eq!(call.tool(0), ("f", "{}"));
}

#[test]
fn workers_ai_may_mix_its_shape_with_openais() {
    let heard = hear(sse(&[
        r#"{"response":"Hi","p":"abcdefgh"}"#,
        r#"{"response":"","p":"x"}"#,
        r#"{"response":null,"choices":[{"index":0,"delta":{"content":" there"}}]}"#,
        r#"{"response":" you","choices":[{"index":0,"delta":{"content":" you"}}]}"#,
        r#"{"response":" two","choices":[]}"#,
        r#"{"response":"","tool_calls":[{"name":"f","arguments":{"a":1}}]}"#,
        r#"{"response":"","usage":{"prompt_tokens":57,"completion_tokens":28,"total_tokens":85}}"#,
        "[DONE]",
    ]));
    assert_eq!(heard.answer(), "Hi there you two");
    assert_eq!(
        heard.seq(),
        "content empty content content content tool usage end"
    );
    assert_eq!(
        (heard.tool(0), heard.usage()),
        (("f", "{\"a\":1}"), (Some(57), Some(28), None))
    );
}

#[test]
fn llama_cpps_own_completion_is_read() {
    let heard = hear(sse(&[
        r#"{"index":0,"content":"","tokens":[],"stop":false,"prompt_progress":{"total":3,"processed":1}}"#,
        r#"{"index":0,"content":"Hi","tokens":[1],"stop":false}"#,
        r#"{"index":0,"content":"","stop":true,"stop_type":"eos","tokens_predicted":4,"tokens_evaluated":9,"timings":{"prompt_ms":1.5,"predicted_ms":2.5}}"#,
    ]));
    assert_eq!(
        (heard.answer(), heard.seq(), heard.finish()),
        ("Hi", "empty content usage+end".into(), "eos")
    );
    assert_eq!(
        (heard.usage(), heard.ends.concat()),
        ((Some(9), Some(4), None), "stop:true".into())
    );
    assert_eq!(heard.timings, [("prompt_ms", 1.5), ("predicted_ms", 2.5)]);
}

#[test]
fn writers_completions_are_read_where_they_are_named() {
    let body = sse(&[r#"{"value":"Sure"}"#, r#"{"value":" thing"}"#]);
    assert_eq!(
        (hear_as("writer", &body).answer(), hear(&body).seq()),
        ("Sure thing", "unknown unknown".into())
    );
}

#[test]
fn a_named_dialect_is_a_hint() {
    let openai = sse(&[r#"{"choices":[{"delta":{"content":"x"}}]}"#]);
    for name in [
        "openai",
        "anthropic",
        "ollama",
        "writer",
        "nobody",
        "generic",
    ] {
        let heard = hear_as(name, &openai);
        assert_eq!(
            (heard.answer(), heard.dialect),
            ("x", Some("openai")),
            "{name}"
        );
    }
    // Shapes may mix; the first proven one names the stream.
    let mixed = sse(&[
        r#"{"choices":[{"delta":{"content":"x"}}]}"#,
        r#"{"type":"ping"}"#,
    ]);
    let heard = hear(mixed);
    assert_eq!(
        (heard.seq(), heard.dialect),
        ("content keepalive".into(), Some("openai"))
    );
}
