//! A small JSON reader: one pass validates an event and notes where its values lie; text is decoded only
//! when somebody asks for it.
//!
//! Why our own: the core runs inside a page, so its reader must be small and must not copy what nobody
//! asks for; and half a surrogate pair at the end of a string, which serde_json refuses, is daily bread
//! in token streams. What it takes for granted: RFC 8259 syntax, at most [`parse::MAX_DEPTH`] levels deep
//! (deeper is not JSON to it), the last of duplicated keys counts, numbers inside arrays are checked but
//! not kept, and no more than [`parse::MAX_NODES`] values are kept of one event.

use crate::words::Word;

mod alike;
mod parse;
mod text;

pub(crate) use text::{compact, decode, lossy};

/// What kind of value a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No such value.
    Missing,
    Null,
    False,
    True,
    Number,
    /// A string whose bytes are its text.
    Plain,
    /// A string with escapes.
    Escaped,
    Array,
    Object,
}

/// Where one value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    kind: Kind,
    key: Word,
    /// Strings: without the quotes.
    start: u32,
    end: u32,
    /// The node after this value and all in it.
    next: u32,
}

/// The reader. Keeps its memory from event to event.
#[derive(Debug, Default)]
pub(crate) struct Json {
    nodes: Vec<Node>,
    earlier: alike::Earlier,
}

impl Json {
    /// Reads one whole JSON text. `None`: it is not JSON.
    pub(crate) fn read<'a>(&'a mut self, text: &'a [u8]) -> Option<Doc<'a>> {
        if !self.earlier.is_alike(text, &mut self.nodes) {
            self.earlier.forget();
            self.nodes.clear();
            parse::document(text, &mut self.nodes)?;
            self.earlier.keep(text);
        }
        Some(Doc {
            nodes: &self.nodes,
            text,
        })
    }
}

/// One JSON text that was read.
#[derive(Debug)]
pub(crate) struct Doc<'a> {
    nodes: &'a [Node],
    text: &'a [u8],
}

impl Doc<'_> {
    /// The outermost value.
    pub(crate) fn root(&self) -> Value<'_> {
        Value { doc: self, at: 0 }
    }
}

/// One value, or the absence of one: asking a missing value for more gives missing values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    doc: &'a Doc<'a>,
    at: usize,
}

impl<'a> Value<'a> {
    fn node(self) -> Option<&'a Node> {
        self.doc.nodes.get(self.at)
    }

    pub(crate) fn kind(self) -> Kind {
        self.node().map_or(Kind::Missing, |node| node.kind)
    }

    /// Neither missing nor null.
    pub(crate) fn is_some(self) -> bool {
        !matches!(self.kind(), Kind::Missing | Kind::Null)
    }

    pub(crate) fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    pub(crate) fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    pub(crate) fn is_string(self) -> bool {
        matches!(self.kind(), Kind::Plain | Kind::Escaped)
    }

    pub(crate) fn is_bool(self) -> bool {
        matches!(self.kind(), Kind::True | Kind::False)
    }

    pub(crate) fn has_escapes(self) -> bool {
        self.kind() == Kind::Escaped
    }

    pub(crate) fn is_true(self) -> bool {
        self.kind() == Kind::True
    }

    /// Whether it is a string whose text is not empty.
    pub(crate) fn has_text(self) -> bool {
        self.is_string() && !self.raw().is_empty()
    }

    /// The value's bytes as they came (strings: without their quotes, escapes kept).
    pub(crate) fn raw(self) -> &'a [u8] {
        self.node()
            .and_then(|n| self.doc.text.get(n.start as usize..n.end as usize))
            .unwrap_or_default()
    }

    /// The bytes of a string as they came; empty for anything else.
    pub(crate) fn bytes(self) -> &'a [u8] {
        if self.is_string() { self.raw() } else { &[] }
    }

    /// The string as one of the known words, none of which needs an escape.
    pub(crate) fn word(self) -> Word {
        Word::of(self.bytes())
    }

    /// A non-negative whole number that fits.
    pub(crate) fn count(self) -> Option<u64> {
        (self.kind() == Kind::Number).then(|| text::count(self.raw()))?
    }

    /// The same, also where it is written as a string.
    pub(crate) fn digits(self) -> Option<u64> {
        text::count(self.raw())
    }

    /// A number, correct to the last bit or two.
    pub(crate) fn number(self) -> Option<f64> {
        (self.kind() == Kind::Number).then(|| text::number(self.raw()))
    }

    /// The member of that name; the last one where there are several.
    pub(crate) fn get(self, key: Word) -> Value<'a> {
        let mut found = self.missing();
        for (name, value) in self.members() {
            if name == key {
                found = value;
            }
        }
        found
    }

    /// An object's members; nothing for anything else.
    pub(crate) fn members(self) -> impl Iterator<Item = (Word, Value<'a>)> {
        self.children(Kind::Object)
            .map(|(node, value)| (node.key, value))
    }

    /// An array's elements (numbers left out); nothing for anything else.
    pub(crate) fn items(self) -> impl Iterator<Item = Value<'a>> {
        self.children(Kind::Array).map(|(_, value)| value)
    }

    /// A value that is not there.
    pub(crate) fn missing(self) -> Value<'a> {
        Value {
            at: usize::MAX,
            ..self
        }
    }

    fn children(self, of: Kind) -> Children<'a> {
        let rest = match self.node() {
            Some(node) if node.kind == of => self.doc.nodes.get(self.at + 1..node.next as usize),
            _ => None,
        };
        Children {
            doc: self.doc,
            at: self.at.wrapping_add(1),
            rest: rest.unwrap_or_default(),
        }
    }
}

struct Children<'a> {
    doc: &'a Doc<'a>,
    at: usize,
    /// The nodes from `at` on.
    rest: &'a [Node],
}

impl<'a> Iterator for Children<'a> {
    type Item = (&'a Node, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let node = self.rest.first()?;
        let value = Value {
            doc: self.doc,
            at: self.at,
        };
        let next = node.next as usize;
        self.rest = self
            .rest
            .get(next.wrapping_sub(self.at)..)
            .unwrap_or_default();
        self.at = next;
        Some((node, value))
    }
}

#[cfg(test)]
mod tests;
