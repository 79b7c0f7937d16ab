//! OpenAI chat completions.

use serde_json::{Value, json};

use super::{Answer, Shape, WireEvent, sse};
use crate::schedule::Piece;

pub(super) struct OpenAi {
    answer: Answer,
    tool_started: bool,
    text: String,
    reasoning: String,
    arguments: String,
}

impl OpenAi {
    pub(super) fn new(answer: Answer) -> Self {
        Self {
            answer,
            tool_started: false,
            text: String::new(),
            reasoning: String::new(),
            arguments: String::new(),
        }
    }

    fn chunk(&self, kind: &'static str, choices: &Value, usage: Option<Value>) -> WireEvent {
        let mut chunk = json!({
            "id": format!("chatcmpl-{}", self.answer.id),
            "object": "chat.completion.chunk",
            "created": self.answer.created_unix_s,
            "model": self.answer.model,
            "choices": choices,
        });
        if let Some(usage) = usage {
            chunk["usage"] = usage;
        }
        sse(kind, None, &chunk.to_string(), self.answer.line_end())
    }

    fn delta(&self, kind: &'static str, delta: &Value, finish: Option<&str>) -> WireEvent {
        let choice = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        self.chunk(kind, &choice, None)
    }

    fn tool_delta(&mut self, arguments: &str) -> Value {
        let started = std::mem::replace(&mut self.tool_started, true);
        let call = if started {
            json!({ "index": 0, "function": { "arguments": arguments } })
        } else {
            json!({
                "index": 0, "id": format!("call_{}", self.answer.id), "type": "function",
                "function": { "name": "look_up", "arguments": arguments },
            })
        };
        json!({ "tool_calls": [call] })
    }

    fn finish_reason(&self) -> &'static str {
        if self.answer.calls_tool {
            "tool_calls"
        } else {
            "stop"
        }
    }

    fn usage(&self) -> Value {
        let Answer {
            input_tokens: input,
            output_tokens: output,
            reasoning_tokens: reasoning,
            ..
        } = self.answer;
        json!({
            "prompt_tokens": input,
            "completion_tokens": output,
            "total_tokens": input + output,
            "completion_tokens_details": { "reasoning_tokens": reasoning },
        })
    }

    fn whole(&self) -> Value {
        let mut message = json!({ "role": "assistant", "content": self.text });
        if !self.reasoning.is_empty() {
            message["reasoning_content"] = json!(self.reasoning);
        }
        if self.answer.calls_tool {
            message["tool_calls"] = json!([{
                "id": format!("call_{}", self.answer.id), "type": "function",
                "function": { "name": "look_up", "arguments": self.arguments },
            }]);
        }
        let mut whole = json!({
            "id": format!("chatcmpl-{}", self.answer.id),
            "object": "chat.completion",
            "created": self.answer.created_unix_s,
            "model": self.answer.model,
            "choices": [{ "index": 0, "message": message, "finish_reason": self.finish_reason() }],
        });
        if self.answer.usage {
            whole["usage"] = self.usage();
        }
        whole
    }
}

impl Shape for OpenAi {
    fn content_type(&self) -> &'static str {
        "text/event-stream; charset=utf-8"
    }

    fn say(&mut self, piece: &Piece) -> Vec<WireEvent> {
        let end = self.answer.line_end();
        vec![match piece {
            Piece::Role => {
                let delta = json!({ "role": "assistant", "content": "" });
                self.delta("role", &delta, None)
            }
            Piece::Reasoning(text) => {
                self.reasoning.push_str(text);
                self.delta("reasoning", &json!({ "reasoning_content": text }), None)
            }
            Piece::Content(text) => {
                self.text.push_str(text);
                self.delta("content", &json!({ "content": text }), None)
            }
            Piece::Tool(arguments) => {
                self.arguments.push_str(arguments);
                let delta = self.tool_delta(arguments);
                self.delta("tool", &delta, None)
            }
            Piece::KeepAlive => WireEvent {
                kind: "keepalive",
                bytes: format!(": keep-alive{end}{end}").into_bytes(),
            },
            Piece::Error => sse("error", None, &refusal(500, ERROR).to_string(), end),
            Piece::Finish => self.delta("finish", &json!({}), Some(self.finish_reason())),
            Piece::Usage => self.chunk("usage", &json!([]), Some(self.usage())),
            Piece::Done => sse("done", None, "[DONE]", end),
            Piece::Whole => WireEvent {
                kind: "whole",
                bytes: self.whole().to_string().into_bytes(),
            },
            Piece::Page | Piece::Refusal => return Vec::new(),
        }]
    }
}

const ERROR: &str = "The server had an error while generating the answer (scripted).";

/// An error body; `type` and `code` as the provider gives them with this status.
pub(super) fn refusal(status: u16, message: &str) -> Value {
    let (kind, code) = match status {
        401 | 403 => ("invalid_request_error", Some("invalid_api_key")),
        404 => ("invalid_request_error", Some("model_not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        503 | 529 => ("server_error", Some("overloaded")),
        500..=599 => ("server_error", None),
        _ => ("invalid_request_error", None),
    };
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}
