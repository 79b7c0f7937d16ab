//! The core.

use bytes::Bytes;
use std::hint::black_box;
use streamlag_core::reader::{Events, Problem, Reader};
use streamlag_core::{Config, Delta, EventKinds, Input, Mono, Probe, Sink, Stamp};

use crate::contender::Seen;

/// With the reader alone.
pub(crate) fn read(reads: &[Bytes]) -> Seen {
    let mut seen = Seen::default();
    let mut reader = Reader::new(None, None, Some("text/event-stream"));
    for read in reads {
        reader.push(read, &mut seen);
    }
    reader.finish(&mut seen);
    seen
}

/// With all that is measured, at a reading of the clock for each read.
pub(crate) fn measure(reads: &[Bytes]) -> Seen {
    let mut seen = Seen::default();
    let mut probe = Probe::new(Config::default());
    probe.handle(Stamp::<Mono>::from_ns(0), Input::Send, &mut seen);
    let mut at = 0;
    for read in reads {
        at += 20_000_000;
        probe.handle(Stamp::from_ns(at), Input::Bytes(read), &mut seen);
    }
    probe.handle(Stamp::from_ns(at), Input::Eof, &mut seen);
    black_box(probe.measurement());
    seen
}

impl Seen {
    fn heard(&mut self, delta: &Delta<'_>) {
        if let Delta::Content { text, .. } = delta {
            self.content_bytes += text.len() as u64;
        }
    }
}

impl Events for Seen {
    fn delta(&mut self, delta: &Delta<'_>) {
        self.heard(delta);
    }

    fn event(&mut self, _: EventKinds, is_comment: bool) {
        self.events += u64::from(!is_comment);
    }

    fn problem(&mut self, problem: Problem) {
        black_box(problem);
    }
}

impl Sink for Seen {
    fn delta(&mut self, _: Stamp<Mono>, delta: &Delta<'_>) {
        self.heard(delta);
    }

    fn event(&mut self, _: Stamp<Mono>, _: EventKinds, is_comment: bool) {
        self.events += u64::from(!is_comment);
    }
}
