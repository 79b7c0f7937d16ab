//! Bytes → deltas: framing and dialect, detected or named. Never sees time, never fails.

use crate::delta::{Delta, EventKinds};

/// Receives what a [`Reader`] understood, in stream order.
pub trait Events {
    /// One piece of meaning of the event that is being read.
    fn delta(&mut self, delta: &Delta<'_>);
    /// The event (or comment) is whole; its deltas came before.
    fn event(&mut self, kinds: EventKinds, is_comment: bool);
    /// Something was wrong with the bytes. Reading goes on.
    fn problem(&mut self, problem: Problem);
}

/// What was wrong with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// An event was longer than [`Reader::MAX_EVENT_BYTES`] and was dropped.
    LineTooLong,
    /// The body starts like compressed data.
    UndecodedBody,
    /// The body is a web page or another text, not a stream.
    NotAStream,
    /// The body is one whole JSON answer, not a stream.
    NotStreamed,
    /// Bytes were left after the last whole event.
    TailUnterminated,
    /// A binary frame's checksum was wrong.
    BadChecksum,
}

/// Reads one response body.
#[derive(Debug)]
pub struct Reader {}

impl Reader {
    /// Most bytes of one event that are kept; beyond it the event is dropped and reading goes on.
    pub const MAX_EVENT_BYTES: usize = 4 << 20;

    /// A reader for a body of which the caller knows this much. Unknown names mean: detect.
    pub fn new(dialect: Option<&str>, framing: Option<&str>, content_type: Option<&str>) -> Self {
        let _ = (dialect, framing, content_type);
        Self {}
    }

    /// Takes the bytes of one read. Any split into reads gives the same events.
    pub fn push(&mut self, bytes: &[u8], out: &mut dyn Events) {
        let _ = (bytes, out);
    }

    /// The body ended: what is left is flushed or reported.
    pub fn finish(&mut self, out: &mut dyn Events) {
        let _ = out;
    }

    /// The framing in use, once known.
    pub fn framing(&self) -> Option<&'static str> {
        None
    }

    /// The dialect in use, once known.
    pub fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// The last SSE event id.
    pub fn last_event_id(&self) -> &str {
        ""
    }
}
