//! What one event of a stream means, independent of the provider that sent it.

use std::time::Duration;

use crate::clock::{Mono, Stamp};

/// One piece of meaning inside an event. An event may hold several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delta<'a> {
    /// Answer text (may be empty; empty text is not generated text).
    Content {
        /// Which of n parallel answers.
        choice: u32,
        /// The new text.
        text: &'a str,
    },
    /// Reasoning text.
    Reasoning {
        /// Which of n parallel answers.
        choice: u32,
        /// The new text.
        text: &'a str,
    },
    /// Refusal text.
    Refusal {
        /// Which of n parallel answers.
        choice: u32,
        /// The new text.
        text: &'a str,
    },
    /// A tool call's name or a part of its arguments.
    Tool {
        /// Which of n parallel answers.
        choice: u32,
        /// Which call within the answer.
        index: u32,
        /// The tool's name, in the event that starts the call.
        name: Option<&'a str>,
        /// The new argument text.
        arguments: &'a str,
    },
    /// Token usage, as far as this event gives it.
    Usage(Usage),
    /// The provider says why the answer ended.
    Finish {
        /// Which of n parallel answers.
        choice: u32,
        /// The provider's own word.
        reason: &'a str,
    },
    /// A terminal marker: `[DONE]`, `message_stop`, `done:true`.
    End {
        /// The marker.
        marker: &'a str,
    },
    /// Sent to keep the connection open.
    KeepAlive,
    /// An error inside the stream.
    Error {
        /// The provider's type word (`overloaded_error`, `throttlingException`), or "".
        kind: &'a str,
        /// Its more specific code word (`server_is_overloaded`, `UNAVAILABLE`), or "".
        detail: &'a str,
        /// A numeric code, if any; most providers repeat an HTTP status here.
        code: Option<u16>,
    },
    /// The answer starts over: what came after the last checkpoint is discarded, or all of it where there
    /// is none.
    Restart,
    /// A step of the answer begins; what came before it stays even if the step starts over.
    Checkpoint,
    /// A duration the server reports about itself. Kept beside ours, never mixed.
    ServerTiming {
        /// The server's own name for it.
        name: &'static str,
        /// In milliseconds.
        ms: f64,
    },
}

/// Token counts as the provider defines them. Missing is `None`, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Prompt tokens.
    pub input: Option<u64>,
    /// Generated tokens, reasoning included.
    pub output: Option<u64>,
    /// Reasoning tokens among them.
    pub reasoning: Option<u64>,
    /// Prompt tokens served from a cache.
    pub cached: Option<u64>,
    /// The provider's own sum. Shows whether its `output` holds the reasoning (xAI's does not: there
    /// input + output + reasoning = total).
    pub total: Option<u64>,
    /// Sent before the answer was generated: `output` is a placeholder, a later report replaces it.
    pub provisional: bool,
}

/// The kinds of one event, as a set. They, not the deltas, say whether an event counts as generated:
/// a delta's text may be empty while half of a surrogate pair is held back, and a tool's name may come
/// in an event that its provider means as a mere announcement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EventKinds(pub u16);

impl EventKinds {
    /// Non-empty answer text, or a refusal.
    pub const CONTENT: Self = Self(1);
    /// Non-empty reasoning text.
    pub const REASONING: Self = Self(1 << 1);
    /// A tool's name or arguments.
    pub const TOOL: Self = Self(1 << 2);
    /// Token usage.
    pub const USAGE: Self = Self(1 << 3);
    /// A terminal marker.
    pub const END: Self = Self(1 << 4);
    /// A keep-alive, comments included.
    pub const KEEPALIVE: Self = Self(1 << 5);
    /// An error.
    pub const ERROR: Self = Self(1 << 6);
    /// A known shape without generated text.
    pub const EMPTY: Self = Self(1 << 7);
    /// JSON of no known shape.
    pub const UNKNOWN: Self = Self(1 << 8);
    /// Not JSON where JSON was due.
    pub const INVALID: Self = Self(1 << 9);
    /// No event of the framing and not counted as one: a whole JSON body in place of a stream, or the
    /// `error:` field of old llama.cpp servers. Comes beside the other kinds.
    pub const UNFRAMED: Self = Self(1 << 10);
    /// Every kind and its word, in the order in which an event of several names them.
    const ALL: [(Self, &'static str); 11] = [
        (Self::CONTENT, "content"),
        (Self::REASONING, "reasoning"),
        (Self::TOOL, "tool"),
        (Self::USAGE, "usage"),
        (Self::END, "end"),
        (Self::KEEPALIVE, "keepalive"),
        (Self::ERROR, "error"),
        (Self::EMPTY, "empty"),
        (Self::UNKNOWN, "unknown"),
        (Self::INVALID, "invalid"),
        (Self::UNFRAMED, "unframed"),
    ];

    /// The words of all kinds in this set.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let in_set = move |(kind, _): &(Self, _)| self.contains(*kind);
        Self::ALL.into_iter().filter(in_set).map(|(_, word)| word)
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in this set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the event holds generated text of any kind.
    pub const fn is_generated(self) -> bool {
        self.intersects(Self::CONTENT.with(Self::REASONING).with(Self::TOOL))
    }

    /// Whether any of `other` is in this set.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether nothing is in this set.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// Receives what a probe understood, while it understands it. This is the only place text comes out:
/// the measurement itself holds none.
pub trait Sink {
    /// One piece of meaning, with the stamp of the read that completed its event.
    fn delta(&mut self, at: Stamp<Mono>, delta: &Delta<'_>) {
        let _ = (at, delta);
    }

    /// One whole event (or one comment), after its deltas.
    fn event(&mut self, at: Stamp<Mono>, kinds: EventKinds, is_comment: bool) {
        let _ = (at, kinds, is_comment);
    }

    /// One arrival gap of generated text, which ended at this stamp; before the event that ended it.
    fn gap(&mut self, at: Stamp<Mono>, length: Duration) {
        let _ = (at, length);
    }
}

/// A sink that wants nothing.
impl Sink for () {}
