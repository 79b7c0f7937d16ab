//! The core.

use bytes::Bytes;
use std::hint::black_box;
use streamlag_core::reader::{Events, Problem, Reader};
use streamlag_core::{Config, Delta, EventKinds, Input, Mono, Probe, Sink, Stamp};

use crate::seen::Seen;

/// From one read to the next.
const STEP_NS: i64 = 20_000_000;

/// With the reader alone.
pub(crate) fn read(reads: &[Bytes], seen: &mut Seen) {
    let mut reader = Reader::new(None, None, Some("text/event-stream"));
    for read in reads {
        reader.push(read, seen);
    }
    reader.finish(seen);
}

/// With all that is measured, at a reading of the clock for each read.
pub(crate) fn measure(reads: &[Bytes], seen: &mut Seen) {
    measure_watched(reads, seen, &mut || {});
}

/// The same; something else looks on after each read.
pub(crate) fn measure_watched(reads: &[Bytes], seen: &mut Seen, after: &mut dyn FnMut()) {
    let mut probe = Probe::new(Config::default());
    probe.handle(Stamp::<Mono>::from_ns(0), Input::Send, seen);
    let mut at = 0;
    for read in reads {
        at += STEP_NS;
        probe.handle(Stamp::from_ns(at), Input::Bytes(read), seen);
        after();
    }
    probe.handle(Stamp::from_ns(at), Input::Eof, seen);
    black_box(probe.measurement());
}

impl Seen {
    fn heard(&mut self, delta: &Delta<'_>) {
        if let Delta::Content { text, .. } = delta {
            self.say(text);
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
