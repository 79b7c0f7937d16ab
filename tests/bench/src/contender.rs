//! Who reads, and what all of them have to find out.

use bytes::Bytes;
use serde_json::Value;

use crate::{eventsource, ours, sse_stream};

/// What a reader has to tell of a stream: every event is parsed, and its text looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Events, comments not among them.
    pub(crate) events: u64,
    /// Bytes of answer text, as OpenAI sends it.
    pub(crate) content_bytes: u64,
}

/// One way to read a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Contender {
    /// Framing, dialect and JSON.
    Reader,
    /// The same and everything that is measured beside it.
    Probe,
    /// `eventsource-stream` and `serde_json`.
    EventsourceStream,
    /// `sse-stream` and `serde_json`.
    SseStream,
}

impl Contender {
    pub(crate) const ALL: [Self; 4] = [
        Self::Reader,
        Self::Probe,
        Self::EventsourceStream,
        Self::SseStream,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Reader => "streamlag reader",
            Self::Probe => "streamlag probe",
            Self::EventsourceStream => "eventsource-stream + serde_json",
            Self::SseStream => "sse-stream + serde_json",
        }
    }

    /// Reads one stream to its end.
    pub(crate) fn read(self, reads: &[Bytes]) -> Seen {
        match self {
            Self::Reader => ours::read(reads),
            Self::Probe => ours::measure(reads),
            Self::EventsourceStream => eventsource::read(reads),
            Self::SseStream => sse_stream::read(reads),
        }
    }
}

impl Seen {
    /// What everybody does who has no reader of ours: parse the data, take the text.
    pub(crate) fn data(&mut self, data: &str) {
        self.events += 1;
        if data == "[DONE]" {
            return;
        }
        if let Ok(value) = serde_json::from_str::<Value>(data) {
            let content = &value["choices"][0]["delta"]["content"];
            self.content_bytes += content.as_str().map_or(0, str::len) as u64;
        }
    }
}
