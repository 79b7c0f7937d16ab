//! OpenAI's chat completions and all that calls itself compatible.

use crate::heard::{hear, hear_as, sse};

pub(crate) fn choice(inside: &str) -> String {
    format!(
        "{{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":0,{inside}}}]}}"
    )
}

pub(crate) fn delta(inside: &str) -> String {
    choice(&format!("\"delta\":{{{inside}}},\"finish_reason\":null"))
}

#[test]
fn roles_nulls_and_empty_texts_are_no_content() {
    let heard = hear(sse(&[
        &delta(r#""role":"assistant","content":"""#),
        &delta(r#""content":null,"tool_calls":null,"refusal":"""#),
        &choice(r#""delta":null,"finish_reason":null"#),
        &choice(r#""delta":{},"finish_reason":"","logprobs":null"#),
        &delta(r#""content":" ""#),
        &choice(r#""delta":{},"finish_reason":"stop""#),
        "[DONE]",
    ]));
    assert_eq!(heard.seq(), "empty empty empty empty content empty end");
    assert_eq!((heard.answer(), heard.finish()), (" ", "stop"));
}

#[test]
fn azures_filter_reports_are_empty() {
    let heard = hear(sse(&[
        r#"{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}"#,
        &delta(r#""content":"x""#),
        r#"{"choices":[{"content_filter_offsets":{"check_offset":1},"content_filter_results":{"hate":{"filtered":false}},"finish_reason":null,"index":0}],"object":""}"#,
        &choice(r#""delta":{},"finish_reason":"content_filter""#),
    ]));
    assert_eq!(
        (heard.seq(), heard.finish()),
        ("empty content empty empty".into(), "content_filter")
    );
}

#[test]
fn usage_may_be_in_the_tail_in_the_choice_or_groqs_own() {
    let usage = r#""usage":{"prompt_tokens":8,"completion_tokens":3,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":1}}"#;
    for event in [
        format!("{{\"choices\":[],{usage}}}"),
        format!("{{\"object\":\"chat.completion.chunk\",\"choices\":null,{usage}}}"),
        format!("{{\"object\":\"chat.completion.chunk\",{usage}}}"),
        choice(&format!(
            "\"delta\":{{}},\"finish_reason\":\"stop\",{usage}"
        )),
        format!("{{\"choices\":[{{\"delta\":{{}}}}],\"x_groq\":{{\"id\":\"r\",{usage}}}}}"),
    ] {
        let heard = hear(sse(&[&event]));
        assert_eq!(heard.usage(), (Some(8), Some(3), Some(1)), "{event}");
        assert_eq!(
            (heard.usages[0].cached, heard.usages[0].total),
            (Some(2), Some(11))
        );
        assert_eq!(heard.seq(), "usage");
    }
    assert_eq!(
        hear(sse(&[
            r#"{"choices":[],"usage":null}"#,
            r#"{"choices":[],"usage":{}}"#
        ]))
        .usages,
        []
    );
}

#[test]
fn counts_that_cannot_be_are_missing() {
    let heard = hear(sse(&[
        r#"{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":99999999999999999999,"total_tokens":null,"reasoning_tokens":"3"}}"#,
    ]));
    assert_eq!((heard.seq(), heard.usages.len()), ("empty".into(), 0));
}

#[test]
fn reasoning_under_several_names_is_counted_once() {
    for inside in [
        r#""reasoning":"why""#,
        r#""reasoning_content":"why""#,
        r#""content":"","reasoning":"why","reasoning_details":[{"type":"reasoning.text","text":"why"}]"#,
        r#""reasoning_details":[{"type":"reasoning.text","text":"why"}],"reasoning":"why""#,
        r#""reasoning_content":"why","reasoning":"why""#,
        r#""reasoning":null,"reasoning_content":"why""#,
        r#""reasoning_details":[{"type":"reasoning.text","text":"why"},{"type":"reasoning.encrypted","data":"xx"}]"#,
        r#""reasoning_details":[{"type":"reasoning.summary","summary":"why"}]"#,
        r#""content":[{"type":"thinking","thinking":[{"type":"text","text":"why"}]}]"#,
        r#""content":[{"type":"thinking","thinking":"why"}]"#,
    ] {
        let heard = hear(sse(&[&delta(inside)]));
        assert_eq!(
            (heard.reasoning.as_str(), heard.seq().as_str()),
            ("why", "reasoning"),
            "{inside}"
        );
    }
}

#[test]
fn content_may_be_a_list_of_parts() {
    let parts = r#""content":["a",{"type":"text","text":"b"},{"type":"reference","reference_ids":[1]},{"type":"thinking","thinking":[{"type":"text","text":"t"}]}]"#;
    let heard = hear(sse(&[&delta(parts)]));
    assert_eq!((heard.answer(), heard.reasoning.as_str()), ("ab", "t"));
    assert_eq!(heard.seq(), "content+reasoning");
}

#[test]
fn refusals_are_content_of_their_own() {
    let heard = hear(sse(&[&delta(r#""refusal":"I can't""#)]));
    assert_eq!(
        (heard.seq(), heard.answer(), heard.refusal.as_str()),
        ("content".into(), "", "I can't")
    );
}

#[test]
fn tool_calls_are_told_apart_by_index_or_place() {
    let heard = hear(sse(&[
        &delta(r#""tool_calls":[{"index":1,"id":"t","function":{"name":"g","arguments":null}}]"#),
        &delta(
            r#""tool_calls":[{"index":1,"function":{"arguments":"{\"a\":"}},{"index":0,"function":{"name":"f"}}]"#,
        ),
        &delta(r#""tool_calls":[{"index":1,"function":{"name":"","arguments":"1}"}}]"#),
        &delta(r#""tool_calls":[{"index":1,"id":"t"}]"#),
    ]));
    assert_eq!(
        (heard.tool(0), heard.tool(1)),
        (("f", ""), ("g", "{\"a\":1}"))
    );
    assert_eq!(heard.seq(), "tool tool tool empty");
    let whole = r#""tool_calls":[{"id":"a","function":{"name":"f","arguments":{ "x" : [1, "y z"] }}},{"id":"b","function":{"name":"g","arguments":""}}]"#;
    let heard = hear(sse(&[&delta(whole)]));
    assert_eq!(
        (heard.tool(0), heard.tool(1)),
        (("f", "{\"x\":[1,\"y z\"]}"), ("g", ""))
    );
    let old = hear(sse(&[&delta(
        r#""function_call":{"name":"f","arguments":"{}"}"#,
    )]));
    assert_eq!(old.tool(0), ("f", "{}"));
    let custom = hear(sse(&[&delta(
        r#""tool_calls":[{"index":0,"type":"custom","custom":{"name":"f","input":"x"}}]"#,
    )]));
    assert_eq!(custom.tool(0), ("f", "x"));
}

#[test]
fn parallel_answers_are_kept_apart() {
    let other = |text: &str| {
        delta(&format!("\"content\":\"{text}\"")).replace("\"index\":0", "\"index\":1")
    };
    let both = r#"{"choices":[{"index":1,"delta":{"content":"d"}},{"index":0,"delta":{"content":"e"},"finish_reason":"stop"}]}"#;
    let heard = hear(sse(&[
        &delta(r#""content":"a""#),
        &other("b"),
        &other("c"),
        both,
    ]));
    assert_eq!((heard.answer(), heard.answers[&1].as_str()), ("ae", "bcd"));
    assert_eq!(heard.finishes.len(), 1);
}

#[test]
fn old_completions_have_text() {
    let heard = hear(sse(&[
        r#"{"object":"text_completion","choices":[{"text":"One","index":0,"finish_reason":null}]}"#,
        r#"{"object":"text_completion","choices":[{"text":"","index":0,"finish_reason":"length"}]}"#,
    ]));
    assert_eq!(
        (heard.answer(), heard.seq(), heard.finish()),
        ("One", "content empty".into(), "length")
    );
}

#[test]
fn a_message_that_repeats_the_deltas_is_counted_once() {
    let event = |text: &str, all: &str| {
        choice(&format!(
            "\"delta\":{{\"content\":\"{text}\"}},\"message\":{{\"content\":\"{all}\"}}"
        ))
    };
    let last = r#"{"object":"chat.completion.done","choices":[{"index":0,"message":{"content":"a b"},"finish_reason":"stop"}]}"#;
    let heard = hear(sse(&[&event("a", "a"), &event(" b", "a b"), last]));
    assert_eq!(
        (heard.answer(), heard.seq(), heard.problems.len()),
        ("a b", "content content empty".into(), 0)
    );
}

#[test]
fn progress_padding_and_reports_of_other_kinds_are_empty() {
    let heard = hear(sse(&[
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null}}],"prompt_progress":{"total":10,"processed":3}}"#,
        r#"{"choices":[],"object":"chat.completion.chunk","moderation":{"input":{"results":[]}}}"#,
        r#"{"choices":[{"index":0,"delta":{}}],"obfuscation":"aBc","p":"xyz"}"#,
    ]));
    assert_eq!(heard.seq(), "empty empty empty");
}

#[test]
fn timings_of_the_servers_own_come_in_milliseconds() {
    let heard = hear(sse(&[
        r#"{"choices":[],"timings":{"prompt_n":8,"prompt_ms":43.237,"predicted_ms":238.5}}"#,
        r#"{"choices":[],"metrics":{"time_to_first_token_ms":85.5,"queue_time_ms":12.25,"tokens_per_second":103.2}}"#,
        r#"{"choices":[],"x_groq":{"usage":{"queue_time":0.25,"prompt_tokens":1,"total_time":0.5}}}"#,
    ]));
    assert_eq!(
        heard.timings,
        [
            ("prompt_ms", 43.237),
            ("predicted_ms", 238.5),
            ("time_to_first_token_ms", 85.5),
            ("queue_time_ms", 12.25),
            ("queue_time", 250.0),
            ("total_time", 500.0)
        ]
    );
}

#[test]
fn shapes_that_nobody_knows_are_unknown() {
    let heard = hear_as(
        "openai",
        sse(&[
            r#"{"value":"Sure"}"#,
            r#"{"type":"transcript.text.delta","delta":"Ruby"}"#,
            r#"{"type":"transcript.text.done","text":"Ruby","usage":{"input_tokens":3}}"#,
            r#"{"text":"x"}"#,
            r#"{"delta":"x"}"#,
            r#"{"content":"x"}"#,
            "[]",
            "{}",
            "null",
            "\"x\"",
            "3",
        ]),
    );
    assert_eq!((heard.answer(), heard.usages.len()), ("", 0));
    assert!(
        heard.seq.iter().all(|kind| kind == "unknown"),
        "{}",
        heard.seq()
    );
}
