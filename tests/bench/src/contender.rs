//! Who reads.

use bytes::Bytes;

use crate::decode::Decode;
use crate::seen::Seen;
use crate::{eventsource, ours, sse_stream};

/// One way to read a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Contender {
    /// Framing, dialect and JSON.
    Reader,
    /// The same and everything that is measured beside it.
    Probe,
    /// `eventsource-stream` and `serde_json`.
    EventsourceStream(Decode),
    /// `sse-stream` and `serde_json`.
    SseStream(Decode),
}

impl Contender {
    /// Ours, and each of the others with each of these ways to use `serde_json`.
    pub(crate) fn all(decodes: &[Decode]) -> Vec<Self> {
        let others = decodes
            .iter()
            .flat_map(|decode| [Self::EventsourceStream(*decode), Self::SseStream(*decode)]);
        [Self::Reader, Self::Probe]
            .into_iter()
            .chain(others)
            .collect()
    }

    pub(crate) fn name(self) -> String {
        match self {
            Self::Reader => "streamlag reader".to_owned(),
            Self::Probe => "streamlag probe".to_owned(),
            Self::EventsourceStream(decode) => {
                format!("eventsource-stream + serde_json, {}", decode.name)
            }
            Self::SseStream(decode) => format!("sse-stream + serde_json, {}", decode.name),
        }
    }

    /// Whether it is one that people use instead of ours.
    pub(crate) fn is_other(self) -> bool {
        matches!(self, Self::EventsourceStream(_) | Self::SseStream(_))
    }

    /// Reads one stream to its end.
    pub(crate) fn read(self, reads: &[Bytes], seen: &mut Seen) {
        match self {
            Self::Reader => ours::read(reads, seen),
            Self::Probe => ours::measure(reads, seen),
            Self::EventsourceStream(decode) => eventsource::read(reads, decode, seen),
            Self::SseStream(decode) => sse_stream::read(reads, decode, seen),
        }
    }
}
