//! Which framing a body has: what the caller knows, what the content type says, and the first byte that
//! is not blank, which has the last word: `{` and `[` never begin an SSE line, `<` begins no stream at all.

use crate::reader::Problem;

/// What is known before the first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    Ndjson,
}

impl Hint {
    /// From a framing's name or a content type. Both may be wrong or absent.
    pub(crate) fn new(framing: Option<&str>, content_type: Option<&str>) -> Option<Self> {
        if let Some("ndjson" | "jsonl") = framing {
            return Some(Self::Ndjson);
        }
        if framing.is_some() {
            return None;
        }
        let essence = content_type?.split(';').next()?.trim();
        [
            "application/x-ndjson",
            "application/ndjson",
            "application/jsonl",
            "application/x-jsonlines",
        ]
        .iter()
        .any(|known| essence.eq_ignore_ascii_case(known))
        .then_some(Self::Ndjson)
    }
}

/// What the first bytes say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sse,
    Ndjson,
    /// A JSON array of messages.
    Array,
    /// One JSON value, perhaps followed by others.
    Bare,
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
            b'{' => Verdict::Bare,
            b'[' => Verdict::Array,
            b'<' => Verdict::Problem(Problem::NotAStream),
            // The first byte of gzip; no text begins with it.
            0x1f => Verdict::Problem(Problem::UndecodedBody),
            _ => Verdict::Sse,
        }
    }
}
