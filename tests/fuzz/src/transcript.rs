//! What a reader understood, comparable across ways to read.

use streamlag_core::delta::{Delta, EventKinds};
use streamlag_core::reader::{Events, Problem};

/// All of it, in order.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Transcript {
    said: Vec<String>,
    events: usize,
}

impl Transcript {
    /// How many events there were, comments among them.
    pub(crate) fn events(&self) -> usize {
        self.events
    }
}

impl Events for Transcript {
    fn delta(&mut self, delta: &Delta<'_>) {
        self.said.push(format!("{delta:?}"));
    }
    fn event(&mut self, kinds: EventKinds, is_comment: bool) {
        self.events += 1;
        self.said.push(format!("{kinds:?} {is_comment}"));
    }
    fn problem(&mut self, problem: Problem) {
        self.said.push(format!("{problem:?}"));
    }
}

/// Listens to nothing, and takes no room.
pub(crate) struct Nothing;

impl Events for Nothing {
    fn delta(&mut self, _: &Delta<'_>) {}
    fn event(&mut self, _: EventKinds, _: bool) {}
    fn problem(&mut self, _: Problem) {}
}
