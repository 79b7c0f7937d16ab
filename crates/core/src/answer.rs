//! What the events of one attempt said: counts, choices, finish reasons, errors. Never their text.

mod choices;
mod errors;

use choices::Choices;
use errors::Errors;

use crate::delta::{Delta, EventKinds};
use crate::failure;
use crate::flags::Flags;
use crate::measurement::{Counts, ErrorClass};
use crate::reader::Problem;
use crate::segments::Generated;
use crate::text::cut;
use crate::usage::{Seen, UsageReports};

/// Longest kept finish reason or marker.
const MAX_WORD: usize = 32;
/// Most tool calls told apart.
const MAX_TOOLS: usize = 128;
/// Most durations of the server's own that are kept.
const MAX_SERVER_REPORTED: usize = 16;

/// Kinds that only a known dialect gives. (Anybody may send a keep-alive, or `[DONE]`.)
const KNOWN: EventKinds = EventKinds::CONTENT
    .with(EventKinds::REASONING)
    .with(EventKinds::TOOL)
    .with(EventKinds::USAGE)
    .with(EventKinds::ERROR)
    .with(EventKinds::EMPTY);

/// Kinds that have no place after a terminal marker.
const GHOSTS: EventKinds = EventKinds::CONTENT
    .with(EventKinds::REASONING)
    .with(EventKinds::TOOL)
    .with(EventKinds::ERROR)
    .with(EventKinds::UNKNOWN)
    .with(EventKinds::INVALID);

/// Takes in the events of one attempt.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) counts: Counts,
    pub(crate) finish: Option<String>,
    pub(crate) marker: Option<String>,
    pub(crate) usage: UsageReports,
    pub(crate) flags: Flags,
    pub(crate) server_reported: Vec<(&'static str, f64)>,
    pub(crate) errors: Errors,
    choices: Choices,
    tools: Vec<(u32, u32)>,
    kept: Kept,
    /// Any event was of a dialect that is understood.
    known_shape: bool,
    /// A terminal marker was seen and its event is over.
    terminal: bool,
    event: Event,
}

/// What was there at the last checkpoint: a restart goes back to it.
#[derive(Debug, Clone, Copy, Default)]
struct Kept {
    answer_chars: u64,
    reasoning_chars: u64,
    tools: usize,
}

/// The event that is being read.
#[derive(Debug, Default)]
struct Event {
    /// A text that is not answer text: the event's kinds do not tell the two apart.
    refusal: bool,
    answer: bool,
    visible: bool,
    usage: bool,
    finish: bool,
    marker: bool,
}

impl Event {
    /// What was generated: its kinds say whether, its deltas only which (half a character has no text
    /// yet, but it has arrived).
    fn generated(&self, kinds: EventKinds) -> Generated {
        let content = kinds.contains(EventKinds::CONTENT);
        let answer = content && (self.answer || !self.refusal);
        Generated {
            any: kinds.is_generated(),
            output: content || kinds.contains(EventKinds::TOOL),
            answer,
            visible: answer && self.visible,
        }
    }
}

/// What one whole event meant for the stamps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Meaning {
    pub(crate) generated: Generated,
    /// Every choice seen so far has its finish reason now.
    pub(crate) finished: bool,
    /// It was a terminal marker.
    pub(crate) marker: bool,
}

