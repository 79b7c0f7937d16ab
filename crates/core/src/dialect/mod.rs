//! Frames → deltas: one small file a provider family. Dialects never see time, and they hold no text.
//!
//! A dialect looks at one event and says whether the shape is its own. The one in use is asked first and
//! the others after it, so a stream may mix shapes (gateways do); what nobody knows is `unknown`.

mod aisdk;
mod anthropic;
mod baidu;
mod bedrock;
mod calls;
mod cohere;
mod emit;
mod error;
mod gemini;
mod langserve;
mod llamacpp;
mod ollama;
mod openai;
mod parts;
mod plain;
mod responses;
mod state;
mod tgi;
mod usage;
mod watsonx;
mod workers_ai;
mod writer;

pub(crate) use emit::Emitter;
pub(crate) use state::State;

use crate::framing::{Frame, Origin};
use crate::json::Value;
use crate::words::Word;

/// What a dialect made of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not this dialect's shape; nothing was emitted.
    Foreign,
    /// An event of a stream.
    Event,
    /// A whole answer that was not streamed.
    Whole,
}

impl Verdict {
    /// An event if `known`, else foreign.
    fn known(known: bool) -> Self {
        if known { Self::Event } else { Self::Foreign }
    }
}

/// How a family reads one event.
type Read = fn(&Frame<'_>, Value<'_>, &mut Emitter<'_>) -> Verdict;

/// The families by name, in the order in which an event's shape is tried.
static FAMILIES: [(&str, Read); 16] = [
    ("openai", openai::read),
    ("responses", responses::read),
    ("anthropic", anthropic::read),
    ("gemini", gemini::read),
    ("ollama", ollama::read),
    ("cohere", cohere::read),
    ("bedrock", bedrock::read),
    ("aisdk", aisdk::read),
    ("langserve", langserve::read),
    ("tgi", tgi::read),
    ("watsonx", watsonx::read),
    ("baidu", baidu::read),
    ("llamacpp", llamacpp::read),
    ("workers_ai", workers_ai::read),
    // These two only where they are named, or by an event's name.
    ("writer", writer::read),
    ("plain", |_, _, _| Verdict::Foreign),
];
const DETECTABLE: usize = 14;
const PLAIN: usize = 15;

/// Other names that callers use.
static ALSO: [(&str, &str); 5] = [
    ("replicate", "plain"),
    ("claude", "anthropic"),
    ("vertex", "gemini"),
    ("langgraph", "langserve"),
    ("ernie", "baidu"),
];

/// The dialect of one body, detected or named.
#[derive(Debug, Default)]
pub(crate) struct Dialect {
    /// The one in use, as an index.
    current: Option<usize>,
    /// The one in use has understood an event.
    proven: bool,
}

impl Dialect {
    /// Unknown names mean: detect.
    pub(crate) fn named(name: Option<&str>) -> Self {
        let name = name.map(|name| {
            let also = ALSO.iter().find(|(also, _)| *also == name);
            also.map_or(name, |(_, family)| family)
        });
        Self {
            current: FAMILIES
                .iter()
                .position(|(family, _)| Some(*family) == name),
            proven: false,
        }
    }

    pub(crate) fn name(&self) -> Option<&'static str> {
        FAMILIES.get(self.current?).map(|(name, _)| *name)
    }

    /// Reads one event whose data is plain text; false if it is due to be JSON.
    pub(crate) fn read_text(&mut self, frame: &Frame<'_>, to: &mut Emitter<'_>) -> bool {
        // Nobody else has events of that name.
        if !self.proven && frame.word() == Word::Output {
            *self = Self {
                current: Some(PLAIN),
                proven: true,
            };
        }
        self.current == Some(PLAIN) && plain::read(frame, to)
    }

    /// Reads one event. A whole answer inside a stream's framing is an event of it all the same.
    pub(crate) fn read(
        &mut self,
        frame: &Frame<'_>,
        root: Value<'_>,
        to: &mut Emitter<'_>,
    ) -> Verdict {
        let verdict = self.read_any(frame, root, to);
        if verdict == Verdict::Whole && frame.origin == Origin::Event {
            to.not_streamed();
            return Verdict::Event;
        }
        verdict
    }

    fn read_any(&mut self, frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
        if let Some((_, read)) = self.current.and_then(|at| FAMILIES.get(at)) {
            let verdict = read(frame, root, to);
            if verdict != Verdict::Foreign {
                self.proven = true;
                return verdict;
            }
        }
        for (at, (_, read)) in FAMILIES.iter().enumerate().take(DETECTABLE) {
            if Some(at) == self.current {
                continue;
            }
            let verdict = read(frame, root, to);
            if verdict != Verdict::Foreign {
                if !self.proven {
                    self.current = Some(at);
                    self.proven = true;
                }
                return verdict;
            }
        }
        // Errors look alike everywhere and prove nothing.
        Verdict::known(error::read(frame, root, to))
    }

    /// The event that this one wraps, if it wraps one.
    pub(crate) fn inner(frame: &Frame<'_>, root: Value<'_>) -> Option<Vec<u8>> {
        bedrock::inner(frame, root)
    }
}
