//! What those do who have no reader of ours: `serde_json` into types of one provider's events, or into a
//! `Value` where the provider is not known beforehand; then they take the text.

use serde::Deserialize;
use serde_json::Value;
use std::hint::black_box;

use crate::seen::Seen;

/// One way to take the answer text out of an event's data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decode {
    pub(crate) name: &'static str,
    pub(crate) take: fn(&str, &mut Seen),
}

/// For OpenAI's chat.
pub(crate) const OPENAI: [Decode; 2] = [
    Decode {
        name: "typed",
        take: |data, seen| {
            if data == "[DONE]" {
                return;
            }
            if let Ok(chunk) = black_box(serde_json::from_str::<Chunk>(data)) {
                for choice in chunk.choices {
                    choice.delta.content.iter().for_each(|text| seen.say(text));
                }
            }
        },
    },
    Decode {
        name: "Value",
        take: |data, seen| {
            if data == "[DONE]" {
                return;
            }
            if let Ok(value) = serde_json::from_str::<Value>(data) {
                say(&value["choices"][0]["delta"]["content"], seen);
            }
        },
    },
];

/// For Anthropic's messages.
pub(crate) const ANTHROPIC: [Decode; 2] = [
    Decode {
        name: "typed",
        take: |data, seen| {
            if let Ok(event) = black_box(serde_json::from_str::<Event>(data))
                && event.kind == "content_block_delta"
            {
                let text = event.delta.and_then(|delta| delta.text);
                text.iter().for_each(|text| seen.say(text));
            }
        },
    },
    Decode {
        name: "Value",
        take: |data, seen| {
            if let Ok(value) = serde_json::from_str::<Value>(data)
                && value["type"] == "content_block_delta"
            {
                say(&value["delta"]["text"], seen);
            }
        },
    },
];

/// For whatever comes.
pub(crate) const ANY: [Decode; 1] = [Decode {
    name: "Value",
    take: |data, seen| {
        if data == "[DONE]" {
            return;
        }
        if let Ok(value) = serde_json::from_str::<Value>(data) {
            any(&value, seen);
        }
    },
}];

fn any(event: &Value, seen: &mut Seen) {
    match event["type"].as_str() {
        Some("content_block_delta") => return say(&event["delta"]["text"], seen),
        Some("content-delta") => {
            return say(&event["delta"]["message"]["content"]["text"], seen);
        }
        Some("response.output_text.delta") => return say(&event["delta"], seen),
        Some(_) => return,
        None => {}
    }
    for choice in each(&event["choices"]) {
        let content = &choice["delta"]["content"];
        say(content, seen);
        say(&choice["text"], seen);
        each(content).for_each(|part| say(&part["text"], seen));
    }
    for candidate in each(&event["candidates"]) {
        for part in each(&candidate["content"]["parts"]) {
            if part["thought"] != true {
                say(&part["text"], seen);
            }
        }
    }
    each(&event["results"]).for_each(|result| say(&result["generated_text"], seen));
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn say(text: &Value, seen: &mut Seen) {
    if let Some(text) = text.as_str() {
        seen.say(text);
    }
}

/// OpenAI's chunk, as far as somebody needs it who shows an answer and counts its tokens.
#[derive(Debug, Deserialize)]
struct Chunk {
    choices: Vec<Choice>,
    #[expect(dead_code, reason = "read because its users need it")]
    usage: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "read because its users need it")]
struct Choice {
    index: u32,
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "read because its users need it")]
struct Delta {
    content: Option<String>,
    refusal: Option<String>,
    tool_calls: Option<Value>,
}

/// Anthropic's event, likewise.
#[derive(Debug, Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[expect(dead_code, reason = "read because its users need it")]
    index: Option<u32>,
    delta: Option<BlockDelta>,
    #[expect(dead_code, reason = "read because its users need it")]
    usage: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "read because its users need it")]
struct BlockDelta {
    text: Option<String>,
    thinking: Option<String>,
    partial_json: Option<String>,
    stop_reason: Option<String>,
}
