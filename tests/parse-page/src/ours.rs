//! The core's reader: framing, dialect and JSON.

use streamlag_core::reader::{Events, Problem, Reader};
use streamlag_core::{Delta, EventKinds};

pub(crate) struct Reading {
    reader: Reader,
    heard: Heard,
}

#[derive(Default)]
struct Heard {
    events: u64,
    content: u64,
    problems: u32,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            reader: Reader::new(None, None, Some("text/event-stream")),
            heard: Heard::default(),
        }
    }
}

impl Reading {
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.reader.push(chunk, &mut self.heard);
    }

    pub(crate) fn finish(&mut self) {
        self.reader.finish(&mut self.heard);
    }

    /// Events and UTF-16 units of answer text.
    pub(crate) fn heard(&self) -> (u64, u64) {
        (self.heard.events, self.heard.content)
    }
}

impl Events for Heard {
    fn delta(&mut self, delta: &Delta<'_>) {
        if let Delta::Content { text, .. } = delta {
            self.content += text.chars().map(char::len_utf16).sum::<usize>() as u64;
        }
    }

    fn event(&mut self, _: EventKinds, is_comment: bool) {
        self.events += u64::from(!is_comment);
    }

    fn problem(&mut self, _: Problem) {
        self.problems += 1;
    }
}
