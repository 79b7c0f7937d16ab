//! Which framing a body has: what the caller knows, what the content type says, and the first byte that
//! is not blank, which has the last word: `{` and `[` never begin an SSE line, `<` begins no stream at all.

use super::Origin;
use crate::reader::Problem;

/// What is known before the first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    Ndjson,
    /// The body is one JSON text, or so it says: streams are served under that name too.
    Json,
    Aws,
}

impl Hint {
    /// From a framing's name or a content type. Both may be wrong or absent.
    pub(crate) fn new(framing: Option<&str>, content_type: Option<&str>) -> Option<Self> {
        if let Some(name) = framing {
            return match name {
                "ndjson" | "jsonl" => Some(Self::Ndjson),
                "json" => Some(Self::Json),
                "aws_eventstream" | "aws-eventstream" | "eventstream" => Some(Self::Aws),
                _ => None,
            };
        }
        let essence = content_type?.split(';').next()?.trim();
        CONTENT_TYPES
            .iter()
            .find(|(known, _)| essence.eq_ignore_ascii_case(known))
            .map(|(_, hint)| *hint)
    }
}

const CONTENT_TYPES: &[(&str, Hint)] = &[
    ("application/x-ndjson", Hint::Ndjson),
    ("application/ndjson", Hint::Ndjson),
    ("application/jsonl", Hint::Ndjson),
    ("application/x-jsonlines", Hint::Ndjson),
    ("application/json", Hint::Json),
    ("application/vnd.amazon.eventstream", Hint::Aws),
];

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sse,
    Ndjson,
    /// A JSON array of messages.
    Array,
    /// One JSON value, perhaps followed by others.
    Bare(Origin),
    Aws,
    /// Nothing readable.
    Problem(Problem),
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Looks at the first bytes, over as many reads as it takes. One byte order mark and leading blank lines
/// are dropped.
#[derive(Debug)]
pub(crate) struct Detector {
    hint: Option<Hint>,
    /// Bytes of a byte order mark seen so far.
    bom: usize,
    past_bom: bool,
    /// The present line began with blanks: it is then no known field of SSE.
    indented: bool,
}

impl Detector {
    pub(super) fn new(hint: Option<Hint>) -> Self {
        Self {
            hint,
            bom: 0,
            past_bom: false,
            indented: false,
        }
    }

    /// The verdict and the bytes to go on with, as soon as there is one.
    pub(super) fn look<'r>(&mut self, bytes: &'r [u8]) -> Option<(Verdict, &'r [u8])> {
        if self.hint == Some(Hint::Aws) && !bytes.is_empty() {
            return Some((Verdict::Aws, bytes));
        }
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            if !self.past_bom {
                if BOM.get(self.bom) == Some(byte) {
                    self.bom += 1;
                    rest = after;
                    continue;
                }
                self.past_bom = true;
                if matches!(self.bom, 1 | 2) {
                    return Some((Verdict::Sse, rest));
                }
                self.bom = 0;
            }
            match byte {
                b' ' | b'\t' => self.indented = true,
                b'\n' | b'\r' => self.indented = false,
                _ => return Some((self.judge(*byte), rest)),
            }
            rest = after;
        }
        None
    }

    /// Bytes that were taken but belong to the first line.
    pub(super) fn skipped(&self) -> &'static [u8] {
        if self.indented {
            b" "
        } else {
            BOM.get(..self.bom).unwrap_or_default()
        }
    }

    fn judge(&self, first: u8) -> Verdict {
        match first {
            b'{' if self.hint == Some(Hint::Ndjson) => Verdict::Ndjson,
            b'{' if self.hint == Some(Hint::Json) => Verdict::Bare(Origin::Whole),
            b'{' => Verdict::Bare(Origin::First),
            b'[' => Verdict::Array,
            b'<' => Verdict::Problem(Problem::NotAStream),
            // The first byte of gzip; no text begins with it.
            0x1f => Verdict::Problem(Problem::UndecodedBody),
            // The first byte of a length below 16 MiB; no text begins with it either.
            0 => Verdict::Aws,
            _ => Verdict::Sse,
        }
    }
}
