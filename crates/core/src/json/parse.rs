//! The one pass: checks the syntax and notes the values.

use super::text::decode_all;
use super::{Kind, Node};
use crate::scan;

/// Deepest nesting that is read; the same as serde_json's.
pub(super) const MAX_DEPTH: u32 = 127;
/// Most values that are kept of one event; later ones are checked but missing.
pub(super) const MAX_NODES: usize = 1 << 16;

const NO_PARENT: u32 = u32::MAX;

/// Reads `text` into `nodes`; `None` when it is not one whole JSON value.
pub(super) fn document(text: &[u8], nodes: &mut Vec<Node>, keys: &mut String) -> Option<()> {
    u32::try_from(text.len()).ok()?;
    let mut parser = Parser {
        text,
        at: 0,
        nodes,
        keys,
        parent: NO_PARENT,
        dropped: 0,
        depth: 0,
        objects: 0,
        key: Key::default(),
    };
    parser.run()
}

struct Parser<'p> {
    text: &'p [u8],
    at: usize,
    nodes: &'p mut Vec<Node>,
    keys: &'p mut String,
    /// The open container's node. Its own parent waits in its `next`.
    parent: u32,
    /// Open containers that are not kept.
    dropped: u32,
    depth: u32,
    /// One bit a level, the innermost lowest: set for an object.
    objects: u128,
    /// The key of the value that is due.
    key: Key,
}

#[derive(Clone, Copy, Default)]
struct Key {
    start: u32,
    end: u32,
    decoded: bool,
}

impl Parser<'_> {
    fn run(&mut self) -> Option<()> {
        loop {
            if self.value()? {
                continue;
            }
            // A value is complete: close what ends here, up to the next comma or the end of it all.
            loop {
                let next = self.byte_after_blanks();
                if self.depth == 0 {
                    return next.is_none().then_some(());
                }
                self.at += 1;
                match (next?, self.objects & 1 == 1) {
                    (b',', true) => break self.member()?,
                    (b',', false) => break,
                    (b'}', true) | (b']', false) => self.close(),
                    _ => return None,
                }
            }
        }
    }

    /// Reads a scalar or an empty container, or opens a container: then true, a value is due in it.
    fn value(&mut self) -> Option<bool> {
        let first = self.byte_after_blanks()?;
        let start = self.at;
        self.at += 1;
        match first {
            b'"' => {
                let (end, escaped) = self.string()?;
                let kind = if escaped { Kind::Escaped } else { Kind::Plain };
                self.note(kind, start + 1, end);
            }
            b'{' => return self.open(Kind::Object, b'}', start),
            b'[' => return self.open(Kind::Array, b']', start),
            b'n' => self.literal(b"ull", Kind::Null, start)?,
            b't' => self.literal(b"rue", Kind::True, start)?,
            b'f' => self.literal(b"alse", Kind::False, start)?,
            b'-' | b'0'..=b'9' => self.numeral(first, start)?,
            _ => return None,
        }
        Some(false)
    }

    fn open(&mut self, kind: Kind, closer: u8, start: usize) -> Option<bool> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let is_object = kind == Kind::Object;
        self.objects = self.objects << 1 | u128::from(is_object);
        if self.dropped > 0 || self.nodes.len() >= MAX_NODES {
            self.dropped += 1;
        } else {
            let at = self.nodes.len() as u32;
            self.note(kind, start, start);
            if let Some(node) = self.nodes.last_mut() {
                node.next = self.parent;
            }
            self.parent = at;
        }
        if self.byte_after_blanks()? == closer {
            self.at += 1;
            self.close();
            return Some(false);
        }
        if is_object {
            self.member()?;
        }
        Some(true)
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
            node.end = self.at as u32;
        }
    }

    /// Reads a key and its colon.
    fn member(&mut self) -> Option<()> {
        if self.byte_after_blanks()? != b'"' {
            return None;
        }
        self.at += 1;
        let start = self.at;
        let (end, escaped) = self.string()?;
        self.key = if escaped {
            let from = self.keys.len() as u32;
            decode_all(self.text.get(start..end)?, self.keys);
            Key {
                start: from,
                end: self.keys.len() as u32,
                decoded: true,
            }
        } else {
            Key {
                start: start as u32,
                end: end as u32,
                decoded: false,
            }
        };
        if self.byte_after_blanks()? != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// Reads on from just after a quote; gives where the closing one is, and whether there are escapes.
    fn string(&mut self) -> Option<(usize, bool)> {
        let mut escaped = false;
        loop {
            self.at = scan::string_special(self.text, self.at)?;
            match self.text.get(self.at)? {
                b'"' => {
                    self.at += 1;
                    return Some((self.at - 1, escaped));
                }
                b'\\' => {
                    escaped = true;
                    let length = match self.text.get(self.at + 1)? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                        b'u' => {
                            let digits = self.text.get(self.at + 2..self.at + 6)?;
                            digits.iter().all(u8::is_ascii_hexdigit).then_some(6)?
                        }
                        _ => return None,
                    };
                    self.at += length;
                }
                _ => return None,
            }
        }
    }

    fn literal(&mut self, rest: &[u8], kind: Kind, start: usize) -> Option<()> {
        let end = self.at + rest.len();
        if self.text.get(self.at..end)? != rest {
            return None;
        }
        self.at = end;
        self.note(kind, start, end);
        Some(())
    }

    fn numeral(&mut self, first: u8, start: usize) -> Option<()> {
        let leading = if first == b'-' {
            self.at += 1;
            *self.text.get(self.at - 1)?
        } else {
            first
        };
        match leading {
            b'0' => {}
            b'1'..=b'9' => self.digits(),
            _ => return None,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.some_digits()?;
        }
        // Long lists of numbers (token ids, probabilities) are common, and nobody asks for them.
        if self.depth == 0 || self.objects & 1 == 1 {
            self.note(Kind::Number, start, self.at);
        }
        Some(())
    }

    fn some_digits(&mut self) -> Option<()> {
        let before = self.at;
        self.digits();
        (self.at > before).then_some(())
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn byte_after_blanks(&mut self) -> Option<u8> {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    fn note(&mut self, kind: Kind, start: usize, end: usize) {
        if self.dropped == 0 && self.nodes.len() < MAX_NODES {
            self.nodes.push(Node {
                kind,
                decoded_key: self.key.decoded,
                key_start: self.key.start,
                key_end: self.key.end,
                start: start as u32,
                end: end as u32,
                next: self.nodes.len() as u32 + 1,
            });
        }
    }
}
