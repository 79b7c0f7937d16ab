//! A small JSON reader: one pass validates an event and notes where its values lie; text is decoded only
//! when somebody asks for it.
//!
//! Why our own, and not a library. `cargo xtask bench parse` prints the numbers; these are of one machine:
//!
//! - Meaning. Token streams cut characters in two. A string that ends in half a surrogate pair, or in bytes
//!   that are no UTF-8, is no JSON to serde_json and jiter; here the next event completes it. Nor can they be
//!   asked for the keys of sixteen families in one pass.
//! - Size. With all framings and families the reader is 28 KB of wasm under brotli; serde_json's `Value` is
//!   15 KB, and has neither. jiter does not build for a page as it is.
//! - Speed. With `Value`, sse-stream and serde_json take 5.2 times our time for OpenAI's events, 2.4 times
//!   for Anthropic's; with types for one provider's events alone 2.0 and 1.4 times. In a page,
//!   eventsource-parser and `JSON.parse` take 3.9 and 1.9 times our time. Most of it comes from [`alike`].
//!
//! What it takes for granted: RFC 8259 syntax, at most [`parse::MAX_DEPTH`] levels deep (deeper is not JSON
//! to it), the last of duplicated keys counts, numbers inside arrays are checked but not kept, and no more
//! than [`parse::MAX_NODES`] values are kept of one event.

use crate::words::Word;

mod alike;
mod parse;
mod text;

pub(crate) use text::{decode, lossy};

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
    /// The text, where it is a string that is known.
    word: Word,
    start: u32,
    /// Strings: behind the closing quote. Containers: no more than their start.
    end: u32,
    /// The node after this value and all in it.
    next: u32,
}

impl Node {
    /// Notes a scalar.
    #[inline]
    fn note(&mut self, text: &[u8], kind: Kind, start: usize, end: usize) {
        self.kind = kind;
        self.start = start as u32;
        self.end = end as u32;
        // No word needs an escape.
        self.word = match kind {
            Kind::Plain => Word::of(text.get(start + 1..end - 1).unwrap_or_default()),
            _ => Word::Other,
        };
    }
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

    /// Out of line for the same reason as [`Doc::find`].
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn kind(&self, at: usize) -> Kind {
        self.nodes.get(at).map_or(Kind::Missing, |node| node.kind)
    }

    /// Where the member of that name of the object at `at` is. In a page out of line: dialects ask for more than a
    /// hundred members, and the page pays for each copy of the loop.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn find(&self, at: usize, key: Word) -> usize {
        let mut found = MISSING;
        let value = Value { doc: self, at };
        for (node, value) in value.children(Kind::Object) {
            if node.key == key {
                found = value.at;
            }
        }
        found
    }
}

/// Where nothing is.
const MISSING: usize = usize::MAX;

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
        self.doc.kind(self.at)
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

    /// The bytes of a scalar as they came (strings: without their quotes, escapes kept); empty for anything else.
    pub(crate) fn raw(self) -> &'a [u8] {
        let Some(node) = self.node() else {
            return &[];
        };
        let quote = usize::from(matches!(node.kind, Kind::Plain | Kind::Escaped));
        let inside = node.start as usize + quote..(node.end as usize).wrapping_sub(quote);
        self.doc.text.get(inside).unwrap_or_default()
    }

    /// The JSON text of an array or object, without the white space between its tokens, appended to `out`.
    pub(crate) fn compact(self, out: &mut String) {
        let start = self.node().map_or(usize::MAX, |node| node.start as usize);
        text::compact(self.doc.text.get(start..).unwrap_or_default(), out);
    }

    /// The bytes of a string as they came; empty for anything else.
    pub(crate) fn bytes(self) -> &'a [u8] {
        if self.is_string() { self.raw() } else { &[] }
    }

    /// The string as one of the known words, none of which needs an escape.
    pub(crate) fn word(self) -> Word {
        self.node().map_or(Word::Other, |node| node.word)
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
        Value {
            at: self.doc.find(self.at, key),
            ..self
        }
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
            at: MISSING,
            ..self
        }
    }

    fn children(self, of: Kind) -> Children<'a> {
        let end = self.node().filter(|node| node.kind == of);
        Children {
            doc: self.doc,
            at: self.at.wrapping_add(1),
            end: end.map_or(0, |node| node.next as usize),
        }
    }
}

/// What lies directly in a container.
struct Children<'a> {
    doc: &'a Doc<'a>,
    at: usize,
    end: usize,
}

impl<'a> Iterator for Children<'a> {
    type Item = (&'a Node, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let node = self.doc.nodes.get(at).filter(|_| at < self.end)?;
        self.at = node.next as usize;
        Some((node, Value { doc: self.doc, at }))
    }
}

#[cfg(test)]
mod tests;
