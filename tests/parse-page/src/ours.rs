//! The core's reader: framing, dialect and JSON.

use std::hint::black_box;
use streamlag_core::reader::{Events, Problem, Reader};
use streamlag_core::{Delta, EventKinds};

use crate::Heard;

pub(crate) struct Reading {
    reader: Reader,
    heard: Heard,
}

impl Reading {
    pub(crate) fn new(keeps_text: bool) -> Self {
        Self {
            reader: Reader::new(None, None, Some("text/event-stream")),
            heard: Heard {
                keeps_text,
                ..Heard::default()
            },
        }
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.reader.push(chunk, &mut self.heard);
    }

    pub(crate) fn finish(&mut self) {
        self.reader.finish(&mut self.heard);
    }

    pub(crate) fn heard(&self) -> &Heard {
        &self.heard
    }

    pub(crate) fn heard_mut(&mut self) -> &mut Heard {
        &mut self.heard
    }
}

impl Events for Heard {
    fn delta(&mut self, delta: &Delta<'_>) {
        if let Delta::Content { text, .. } = delta {
            self.say(text);
        }
    }

    fn event(&mut self, _: EventKinds, is_comment: bool) {
        self.events += u64::from(!is_comment);
    }

    fn problem(&mut self, problem: Problem) {
        black_box(problem);
    }
}
