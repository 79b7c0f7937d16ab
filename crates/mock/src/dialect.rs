//! How each provider family says a piece on the wire. Never sees time.

mod anthropic;
mod ollama;
mod openai;

use serde_json::Value;

use crate::schedule::Piece;
use crate::script::Script;

/// A provider family's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    OpenAi,
    Anthropic,
    Ollama,
}

/// One event as it goes out, with its kind for the truth log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WireEvent {
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// What the events of one answer have in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) created_unix_s: u64,
    pub(crate) input_tokens: u64,
    pub(crate) reasoning_tokens: u64,
    pub(crate) output_tokens: u64,
    pub(crate) calls_tool: bool,
    pub(crate) crlf: bool,
    pub(crate) usage: bool,
    /// First event and whole generation, as a server would report them about itself.
    pub(crate) prefill_ns: u64,
    pub(crate) generation_ns: u64,
}

impl Answer {
    /// Counts and switches from the script; the rest is the caller's.
    pub(crate) fn of(script: &Script) -> Self {
        let tokens = u64::from(script.tokens);
        Self {
            reasoning_tokens: u64::from(script.reasoning) * tokens,
            output_tokens: u64::from(script.generated()) * tokens,
            calls_tool: script.tool > 0,
            crlf: script.crlf,
            usage: !script.no_usage,
            ..Self::default()
        }
    }

    fn line_end(&self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }
}

/// Says pieces in one dialect, in order.
pub(crate) trait Shape {
    /// The content type of a stream.
    fn content_type(&self) -> &'static str;

    /// The events of one piece; none where the dialect has no word for it.
    fn say(&mut self, piece: &Piece) -> Vec<WireEvent>;
}

impl Dialect {
    /// The shape for one answer.
    pub(crate) fn shape(self, answer: Answer) -> Box<dyn Shape> {
        match self {
            Self::OpenAi => Box::new(openai::OpenAi::new(answer)),
            Self::Anthropic => Box::new(anthropic::Anthropic::new(answer)),
            Self::Ollama => Box::new(ollama::Ollama::new(answer)),
        }
    }

    /// An error body with this status.
    pub(crate) fn refusal(self, status: u16, message: &str) -> Value {
        match self {
            Self::OpenAi => openai::refusal(status, message),
            Self::Anthropic => anthropic::refusal(status, message),
            Self::Ollama => ollama::refusal(message),
        }
    }

    /// Whether a request without a `stream` field wants a stream.
    pub(crate) fn streams_unasked(self) -> bool {
        self == Self::Ollama
    }
}

/// One server-sent event.
fn sse(kind: &'static str, event: Option<&str>, data: &str, line_end: &str) -> WireEvent {
    let name = event.map_or(String::new(), |name| format!("event: {name}{line_end}"));
    let bytes = format!("{name}data: {data}{line_end}{line_end}").into_bytes();
    WireEvent { kind, bytes }
}

/// What a scripted error status says.
pub(crate) fn scripted_message(status: u16) -> &'static str {
    match status {
        401 | 403 => "The API key is not valid (scripted).",
        429 => "Rate limit reached; try again later (scripted).",
        503 | 529 => "Overloaded (scripted).",
        500..=599 => "The server had an error (scripted).",
        _ => "The request was refused (scripted).",
    }
}

#[cfg(test)]
mod tests;