impl Answer {
    /// Whether a terminal marker was seen.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal || self.event.marker
    }

    /// Whether every choice has its finish reason.
    pub(crate) fn is_finished(&self) -> bool {
        self.choices.all_finished()
    }

    /// Whether it came in one piece, which is whole or would not have been read.
    pub(crate) fn is_whole(&self) -> bool {
        self.flags.contains(Flags::NOT_STREAMED) && self.seen().generated
    }

    /// Whether events came and none had a known shape.
    pub(crate) fn is_unrecognised(&self) -> bool {
        self.counts.unknown > 0 && !self.known_shape
    }

    pub(crate) fn seen(&self) -> Seen {
        let counts = &self.counts;
        Seen {
            generated: counts.content > 0 || counts.reasoning > 0 || counts.tool > 0,
            reasoning: counts.reasoning > 0,
        }
    }

    /// Takes in one piece of meaning; says whether it belongs to the answer. After the terminal marker
    /// only more markers and late usage do.
    pub(crate) fn delta(&mut self, delta: &Delta<'_>) -> bool {
        if self.terminal && !Self::may_follow_the_end(delta) {
            self.flags.insert(Flags::DATA_AFTER_DONE);
            return false;
        }
        match *delta {
            Delta::Content { choice, text } => self.content(choice, text),
            Delta::Reasoning { choice, text } => self.reasoning(choice, text),
            Delta::Refusal { choice, .. } => {
                self.choices.seen(choice);
                self.event.refusal = true;
            }
            Delta::Tool { choice, index, .. } => self.tool(choice, index),
            Delta::Usage(usage) => {
                self.usage.report(usage);
                self.event.usage = true;
            }
            Delta::Finish { choice, reason } => self.finished(choice, reason),
            Delta::End { marker } => {
                self.marker = Some(cut(marker, MAX_WORD));
                self.event.marker = true;
            }
            Delta::KeepAlive => {}
            Delta::Error { kind, detail, code } => {
                self.errors.report(failure::of_error(kind, detail, code));
            }
            Delta::Restart => self.restart(),
            Delta::Checkpoint => {
                self.kept = Kept {
                    answer_chars: self.counts.answer_chars,
                    reasoning_chars: self.counts.reasoning_chars,
                    tools: self.tools.len(),
                };
            }
            Delta::ServerTiming { name, ms } => self.server_timing(name, ms),
        }
        true
    }

    /// Whether an event of these kinds comes too late to belong to the answer.
    pub(crate) fn is_ghost(&self, kinds: EventKinds) -> bool {
        self.terminal && kinds.intersects(GHOSTS)
    }

    /// The event is whole.
    pub(crate) fn event(&mut self, kinds: EventKinds, is_comment: bool) -> Meaning {
        let event = std::mem::take(&mut self.event);
        if self.is_ghost(kinds) {
            self.flags.insert(Flags::DATA_AFTER_DONE);
        }
        self.count(kinds, is_comment);
        if event.usage && (self.is_finished() || self.terminal || event.marker) {
            self.usage.settle();
        }
        let generated = if self.is_ghost(kinds) {
            Generated::default()
        } else {
            event.generated(kinds)
        };
        self.errors.event_over(generated.any);
        self.terminal |= event.marker;
        Meaning {
            generated,
            finished: event.finish && self.is_finished(),
            marker: event.marker,
        }
    }

    pub(crate) fn problem(&mut self, problem: Problem) {
        match problem {
            Problem::LineTooLong => self.errors.report(ErrorClass::LineTooLong),
            Problem::UndecodedBody => self.errors.report(ErrorClass::UndecodedBody),
            Problem::NotAStream => self.errors.report(ErrorClass::NotAStream),
            Problem::NotStreamed => self.flags.insert(Flags::NOT_STREAMED),
            Problem::TailUnterminated => self.flags.insert(Flags::TAIL_UNTERMINATED),
            Problem::BadChecksum => self.flags.insert(Flags::BAD_CHECKSUM),
        }
    }

    fn may_follow_the_end(delta: &Delta<'_>) -> bool {
        match delta {
            Delta::Content { text, .. }
            | Delta::Reasoning { text, .. }
            | Delta::Refusal { text, .. } => text.is_empty(),
            Delta::Usage(_)
            | Delta::End { .. }
            | Delta::KeepAlive
            | Delta::Checkpoint
            | Delta::ServerTiming { .. } => true,
            Delta::Tool { .. } | Delta::Finish { .. } | Delta::Error { .. } | Delta::Restart => {
                false
            }
        }
    }

    fn content(&mut self, choice: u32, text: &str) {
        self.choices.seen(choice);
        if choice == 0 {
            add_chars(&mut self.counts.answer_chars, text);
        }
        self.event.answer = true;
        self.event.visible |= text.chars().any(|c| !c.is_whitespace());
    }

    fn reasoning(&mut self, choice: u32, text: &str) {
        self.choices.seen(choice);
        if choice == 0 {
            add_chars(&mut self.counts.reasoning_chars, text);
        }
    }

    fn tool(&mut self, choice: u32, index: u32) {
        self.choices.seen(choice);
        let call = (choice, index);
        if self.tools.len() < MAX_TOOLS && !self.tools.contains(&call) {
            self.tools.push(call);
            self.counts.tool_calls = self.counts.tool_calls.saturating_add(1);
        }
    }

    fn finished(&mut self, choice: u32, reason: &str) {
        self.choices.finished(choice);
        self.event.finish = true;
        if choice == 0 {
            self.finish = Some(cut(reason, MAX_WORD));
        }
        if let Some(class) = failure::of_finish(reason) {
            self.errors.report(class);
        }
    }

    fn restart(&mut self) {
        self.flags.insert(Flags::RESTARTED);
        self.counts.answer_chars = self.kept.answer_chars;
        self.counts.reasoning_chars = self.kept.reasoning_chars;
        self.tools.truncate(self.kept.tools);
        self.counts.tool_calls = self.tools.len() as u32;
        self.choices = Choices::default();
        self.finish = None;
        self.usage.restart();
    }

    fn server_timing(&mut self, name: &'static str, ms: f64) {
        if !ms.is_finite() || ms < 0.0 {
            return;
        }
        let mut known = self.server_reported.iter_mut();
        if let Some((_, old)) = known.find(|(known, _)| *known == name) {
            *old = ms;
        } else if self.server_reported.len() < MAX_SERVER_REPORTED {
            self.server_reported.push((name, ms));
        }
    }

    fn count(&mut self, kinds: EventKinds, is_comment: bool) {
        let counts = &mut self.counts;
        counts.choices = self.choices.count();
        if is_comment {
            counts.comments = counts.comments.saturating_add(1);
            return;
        }
        if !kinds.contains(EventKinds::UNFRAMED) {
            counts.events = counts.events.saturating_add(1);
        }
        self.known_shape |= kinds.intersects(KNOWN);
        if kinds.contains(EventKinds::INVALID) {
            self.flags.insert(Flags::INVALID_JSON);
        }
        for (kind, count) in [
            (EventKinds::INVALID, &mut counts.invalid),
            (EventKinds::UNKNOWN, &mut counts.unknown),
        ] {
            if kinds.contains(kind) {
                *count = count.saturating_add(1);
            }
        }
        if self.terminal {
            return; // ghosts are frames, but not text
        }
        for (kind, count) in [
            (EventKinds::CONTENT, &mut counts.content),
            (EventKinds::REASONING, &mut counts.reasoning),
            (EventKinds::TOOL, &mut counts.tool),
        ] {
            if kinds.contains(kind) {
                *count = count.saturating_add(1);
            }
        }
    }
}

fn add_chars(count: &mut u64, text: &str) {
    *count = count.saturating_add(text.chars().count() as u64);
}
