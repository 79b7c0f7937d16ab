//! Ollama's own chat API: one JSON object a line.

use serde_json::{Map, Value, json};

use super::{Answer, Shape, WireEvent};
use crate::schedule::Piece;

pub(super) struct Ollama {
    answer: Answer,
    text: String,
    thinking: String,
    arguments: String,
}

impl Ollama {
    pub(super) fn new(answer: Answer) -> Self {
        Self {
            answer,
            text: String::new(),
            thinking: String::new(),
            arguments: String::new(),
        }
    }

    fn record(&self, message: Value, done: bool) -> Value {
        json!({
            "model": self.answer.model,
            // A fixed instant keeps every run byte for byte the same.
            "created_at": "2026-01-01T00:00:00Z",
            "message": message,
            "done": done,
        })
    }

    fn line(&self, kind: &'static str, record: &Value) -> WireEvent {
        let bytes = format!("{record}{}", self.answer.line_end()).into_bytes();
        WireEvent { kind, bytes }
    }

    fn message(&self, kind: &'static str, message: Value) -> Vec<WireEvent> {
        vec![self.line(kind, &self.record(message, false))]
    }

    /// Ollama sends a tool call whole: the parts are gathered and the call goes out with the last.
    fn tool(&mut self, part: &str) -> Vec<WireEvent> {
        self.arguments.push_str(part);
        if !part.ends_with('}') {
            return Vec::new();
        }
        match serde_json::from_str::<Value>(&self.arguments) {
            Ok(arguments) => self.message("tool", tool_message("", &arguments)),
            Err(_) => Vec::new(),
        }
    }

    fn done(&self, message: Value) -> Value {
        let mut record = self.record(message, true);
        record["done_reason"] = json!("stop");
        if self.answer.usage {
            let (prefill, generation) = (self.answer.prefill_ns, self.answer.generation_ns);
            let totals = json!({
                "total_duration": prefill + generation,
                "load_duration": 0,
                "prompt_eval_count": self.answer.input_tokens,
                "prompt_eval_duration": prefill,
                "eval_count": self.answer.output_tokens,
                "eval_duration": generation,
            });
            let totals = totals.as_object().cloned().unwrap_or_else(Map::new);
            if let Some(record) = record.as_object_mut() {
                record.extend(totals);
            }
        }
        record
    }

    fn whole(&self) -> Value {
        let mut message = match serde_json::from_str::<Value>(&self.arguments) {
            Ok(arguments) => tool_message(&self.text, &arguments),
            Err(_) => json!({ "role": "assistant", "content": self.text }),
        };
        if !self.thinking.is_empty() {
            message["thinking"] = json!(self.thinking);
        }
        self.done(message)
    }
}

impl Shape for Ollama {
    fn content_type(&self) -> &'static str {
        "application/x-ndjson"
    }

    fn say(&mut self, piece: &Piece) -> Vec<WireEvent> {
        match piece {
            Piece::Reasoning(text) => {
                self.thinking.push_str(text);
                let message = json!({ "role": "assistant", "content": "", "thinking": text });
                self.message("reasoning", message)
            }
            Piece::Content(text) => {
                self.text.push_str(text);
                self.message("content", json!({ "role": "assistant", "content": text }))
            }
            Piece::Tool(part) => self.tool(part),
            Piece::Error => {
                vec![self.line("error", &refusal("the model runner stopped (scripted)"))]
            }
            Piece::Done => {
                let last = self.done(json!({ "role": "assistant", "content": "" }));
                vec![self.line("done", &last)]
            }
            Piece::Whole => vec![WireEvent {
                kind: "whole",
                bytes: self.whole().to_string().into_bytes(),
            }],
            // It has no opening event and no keep-alive; reason and usage are part of the last record.
            Piece::Role | Piece::KeepAlive | Piece::Finish | Piece::Usage => Vec::new(),
            Piece::Page | Piece::Refusal => Vec::new(),
        }
    }
}

fn tool_message(text: &str, arguments: &Value) -> Value {
    let call = json!({ "function": { "name": "look_up", "arguments": arguments } });
    json!({ "role": "assistant", "content": text, "tool_calls": [call] })
}

/// An error body or record.
pub(super) fn refusal(message: &str) -> Value {
    json!({ "error": message })
}
