//! Anthropic messages.

use serde_json::{Value, json};

use super::{Answer, Shape, WireEvent, sse};
use crate::schedule::Piece;

pub(super) struct Anthropic {
    answer: Answer,
    open: Option<Block>,
    /// Blocks started so far.
    blocks: u32,
    /// What the blocks of a whole answer hold.
    whole: Vec<(Block, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Thinking,
    Text,
    Tool,
}

impl Anthropic {
    pub(super) fn new(answer: Answer) -> Self {
        Self {
            answer,
            open: None,
            blocks: 0,
            whole: Vec::new(),
        }
    }

    fn event(&self, kind: &'static str, data: &Value) -> WireEvent {
        let name = data["type"].as_str();
        sse(kind, name, &data.to_string(), self.answer.line_end())
    }

    /// One delta, with the start of its block where it is the first.
    fn delta(&mut self, kind: &'static str, block: Block, text: &str) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if self.open != Some(block) {
            events.extend(self.close());
            events.push(self.start(block));
            self.whole.push((block, String::new()));
        }
        if let Some((_, whole)) = self.whole.last_mut() {
            whole.push_str(text);
        }
        let delta = match block {
            Block::Thinking => json!({ "type": "thinking_delta", "thinking": text }),
            Block::Text => json!({ "type": "text_delta", "text": text }),
            Block::Tool => json!({ "type": "input_json_delta", "partial_json": text }),
        };
        let index = self.blocks - 1;
        let data = json!({ "type": "content_block_delta", "index": index, "delta": delta });
        events.push(self.event(kind, &data));
        events
    }

    fn start(&mut self, block: Block) -> WireEvent {
        let content = self.content(block, "", &json!({}));
        let data = json!({ "type": "content_block_start", "index": self.blocks, "content_block": content });
        self.open = Some(block);
        self.blocks += 1;
        self.event("block", &data)
    }

    fn content(&self, block: Block, text: &str, input: &Value) -> Value {
        match block {
            Block::Thinking => json!({ "type": "thinking", "thinking": text, "signature": "" }),
            Block::Text => json!({ "type": "text", "text": text }),
            Block::Tool => json!({
                "type": "tool_use", "id": format!("toolu_{}", self.answer.id),
                "name": "look_up", "input": input,
            }),
        }
    }

    /// Ends the open block; a thinking block is signed first.
    fn close(&mut self) -> Vec<WireEvent> {
        let Some(block) = self.open.take() else {
            return Vec::new();
        };
        let index = self.blocks - 1;
        let mut events = Vec::new();
        if block == Block::Thinking {
            let delta = json!({ "type": "signature_delta", "signature": "c2NyaXB0ZWQ=" });
            let data = json!({ "type": "content_block_delta", "index": index, "delta": delta });
            events.push(self.event("block", &data));
        }
        let data = json!({ "type": "content_block_stop", "index": index });
        events.push(self.event("block", &data));
        events
    }

    fn stop_reason(&self) -> &'static str {
        if self.answer.calls_tool {
            "tool_use"
        } else {
            "end_turn"
        }
    }

    fn message(&self) -> Value {
        json!({
            "id": format!("msg_{}", self.answer.id), "type": "message", "role": "assistant",
            "model": self.answer.model, "content": [], "stop_reason": null, "stop_sequence": null,
        })
    }

    fn message_start(&self) -> WireEvent {
        let mut message = self.message();
        if self.answer.usage {
            // The output count of the first event is provisional, as the provider's is.
            let input = self.answer.input_tokens;
            message["usage"] = json!({ "input_tokens": input, "output_tokens": 1 });
        }
        self.event(
            "role",
            &json!({ "type": "message_start", "message": message }),
        )
    }

    fn message_delta(&self, with_usage: bool) -> WireEvent {
        let delta = json!({ "stop_reason": self.stop_reason(), "stop_sequence": null });
        let mut data = json!({ "type": "message_delta", "delta": delta });
        if with_usage {
            data["usage"] = json!({ "output_tokens": self.answer.output_tokens });
        }
        self.event(if with_usage { "usage" } else { "finish" }, &data)
    }

    fn whole(&self) -> Value {
        let mut message = self.message();
        let content = self.whole.iter().map(|(block, text)| {
            let input = serde_json::from_str(text).unwrap_or_default();
            self.content(*block, text, &input)
        });
        message["content"] = content.collect();
        message["stop_reason"] = json!(self.stop_reason());
        if self.answer.usage {
            let (input, output) = (self.answer.input_tokens, self.answer.output_tokens);
            message["usage"] = json!({ "input_tokens": input, "output_tokens": output });
        }
        message
    }
}

impl Shape for Anthropic {
    fn content_type(&self) -> &'static str {
        "text/event-stream; charset=utf-8"
    }

    fn say(&mut self, piece: &Piece) -> Vec<WireEvent> {
        match piece {
            Piece::Role => vec![self.message_start()],
            Piece::Reasoning(text) => self.delta("reasoning", Block::Thinking, text),
            Piece::Content(text) => self.delta("content", Block::Text, text),
            Piece::Tool(arguments) => self.delta("tool", Block::Tool, arguments),
            Piece::KeepAlive => vec![self.event("keepalive", &json!({ "type": "ping" }))],
            Piece::Error => vec![self.event("error", &refusal(529, "Overloaded (scripted)."))],
            Piece::Finish => {
                let mut events = self.close();
                if !self.answer.usage {
                    events.push(self.message_delta(false));
                }
                events
            }
            Piece::Usage => vec![self.message_delta(true)],
            Piece::Done => vec![self.event("done", &json!({ "type": "message_stop" }))],
            Piece::Whole => vec![WireEvent {
                kind: "whole",
                bytes: self.whole().to_string().into_bytes(),
            }],
            Piece::Page | Piece::Refusal => Vec::new(),
        }
    }
}

/// An error body; `type` as the provider gives it with this status.
pub(super) fn refusal(status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 | 529 => "overloaded_error",
        500..=599 => "api_error",
        _ => "invalid_request_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": message } })
}
