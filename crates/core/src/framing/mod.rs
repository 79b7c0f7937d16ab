//! Bytes → frames. Each framing takes reads split anywhere, hands out a frame as soon as its last byte is
//! there, parses in place what lies whole within one read and keeps only what a read cut in two, bounded
//! by [`Reader::MAX_EVENT_BYTES`].

mod aws_eventstream;
mod detect;
mod json_array;
mod ndjson;
mod sse;

pub(crate) use detect::Hint;

use crate::reader::{Problem, Reader};
use crate::words::Word;
use aws_eventstream::AwsEventStream;
use detect::{Detector, Verdict};
use json_array::Values;
use ndjson::Ndjson;
use sse::Sse;

const MAX: usize = Reader::MAX_EVENT_BYTES;

/// Where a frame came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An event of the stream.
    Event,
    /// The first JSON value of a body that was not announced as a stream: an event, or the whole answer.
    First,
    /// The same of a body that was announced as one JSON text.
    Whole,
    /// What SSE parsers drop but its sender meant: the `error:` field of old llama.cpp servers, and
    /// LangServe's `event: end` without data.
    Aside,
    /// A binary message that is an exception; its type is the name.
    Exception,
    /// A binary message whose checksum is wrong.
    Damaged,
}

/// One message of a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) origin: Origin,
    /// The event's name where the framing has names, else empty.
    pub(crate) name: &'a [u8],
    pub(crate) data: &'a [u8],
}

impl Frame<'_> {
    /// Its name, if known to any dialect.
    pub(crate) fn word(&self) -> Word {
        Word::of(self.name)
    }
}

/// Receives what a framing found, in stream order.
pub(crate) trait Frames {
    fn frame(&mut self, frame: Frame<'_>);
    fn comment(&mut self);
    fn problem(&mut self, problem: Problem);
}

/// The framing of one body, detected or known.
#[derive(Debug)]
pub(crate) enum Framing {
    Undecided(Detector),
    Sse(Sse),
    Ndjson(Ndjson),
    Values(Values),
    Aws(AwsEventStream),
    /// Nothing readable follows.
    Ended,
}

impl Framing {
    pub(crate) fn new(hint: Option<Hint>) -> Self {
        Self::Undecided(Detector::new(hint))
    }

    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut dyn Frames) {
        let mut bytes = bytes;
        if let Self::Undecided(detector) = self {
            let Some((verdict, rest)) = detector.look(bytes) else {
                return;
            };
            let replay = detector.skipped();
            *self = Self::decided(verdict, out);
            self.push_decided(replay, out);
            bytes = rest;
        }
        self.push_decided(bytes, out);
    }

    pub(crate) fn finish(&mut self, out: &mut dyn Frames) {
        match self {
            Self::Sse(sse) => sse.finish(out),
            Self::Ndjson(ndjson) => ndjson.finish(out),
            Self::Values(values) => values.finish(out),
            Self::Aws(aws) => aws.finish(out),
            Self::Undecided(_) | Self::Ended => {}
        }
    }

    pub(crate) fn name(&self) -> Option<&'static str> {
        match self {
            Self::Sse(_) => Some("sse"),
            Self::Ndjson(_) => Some("ndjson"),
            Self::Values(values) => Some(values.name()),
            Self::Aws(_) => Some("aws_eventstream"),
            Self::Undecided(_) | Self::Ended => None,
        }
    }

    pub(crate) fn last_event_id(&self) -> &str {
        match self {
            Self::Sse(sse) => sse.last_event_id(),
            _ => "",
        }
    }

    fn decided(verdict: Verdict, out: &mut dyn Frames) -> Self {
        match verdict {
            Verdict::Sse => Self::Sse(Sse::default()),
            Verdict::Ndjson => Self::Ndjson(Ndjson::default()),
            Verdict::Array => Self::Values(Values::array()),
            Verdict::Bare(origin) => Self::Values(Values::bare(origin)),
            Verdict::Aws => Self::Aws(AwsEventStream::default()),
            Verdict::Problem(problem) => {
                out.problem(problem);
                Self::Ended
            }
        }
    }

    fn push_decided(&mut self, bytes: &[u8], out: &mut dyn Frames) {
        match self {
            Self::Sse(sse) => sse.push(bytes, out),
            Self::Ndjson(ndjson) => ndjson.push(bytes, out),
            Self::Values(values) => {
                if let Some(rest) = values.push(bytes, out) {
                    let mut ndjson = Ndjson::default();
                    ndjson.push(rest, out);
                    *self = Self::Ndjson(ndjson);
                }
            }
            Self::Aws(aws) => aws.push(bytes, out),
            Self::Undecided(_) | Self::Ended => {}
        }
    }
}
