//! The quick way: events of one stream look alike.
//!
//! Nearly all of an event's bytes are those of the event before it. Where the two differ within scalar
//! values only (other text, another number, `null` become `"stop"`), the structure is the same, so the
//! earlier event's notes are right once they are moved; the equal bytes need no second look. Anything else
//! is read the long way.

use super::parse::{after_blanks, scalar};
use super::{Kind, Node};
use crate::scan::common_prefix;

/// Longest event that is kept to compare the next one with.
const LONGEST: usize = 8 << 10;

/// The text that the notes belong to.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    text: Vec<u8>,
}

impl Earlier {
    pub(super) fn forget(&mut self) {
        self.text.clear();
    }

    /// Keeps the text of an event that was read.
    pub(super) fn keep(&mut self, text: &[u8]) {
        self.text.clear();
        if text.len() <= LONGEST {
            self.text.extend_from_slice(text);
        }
    }

    /// Makes `nodes` those of `text` if it is JSON of the same structure. If not they are spoilt.
    pub(super) fn is_alike(&mut self, text: &[u8], nodes: &mut [Node]) -> bool {
        if self.text.is_empty() || text.len() > LONGEST {
            return false;
        }
        // Up to here the two are alike; the notes behind `ours` lie as if the rest were the same.
        let (mut ours, mut theirs, mut from) = (0, 0, 0);
        loop {
            let left = text.get(ours..).unwrap_or_default();
            let earlier = self.text.get(theirs..).unwrap_or_default();
            let equal = common_prefix(left, earlier);
            ours += equal;
            theirs += equal;
            if equal == left.len() && equal == earlier.len() {
                self.keep(text);
                return true;
            }
            if let Some(at) = differing(nodes, from, ours) {
                let Some((old, new)) = replace(text, nodes, at) else {
                    return false;
                };
                theirs += old - ours;
                ours = new;
                from = at + 1;
            } else {
                // Some pad their events with blanks to hide their sizes.
                let (new, old) = (after_blanks(text, ours), after_blanks(&self.text, theirs));
                if (new, old) == (ours, theirs) {
                    return false;
                }
                shift(nodes, ours, (new - ours).wrapping_sub(old - theirs));
                (ours, theirs) = (new, old);
            }
        }
    }
}

impl Node {
    /// With its quote.
    fn outer_start(&self) -> usize {
        self.start as usize - quotes(self.kind)
    }

    fn outer_end(&self) -> usize {
        self.end as usize + quotes(self.kind)
    }
}

fn quotes(kind: Kind) -> usize {
    usize::from(matches!(kind, Kind::Plain | Kind::Escaped))
}

/// The scalar, from `from` on, in which or at whose end the byte at `at` lies.
fn differing(nodes: &[Node], from: usize, at: usize) -> Option<usize> {
    let rest = nodes.get(from..)?;
    let found = rest.iter().position(|node| {
        !matches!(node.kind, Kind::Array | Kind::Object) && node.outer_end() >= at
    })?;
    (rest.get(found)?.outer_start() <= at).then_some(from + found)
}

/// Notes the new value in place of the one at `at`; gives where that ended and where the new one does.
fn replace(text: &[u8], nodes: &mut [Node], at: usize) -> Option<(usize, usize)> {
    let before = *nodes.get(at)?;
    let (kind, start, end) = scalar(text, before.outer_start())?;
    // Numbers are noted only where they have a key.
    if (kind == Kind::Number) != (before.kind == Kind::Number) {
        return None;
    }
    let (old, new) = (before.outer_end(), end + quotes(kind));
    shift(nodes, old, new.wrapping_sub(old));
    let node = nodes.get_mut(at)?;
    (node.kind, node.start, node.end) = (kind, start as u32, end as u32);
    Some((old, new))
}

/// Moves what begins at or behind `from`, and what ends behind it.
fn shift(nodes: &mut [Node], from: usize, by: usize) {
    let (from, by) = (from as u32, by as u32);
    if by == 0 {
        return;
    }
    for node in nodes {
        if node.end > from {
            node.end = node.end.wrapping_add(by);
            if node.start >= from {
                node.start = node.start.wrapping_add(by);
            }
        }
    }
}
