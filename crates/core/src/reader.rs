//! Bytes → deltas: framing and dialect, detected or named. Never sees time, never fails.

use crate::delta::{Delta, EventKinds};
use crate::dialect::{Dialect, Emitter, State, Verdict};
use crate::framing::{Frame, Frames, Framing, Hint, Origin};
use crate::json::{Json, lossy};
use crate::scan::trim;
use crate::words::Word;

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
pub struct Reader {
    framing: Framing,
    meaning: Meaning,
}

impl Reader {
    /// Most bytes of one event that are kept; beyond it the event is dropped and reading goes on.
    pub const MAX_EVENT_BYTES: usize = 4 << 20;

    /// A reader for a body of which the caller knows this much. Unknown names mean: detect. All three are
    /// hints: bytes that are clearly something else are read as what they are.
    pub fn new(dialect: Option<&str>, framing: Option<&str>, content_type: Option<&str>) -> Self {
        Self {
            framing: Framing::new(Hint::new(framing, content_type)),
            meaning: Meaning {
                dialect: Dialect::named(dialect),
                json: Json::default(),
                state: State::default(),
                lone_unknown: false,
            },
        }
    }

    /// Takes the bytes of one read. Any split into reads gives the same events.
    pub fn push(&mut self, bytes: &[u8], out: &mut dyn Events) {
        let meaning = &mut self.meaning;
        self.framing.push(bytes, &mut Handler { meaning, out });
    }

    /// The body ended: what is left is flushed or reported. The last delta may come without an event:
    /// half a character that was never completed, as U+FFFD.
    pub fn finish(&mut self, out: &mut dyn Events) {
        let meaning = &mut self.meaning;
        self.framing.finish(&mut Handler { meaning, out });
        if self.meaning.lone_unknown {
            out.problem(Problem::NotAStream);
        }
        Emitter::new(&mut self.meaning.state, out).finish_halves();
    }

    /// The framing in use, once known.
    pub fn framing(&self) -> Option<&'static str> {
        self.framing.name()
    }

    /// The dialect in use, once known.
    pub fn dialect(&self) -> Option<&'static str> {
        self.meaning.dialect.name()
    }

    /// The last SSE event id.
    pub fn last_event_id(&self) -> &str {
        self.framing.last_event_id()
    }
}

/// From frames on.
#[derive(Debug)]
struct Meaning {
    dialect: Dialect,
    json: Json,
    state: State,
    /// All there was so far is one JSON value that says nothing.
    lone_unknown: bool,
}

struct Handler<'h> {
    meaning: &'h mut Meaning,
    out: &'h mut dyn Events,
}

impl Frames for Handler<'_> {
    fn frame(&mut self, frame: Frame<'_>) {
        let (kinds, verdict) = self.meaning.read(&frame, self.out);
        let kinds = match verdict {
            Verdict::Foreign if kinds.is_none() => EventKinds::UNKNOWN,
            _ if kinds.is_none() => EventKinds::EMPTY,
            _ => kinds,
        };
        let lone = matches!(frame.origin, Origin::First | Origin::Whole);
        let says_nothing = EventKinds::UNKNOWN.with(EventKinds::INVALID);
        let useless = frame.origin == Origin::Whole && kinds.intersects(says_nothing);
        if verdict == Verdict::Whole {
            self.out.problem(Problem::NotStreamed);
        } else if useless {
            self.out.problem(Problem::NotAStream);
        }
        let unframed = frame.origin == Origin::Aside
            || verdict == Verdict::Whole
            || useless
            || (lone && kinds == EventKinds::ERROR);
        self.meaning.lone_unknown = frame.origin == Origin::First && kinds == EventKinds::UNKNOWN;
        self.out.event(
            if unframed {
                kinds.with(EventKinds::UNFRAMED)
            } else {
                kinds
            },
            false,
        );
    }

    fn comment(&mut self) {
        self.out.event(EventKinds::KEEPALIVE, true);
    }

    fn problem(&mut self, problem: Problem) {
        self.out.problem(problem);
    }
}

impl Meaning {
    /// What one frame means: its kinds, and whether anybody knew its shape.
    fn read(&mut self, frame: &Frame<'_>, out: &mut dyn Events) -> (EventKinds, Verdict) {
        let mut to = Emitter::new(&mut self.state, out);
        if frame.origin == Origin::Damaged {
            return (EventKinds::INVALID, Verdict::Event);
        }
        if self.dialect.read_text(frame, &mut to) {
            return (to.kinds, Verdict::Event);
        }
        let data = trim(frame.data);
        if data == b"[DONE]" {
            to.end("[DONE]");
            return (to.kinds, Verdict::Event);
        }
        let Some(doc) = self.json.read(data) else {
            without_json(frame, data, &mut to);
            return (to.kinds, Verdict::Event);
        };
        let Some(inner) = Dialect::inner(frame, doc.root()) else {
            let verdict = self.dialect.read(frame, doc.root(), &mut to);
            return (to.kinds, verdict);
        };
        let frame = Frame {
            name: b"",
            data: &inner,
            ..*frame
        };
        match self.json.read(&inner) {
            Some(doc) => {
                let verdict = self.dialect.read(&frame, doc.root(), &mut to);
                (to.kinds, verdict)
            }
            None => (EventKinds::INVALID, Verdict::Event),
        }
    }
}

/// An event whose data is no JSON.
fn without_json(frame: &Frame<'_>, data: &[u8], to: &mut Emitter<'_>) {
    match (frame.word(), data) {
        _ if frame.origin == Origin::Exception => to.error(&lossy(frame.name), "", None),
        (Word::Error, _) => to.error("", "", None),
        (Word::Ping | Word::Keepalive | Word::Heartbeat, _) => to.keep_alive(),
        (Word::End, b"") => to.end("end"),
        (_, b"") => {}
        // A comment that a gateway wrapped into data.
        (_, [b':', ..]) => to.keep_alive(),
        _ => to.mark(EventKinds::INVALID),
    }
}
