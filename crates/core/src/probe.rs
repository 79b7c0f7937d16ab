//! The state machine that every shell drives.

use crate::clock::{ClockInfo, Mono, Stamp};
use crate::delta::Sink;
use crate::input::Input;
use crate::measurement::Measurement;

/// How to read the stream.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The dialect's name where the caller knows its provider (`openai`, `anthropic`, `ollama`, …);
    /// `None`: detected from content type and first frames.
    pub dialect: Option<String>,
    /// The framing's name (`sse`, `ndjson`, `jsonarray`, `aws_eventstream`); `None`: detected.
    pub framing: Option<String>,
    /// The clock of all stamps.
    pub clock: ClockInfo,
}

/// Measures one request, all its attempts included.
#[derive(Debug)]
pub struct Probe {
    clock: ClockInfo,
}

impl Probe {
    /// A probe that has seen nothing yet.
    pub fn new(config: Config) -> Self {
        Self {
            clock: config.clock,
        }
    }

    /// Takes in one thing that happened at `at`. What it understood goes to `sink` before it returns.
    /// Total: any input in any order is taken.
    pub fn handle(&mut self, at: Stamp<Mono>, input: Input<'_>, sink: &mut dyn Sink) {
        let _ = (at, input, sink);
    }

    /// Whether a terminal marker of the dialect was seen: nothing of the answer follows.
    pub fn saw_terminal(&self) -> bool {
        false
    }

    /// What was found out so far. Can be taken at any time; a later one never changes an earlier stamp.
    pub fn measurement(&self) -> Measurement {
        Measurement {
            clock: self.clock,
            ..Measurement::default()
        }
    }
}
