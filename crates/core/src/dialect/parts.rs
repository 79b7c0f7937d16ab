//! Which parts of an answer came in pieces: what ends a part repeats all of it, and is new only where no
//! piece came before.

use super::state::{Channel, MOST};

/// The parts of which anything was told.
#[derive(Debug, Default)]
pub(super) struct Parts(Vec<Part>);

/// A part by its channel and its places; a place that its sender leaves out may be any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) channel: Channel,
    pub(super) item: Option<u32>,
    pub(super) within: Option<u32>,
}

impl Parts {
    /// Notes the part; says whether it was noted before.
    pub(super) fn note(&mut self, part: Part) -> bool {
        let known = self.0.iter().rev().any(|known| known.may_be(part));
        if !known && self.0.len() < MOST {
            self.0.push(part);
        }
        known
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Part {
    fn may_be(self, other: Self) -> bool {
        let alike = |a: Option<u32>, b: Option<u32>| a.is_none() || b.is_none() || a == b;
        self.channel == other.channel
            && alike(self.item, other.item)
            && alike(self.within, other.within)
    }
}
