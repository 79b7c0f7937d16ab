//! Claims about what goes out, in every dialect.

use serde_json::Value;

use super::*;
use crate::schedule::Schedule;

const ALL: [Dialect; 3] = [Dialect::OpenAi, Dialect::Anthropic, Dialect::Ollama];

fn events(dialect: Dialect, spec: &str) -> Vec<WireEvent> {
    let script: Script = spec.parse().unwrap_or_else(|e| panic!("{spec}: {e}"));
    let mut answer = Answer::of(&script);
    answer.id = "1".to_owned();
    answer.input_tokens = 9;
    let mut shape = dialect.shape(answer);
    let beats = Schedule::of(&script).beats;
    beats.iter().flat_map(|b| shape.say(&b.piece)).collect()
}

/// The JSON of an event.
fn json(event: &WireEvent) -> Value {
    let text = std::str::from_utf8(&event.bytes).unwrap();
    let line = text.lines().find_map(|l| l.strip_prefix("data: "));
    serde_json::from_str(line.unwrap_or(text)).unwrap_or_else(|e| panic!("{text:?}: {e}"))
}

fn kinds(events: &[WireEvent]) -> Vec<&'static str> {
    events.iter().map(|e| e.kind).collect()
}

fn find<'a>(events: &'a [WireEvent], kind: &str) -> &'a WireEvent {
    let found = events.iter().find(|e| e.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {:?}", kinds(events)))
}

#[test]
fn an_openai_answer_opens_with_a_role_and_ends_with_done() {
    let events = events(Dialect::OpenAi, "n=2,reasoning=1");
    let expected = [
        "role",
        "reasoning",
        "content",
        "content",
        "finish",
        "usage",
        "done",
    ];
    assert_eq!(kinds(&events), expected);
    assert_eq!(json(&events[0])["choices"][0]["delta"]["content"], "");
    assert_eq!(json(&events[2])["choices"][0]["delta"]["content"], "The");
    assert_eq!(events[6].bytes, b"data: [DONE]\n\n");
}

#[test]
fn an_anthropic_answer_opens_and_closes_each_block() {
    let events = events(Dialect::Anthropic, "n=1,reasoning=1,tool=1");
    let types: Vec<_> = events
        .iter()
        .map(|e| json(e)["type"].as_str().unwrap_or_default().to_owned())
        .collect();
    let block = [
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    ];
    let signed = [
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
    ];
    let mut expected = vec!["message_start"];
    expected.extend(signed);
    expected.push("content_block_stop");
    expected.extend(block);
    expected.extend(block);
    expected.extend(["message_delta", "message_stop"]);
    assert_eq!(types, expected);
    assert!(
        events[1]
            .bytes
            .starts_with(b"event: content_block_start\ndata: ")
    );
    assert_eq!(
        json(find(&events, "usage"))["delta"]["stop_reason"],
        "tool_use"
    );
}

#[test]
fn an_ollama_answer_is_one_object_a_line_and_ends_with_done() {
    let events = events(Dialect::Ollama, "n=2,reasoning=1");
    assert_eq!(kinds(&events), ["reasoning", "content", "content", "done"]);
    assert!(events.iter().all(|e| e.bytes.ends_with(b"}\n")));
    assert_eq!(json(&events[3])["done"], true);
    assert_eq!(json(&events[3])["eval_count"], 3);
}

#[test]
fn usage_counts_events_times_tokens() {
    let spec = "n=5,reasoning=3,tokens=2";
    let openai = json(find(&events(Dialect::OpenAi, spec), "usage"));
    assert_eq!(openai["usage"]["completion_tokens"], 16);
    assert_eq!(
        openai["usage"]["completion_tokens_details"]["reasoning_tokens"],
        6
    );
    assert_eq!(openai["usage"]["total_tokens"], 25);
    let anthropic = json(find(&events(Dialect::Anthropic, spec), "usage"));
    assert_eq!(anthropic["usage"]["output_tokens"], 16);
    let ollama = json(find(&events(Dialect::Ollama, spec), "done"));
    assert_eq!(ollama["eval_count"], 16);
}

#[test]
fn without_usage_no_event_mentions_it() {
    for dialect in ALL {
        for event in events(dialect, "n=2,no_usage") {
            let text = String::from_utf8(event.bytes).unwrap();
            assert!(
                !text.contains("usage") && !text.contains("eval_count"),
                "{text}"
            );
        }
    }
}

#[test]
fn without_the_role_the_first_event_has_text_or_opens_its_block() {
    assert_eq!(events(Dialect::OpenAi, "n=1,no_role")[0].kind, "content");
    assert_eq!(events(Dialect::Anthropic, "n=1,no_role")[0].kind, "block");
}

#[test]
fn crlf_ends_every_line_with_it() {
    for dialect in ALL {
        for event in events(dialect, "n=2,crlf,first=900,keepalive=300") {
            let text = String::from_utf8(event.bytes).unwrap();
            assert_eq!(
                text.matches('\n').count(),
                text.matches("\r\n").count(),
                "{text:?}"
            );
        }
    }
}

#[test]
fn tool_arguments_arrive_whole_in_every_dialect() {
    let spec = "n=1,tool=7";
    let openai: String = events(Dialect::OpenAi, spec)
        .iter()
        .filter(|e| e.kind == "tool")
        .map(|e| {
            let call = &json(e)["choices"][0]["delta"]["tool_calls"][0];
            call["function"]["arguments"].as_str().unwrap().to_owned()
        })
        .collect();
    let anthropic: String = events(Dialect::Anthropic, spec)
        .iter()
        .filter(|e| e.kind == "tool")
        .map(|e| {
            json(e)["delta"]["partial_json"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    assert_eq!(openai, anthropic);
    let ollama = events(Dialect::Ollama, spec);
    let ollama = &json(find(&ollama, "tool"))["message"]["tool_calls"][0]["function"]["arguments"];
    assert_eq!(serde_json::from_str::<Value>(&openai).unwrap(), *ollama);
}

#[test]
fn an_error_in_the_stream_has_the_providers_shape() {
    let spec = "n=2,error_at=1";
    let openai = json(find(&events(Dialect::OpenAi, spec), "error"));
    assert_eq!(openai["error"]["type"], "server_error");
    let anthropic = json(find(&events(Dialect::Anthropic, spec), "error"));
    assert_eq!(anthropic["error"]["type"], "overloaded_error");
    let ollama = json(find(&events(Dialect::Ollama, spec), "error"));
    assert!(ollama["error"].is_string());
}

#[test]
fn a_refusal_names_the_kind_of_its_status() {
    assert_eq!(
        Dialect::OpenAi.refusal(429, "x")["error"]["code"],
        "rate_limit_exceeded"
    );
    assert_eq!(
        Dialect::Anthropic.refusal(401, "x")["error"]["type"],
        "authentication_error"
    );
    assert_eq!(Dialect::Ollama.refusal(500, "x")["error"], "x");
}
