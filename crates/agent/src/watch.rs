//! What a stream tells the page that shows it, while it happens. The text comes out here and nowhere else.

use streamlag_core::{EventKinds, Mono, Sink, Stamp, Visibility};
use streamlag_wire::Record;

/// One thing worth drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// The request was handed to the network.
    Sent,
    /// Status and headers came.
    Headers {
        /// HTTP status.
        status: u16,
    },
    /// A body read returned; its deltas went to the sink before.
    Read {
        /// Its number, from 0: what `committed` wants to be told.
        index: u32,
        /// Its bytes.
        bytes: u32,
        /// The kinds of all events that it completed.
        kinds: EventKinds,
    },
    /// A frame showed new text; the mark's stamp is its earliest bound.
    Painted {
        /// The latest bound of the frame's submission.
        latest: Stamp<Mono>,
    },
    /// The main thread was blocked from the mark's stamp on.
    Blocked {
        /// The end of the block.
        until: Stamp<Mono>,
    },
    /// The page's visibility, at start and at each change.
    Visibility(Visibility),
    /// Nothing more comes from the network; the last frames may still.
    BodyEnded,
}

/// Receives deltas (as a [`Sink`]) and marks of one stream. Its calls cost measured time: store what is
/// told and draw in the next animation frame.
pub trait Watcher: Sink {
    /// Something happened at `at`.
    fn mark(&mut self, at: Stamp<Mono>, mark: Mark) {
        let _ = (at, mark);
    }

    /// The stream is over and its record is on its way to the collector. Called once.
    fn ended(&mut self, record: Record) {
        let _ = record;
    }
}

impl Watcher for () {}

/// Hands everything on and remembers which kinds of events one read completed.
pub(crate) struct Gather<'a> {
    pub(crate) watcher: &'a mut dyn Watcher,
    pub(crate) kinds: EventKinds,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(watcher: &'a mut dyn Watcher) -> Self {
        Self {
            watcher,
            kinds: EventKinds::default(),
        }
    }
}

impl Sink for Gather<'_> {
    fn delta(&mut self, at: Stamp<Mono>, delta: &streamlag_core::Delta<'_>) {
        self.watcher.delta(at, delta);
    }

    fn event(&mut self, at: Stamp<Mono>, kinds: EventKinds, is_comment: bool) {
        self.kinds = self.kinds.with(kinds);
        self.watcher.event(at, kinds, is_comment);
    }
}
