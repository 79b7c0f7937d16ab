//! The state machine that every shell drives.

use std::time::Duration;

use crate::attempt::{Around, Attempt, Hints};
use crate::clock::{ClockInfo, Mono, Stamp};
use crate::delta::{Delta, Sink};
use crate::ending::Ending;
use crate::excuse::{Excuses, Why};
use crate::http::Answered;
use crate::input::Input;
use crate::measurement::{self, Measurement};
use crate::watch::{Reading, Stretch, Watch};

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
    pub(crate) config: Config,
    pub(crate) watch: Watch,
    pub(crate) excuses: Excuses,
    pub(crate) intent: Option<Reading>,
    pub(crate) first_send: Option<Reading>,
    pub(crate) first_text: Option<Reading>,
    /// The attempt whose answer counts: the latest.
    pub(crate) attempt: Attempt,
    /// Those before it, the first ones.
    pub(crate) earlier: Vec<measurement::Attempt>,
    pub(crate) attempts_seen: u32,
    pub(crate) own_cost: Option<Duration>,
}

impl Probe {
    /// A probe that has seen nothing yet.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            watch: Watch::default(),
            excuses: Excuses::default(),
            intent: None,
            first_send: None,
            first_text: None,
            attempt: Attempt::default(),
            earlier: Vec::new(),
            attempts_seen: 0,
            own_cost: None,
        }
    }

    /// Takes in one thing that happened at `at`. What it understood goes to `sink` before it returns.
    /// Total: any input in any order is taken. After the body's end (`Eof`, `Failed`, `Aborted`) more of
    /// that body is ignored; another `Send` begins anew.
    pub fn handle(&mut self, at: Stamp<Mono>, input: Input<'_>, sink: &mut dyn Sink) {
        match input {
            Input::Intent => {
                let reading = self.watch.aside(at);
                self.intent.get_or_insert(reading);
            }
            Input::Send => self.send(at, sink),
            Input::Headers(head) if self.attempt.is_open() => {
                let reading = self.watch.stream(at);
                self.attempt.headers(reading, Answered::new(&head));
            }
            Input::Bytes(bytes) if self.attempt.is_open() && !bytes.is_empty() => {
                self.bytes(at, bytes, sink);
            }
            Input::Headers(_) | Input::Bytes(_) => {}
            Input::Parsed => {
                let reading = self.watch.aside(at);
                self.attempt.parsed(reading);
            }
            Input::Eof => self.close(at, Ending::Eof, sink),
            Input::Failed(failure) => self.close(at, Ending::Failed(failure), sink),
            Input::Aborted(by) => self.close(at, Ending::Aborted(by), sink),
            Input::Visibility(state) => {
                let hidden = self.excuses.visibility(at, state);
                if self.excuses.is_hidden() {
                    self.attempt.screen.hidden();
                }
                if let Some(stretch) = hidden {
                    self.attempt.excuse(Why::Hidden, stretch);
                }
            }
            Input::WallClock(wall) => {
                if let Some(stretch) = self.watch.wall(at, wall) {
                    self.excuse(Why::Suspended, stretch);
                }
            }
            Input::Committed { through_read } => {
                let reading = self.watch.aside(at);
                self.attempt.screen.committed(through_read, reading);
            }
            Input::Painted { latest } => {
                let (low, high) = (self.watch.aside(at), self.watch.aside(latest.max(at)));
                self.attempt.screen.painted(low, high);
            }
            Input::MainThreadBlocked { until } => self.excuse(Why::MainThread, (at, until)),
            Input::OwnCost(cost) => {
                self.own_cost = Some(self.own_cost.unwrap_or_default().saturating_add(cost));
            }
        }
    }

    /// Whether a terminal marker of the dialect was seen: nothing of the answer follows.
    pub fn saw_terminal(&self) -> bool {
        self.attempt.answer.is_terminal()
    }

    /// The last SSE event id of the latest attempt: where a reader that reconnects goes on.
    pub fn last_event_id(&self) -> &str {
        let reader = self.attempt.reader.as_ref();
        reader.map_or("", |reader| reader.last_event_id())
    }

    /// What was found out so far. Can be taken at any time; a later one never changes an earlier stamp.
    pub fn measurement(&self) -> Measurement {
        crate::summary::of(self)
    }

    /// The text of an earlier attempt is replaced, not continued, and no gap reaches across the two.
    fn send(&mut self, at: Stamp<Mono>, sink: &mut dyn Sink) {
        let around = Around {
            hints: hints(&self.config),
            excuses: &self.excuses,
            sink,
        };
        self.attempt.supersede(around);
        self.watch.attempt();
        let reading = self.watch.stream(at);
        let next = Attempt::sent(reading);
        let before = std::mem::replace(&mut self.attempt, next);
        if self.attempts_seen > 0 {
            if self.earlier.len() < Measurement::ATTEMPTS.saturating_sub(1) {
                self.earlier.push(before.summary(self.first_send));
            }
            if before.answer.seen().generated {
                sink.delta(at, &Delta::Restart);
            }
        }
        self.first_send.get_or_insert(reading);
        self.attempts_seen = self.attempts_seen.saturating_add(1);
    }

    fn bytes(&mut self, at: Stamp<Mono>, bytes: &[u8], sink: &mut dyn Sink) {
        let reading = self.watch.stream(at);
        if let Some(stretch) = self.watch.read(at) {
            self.excuse(Why::Suspended, stretch);
        }
        self.attempts_seen = self.attempts_seen.max(1);
        let around = Around {
            hints: hints(&self.config),
            excuses: &self.excuses,
            sink,
        };
        self.attempt.bytes(reading, bytes, around);
        self.note_first_text();
    }

    fn close(&mut self, at: Stamp<Mono>, ending: Ending, sink: &mut dyn Sink) {
        if !self.attempt.is_open() {
            return;
        }
        let reading = self.watch.stream(at);
        self.attempts_seen = self.attempts_seen.max(1);
        let around = Around {
            hints: hints(&self.config),
            excuses: &self.excuses,
            sink,
        };
        self.attempt.close(reading, ending, around);
        self.note_first_text();
    }

    fn note_first_text(&mut self) {
        self.first_text = self.first_text.or(self.attempt.segments.first_generated());
    }

    fn excuse(&mut self, why: Why, stretch: Stretch) {
        self.excuses.add(why, stretch);
        self.attempt.excuse(why, stretch);
    }
}

fn hints(config: &Config) -> Hints<'_> {
    Hints {
        dialect: config.dialect.as_deref(),
        framing: config.framing.as_deref(),
    }
}
