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
        // So far the two are alike. The notes before `from` are the new text's, the others still the old one's.
        let (mut new, mut old, mut from) = (0, 0, 0);
        loop {
            let left = text.get(new..).unwrap_or_default();
            let earlier = self.text.get(old..).unwrap_or_default();
            let equal = common_prefix(left, earlier);
            // Positions are below `LONGEST`; backwards is a wrap around.
            let by = (new as u32).wrapping_sub(old as u32);
            new += equal;
            old += equal;
            if equal == left.len() && equal == earlier.len() {
                move_all_before(usize::MAX, by, nodes, from);
                self.keep(text);
                return true;
            }
            from = move_all_before(old, by, nodes, from);
            match nodes.get_mut(from) {
                Some(node) if node.is_scalar() && (node.start as usize) <= old => {
                    let Some((was, is)) = replace(text, node, by) else {
                        return false;
                    };
                    (old, new) = (was, is);
                    from += 1;
                }
                _ => {
                    // Some pad their events with blanks to hide their sizes.
                    let blanks = (after_blanks(&self.text, old), after_blanks(text, new));
                    let last = from.checked_sub(1).and_then(|last| nodes.get(last));
                    if blanks == (old, new) || !is_between_tokens(text, last, new) {
                        return false;
                    }
                    (old, new) = blanks;
                }
            }
        }
    }
}

impl Node {
    fn is_scalar(&self) -> bool {
        !matches!(self.kind, Kind::Array | Kind::Object)
    }
}

/// Whether the place behind the last note lies in neither a key nor a number of an array: these are not noted.
fn is_between_tokens(text: &[u8], last: Option<&Node>, at: usize) -> bool {
    let from = last.map_or(0, |last| last.end as usize);
    let mut bytes = text.get(from..at).unwrap_or_default().iter();
    let (mut in_key, mut before) = (false, b' ');
    while let Some(byte) = bytes.next() {
        before = *byte;
        match byte {
            b'"' => in_key = !in_key,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
    !in_key && !before.is_ascii_alphanumeric() && !matches!(before, b'-' | b'+' | b'.')
}

/// Moves the notes, from `from` on, of what lies before `end`; gives the first that does not.
#[inline]
fn move_all_before(end: usize, by: u32, nodes: &mut [Node], from: usize) -> usize {
    let rest = nodes.get_mut(from..).unwrap_or_default();
    let mut count = from;
    for node in rest {
        if node.end as usize >= end {
            break;
        }
        node.start = node.start.wrapping_add(by);
        node.end = node.end.wrapping_add(by);
        count += 1;
    }
    count
}

/// Notes the new value in place of an old one; gives where that ended and where the new one does.
fn replace(text: &[u8], node: &mut Node, by: u32) -> Option<(usize, usize)> {
    let (kind, start, end) = scalar(text, node.start.wrapping_add(by) as usize)?;
    // Numbers are noted only where they have a key.
    if (kind == Kind::Number) != (node.kind == Kind::Number) {
        return None;
    }
    let was = node.end as usize;
    node.note(text, kind, start, end);
    Some((was, end))
}
