//! The one pass: checks the syntax and notes the values.

use super::text::decode_all;
use super::{Kind, Node};
use crate::scan::string_special;
use crate::words::Word;

/// Deepest nesting that is read; the same as serde_json's.
pub(super) const MAX_DEPTH: u32 = 127;
/// Most values that are kept of one event; later ones are checked but missing.
pub(super) const MAX_NODES: usize = 1 << 16;

const NO_PARENT: u32 = u32::MAX;

/// Reads `text` into `nodes`; `None` when it is not one whole JSON value.
pub(super) fn document(text: &[u8], nodes: &mut Vec<Node>) -> Option<()> {
    u32::try_from(text.len()).ok()?;
    let mut notes = Notes {
        nodes,
        parent: NO_PARENT,
        dropped: 0,
        depth: 0,
        objects: 0,
        key: Word::Other,
    };
    let mut at = 0;
    loop {
        // A value is due.
        at = after_blanks(text, at);
        let first = *text.get(at)?;
        if let b'{' | b'[' = first {
            notes.open(first, at)?;
            at = after_blanks(text, at + 1);
            // `[` and `{` are two below their closing brackets.
            if *text.get(at)? != first + 2 {
                if first == b'{' {
                    at = member(text, at, &mut notes)?;
                }
                continue;
            }
            at += 1;
            notes.close();
        } else {
            let (kind, start, end) = scalar(text, at)?;
            // Long lists of numbers (token ids, probabilities) are common; nobody asks for them.
            if kind != Kind::Number || notes.depth == 0 || notes.in_object() {
                notes.note(text, kind, start, end);
            }
            at = end;
        }
        // A value is complete: close what ends here, up to the next comma or the end of it all.
        loop {
            at = after_blanks(text, at);
            if notes.depth == 0 {
                return (at == text.len()).then_some(());
            }
            match (*text.get(at)?, notes.in_object()) {
                (b',', true) => break at = member(text, at + 1, &mut notes)?,
                (b',', false) => {
                    notes.key = Word::Other;
                    break at += 1;
                }
                (b'}', true) | (b']', false) => at += 1,
                _ => return None,
            }
            notes.close();
        }
    }
}

/// Reads a key and its colon.
fn member(text: &[u8], at: usize, notes: &mut Notes<'_>) -> Option<usize> {
    let at = after_blanks(text, at);
    if *text.get(at)? != b'"' {
        return None;
    }
    let start = at + 1;
    let (end, escaped) = string_end(text, start)?;
    let key = text.get(start..end)?;
    notes.key = if escaped {
        let mut decoded = String::new();
        decode_all(key, &mut decoded);
        Word::of(decoded.as_bytes())
    } else {
        Word::of(key)
    };
    let at = after_blanks(text, end + 1);
    (*text.get(at)? == b':').then_some(at + 1)
}

/// The string, number or literal at `at`: its kind, and where it lies (strings: with their quotes).
pub(super) fn scalar(text: &[u8], at: usize) -> Option<(Kind, usize, usize)> {
    match *text.get(at)? {
        b'"' => {
            let (end, escaped) = string_end(text, at + 1)?;
            let kind = if escaped { Kind::Escaped } else { Kind::Plain };
            Some((kind, at, end + 1))
        }
        b'-' | b'0'..=b'9' => Some((Kind::Number, at, number_end(text, at)?)),
        _ => literal(text, at),
    }
}

/// Where the string that begins at `at` (after its quote) has its closing quote, and whether it has
/// escapes.
#[inline]
fn string_end(text: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut escaped = false;
    loop {
        at = string_special(text, at)?;
        match *text.get(at)? {
            b'"' => return Some((at, escaped)),
            b'\\' => at = escape_end(text, at)?,
            _ => return None,
        }
        escaped = true;
    }
}

fn escape_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => {
            let digits = text.get(at + 2..at + 6)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(at + 6)
        }
        _ => None,
    }
}

fn literal(text: &[u8], at: usize) -> Option<(Kind, usize, usize)> {
    let rest = text.get(at..)?;
    let (word, kind) = match rest.first()? {
        b'n' => (&b"null"[..], Kind::Null),
        b't' => (&b"true"[..], Kind::True),
        _ => (&b"false"[..], Kind::False),
    };
    rest.starts_with(word)
        .then_some((kind, at, at + word.len()))
}

fn number_end(text: &[u8], mut at: usize) -> Option<usize> {
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    at = match text.get(at)? {
        b'0' => at + 1,
        _ => digits_end(text, at)?,
    };
    if text.get(at) == Some(&b'.') {
        at = digits_end(text, at + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1;
        if let Some(b'+' | b'-') = text.get(at) {
            at += 1;
        }
        at = digits_end(text, at)?;
    }
    Some(at)
}

/// Past one digit and all after it.
fn digits_end(text: &[u8], from: usize) -> Option<usize> {
    let digits = text.get(from..)?.iter().take_while(|b| b.is_ascii_digit());
    let count = digits.count();
    (count > 0).then_some(from + count)
}

#[inline]
pub(super) fn after_blanks(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}

/// The values noted so far, and which containers are open.
struct Notes<'n> {
    nodes: &'n mut Vec<Node>,
    /// The open container's node. Its own parent waits in its `next`.
    parent: u32,
    /// Open containers that are not kept.
    dropped: u32,
    depth: u32,
    /// One bit a level, the innermost lowest: set for an object.
    objects: u128,
    /// The key of the value that is due.
    key: Word,
}

impl Notes<'_> {
    #[inline]
    fn in_object(&self) -> bool {
        self.objects & 1 == 1
    }

    #[inline]
    fn note(&mut self, text: &[u8], kind: Kind, start: usize, end: usize) {
        if self.dropped == 0 && self.nodes.len() < MAX_NODES {
            let mut node = self.node(kind, start);
            node.note(text, kind, start, end);
            self.nodes.push(node);
        }
    }

    fn node(&self, kind: Kind, start: usize) -> Node {
        Node {
            kind,
            key: self.key,
            word: Word::Other,
            start: start as u32,
            end: start as u32,
            next: self.nodes.len() as u32 + 1,
        }
    }

    fn open(&mut self, bracket: u8, start: usize) -> Option<()> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        let is_object = bracket == b'{';
        self.depth += 1;
        self.objects = self.objects << 1 | u128::from(is_object);
        if self.dropped > 0 || self.nodes.len() >= MAX_NODES {
            self.dropped += 1;
            return Some(());
        }
        let at = self.nodes.len() as u32;
        let kind = if is_object { Kind::Object } else { Kind::Array };
        let mut node = self.node(kind, start);
        node.next = self.parent;
        self.nodes.push(node);
        self.parent = at;
        self.key = Word::Other;
        Some(())
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.objects >>= 1;
        if self.dropped > 0 {
            self.dropped -= 1;
            return;
        }
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(self.parent as usize) {
            self.parent = node.next;
            node.next = next;
        }
    }
}
