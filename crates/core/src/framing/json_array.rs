//! JSON values one after the other: the elements of one array, each usable before the closing bracket, or
//! the first value of a body that begins with `{` and was not announced as anything.

use super::{Frame, Frames, MAX, Origin};
use crate::reader::Problem;
use crate::scan::string_special;

/// Finds where values end by counting brackets; whether they are JSON is seen by who reads them.
#[derive(Debug)]
pub(crate) struct Values {
    /// What a single value without an array around it is.
    bare: Option<Origin>,
    /// The array's opening or closing bracket was seen.
    opened: bool,
    closed: bool,
    /// Inside a value. The rest says where in it.
    within: bool,
    depth: u32,
    in_string: bool,
    escaped: bool,
    scalar: bool,
    after_feed: bool,
    /// The beginning of a value whose end an earlier read did not hold.
    kept: Vec<u8>,
    dropping: bool,
}

/// What the next byte does to the value.
enum Step {
    Goes,
    /// It is the value's last byte, or the first one after it.
    Ends {
        inclusive: bool,
    },
    /// The value was cut off and another line begins.
    Breaks,
}

impl Values {
    pub(super) fn array() -> Self {
        Self {
            bare: None,
            opened: false,
            closed: false,
            within: false,
            depth: 0,
            in_string: false,
            escaped: false,
            scalar: false,
            after_feed: false,
            kept: Vec::new(),
            dropping: false,
        }
    }

    pub(super) fn bare(origin: Origin) -> Self {
        Self {
            bare: Some(origin),
            ..Self::array()
        }
    }

    pub(super) fn name(&self) -> &'static str {
        if self.bare.is_some() {
            "json"
        } else {
            "jsonarray"
        }
    }

    /// Takes one read. After a bare value the rest is returned: it is lines.
    pub(super) fn push<'r>(&mut self, bytes: &'r [u8], out: &mut dyn Frames) -> Option<&'r [u8]> {
        let mut start = 0;
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if !self.within {
                self.between(*byte);
                if self.within {
                    start = at;
                } else {
                    at += 1;
                }
                continue;
            }
            let end = match self.step(bytes, &mut at) {
                Step::Goes => continue,
                Step::Ends { inclusive } => at + usize::from(inclusive),
                Step::Breaks => at,
            };
            self.emit(bytes.get(start..end).unwrap_or_default(), out);
            at = end;
            if self.bare.is_some() {
                return bytes.get(at..);
            }
        }
        if self.within {
            self.keep(bytes.get(start..).unwrap_or_default(), out);
        }
        None
    }

    pub(super) fn finish(&mut self, out: &mut dyn Frames) {
        if self.within && !self.dropping {
            out.problem(Problem::TailUnterminated);
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' => {}
            _ if self.closed => {}
            b'[' if !self.opened && self.bare.is_none() => self.opened = true,
            b']' if self.bare.is_none() => self.closed = true,
            _ => {
                self.within = true;
                self.depth = 0;
                self.in_string = false;
                self.scalar = !matches!(byte, b'{' | b'[' | b'"');
                self.after_feed = false;
            }
        }
    }

    /// Looks at the byte at `at` and moves on if the value goes on.
    fn step(&mut self, bytes: &[u8], at: &mut usize) -> Step {
        if self.in_string {
            return self.step_in_string(bytes, at);
        }
        let byte = bytes.get(*at).copied().unwrap_or_default();
        let after_feed = std::mem::replace(&mut self.after_feed, byte == b'\n');
        match byte {
            b',' | b']' | b' ' | b'\t' | b'\n' | b'\r' if self.scalar => {
                return Step::Ends { inclusive: false };
            }
            // Inside a value that is written over several lines, lines are indented.
            b'{' if self.bare.is_some() && after_feed && self.depth > 0 => return Step::Breaks,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return Step::Ends { inclusive: true };
                }
            }
            b'"' => self.in_string = true,
            _ => {}
        }
        *at += 1;
        Step::Goes
    }

    fn step_in_string(&mut self, bytes: &[u8], at: &mut usize) -> Step {
        if std::mem::take(&mut self.escaped) {
            *at += 1;
            return Step::Goes;
        }
        let Some(found) = string_special(bytes, *at) else {
            *at = bytes.len();
            return Step::Goes;
        };
        *at = found;
        match bytes.get(found) {
            Some(b'"') => {
                self.in_string = false;
                if self.depth == 0 && !self.scalar {
                    return Step::Ends { inclusive: true };
                }
            }
            Some(b'\\') => self.escaped = true,
            Some(b'\n') if self.bare.is_some() => return Step::Breaks,
            _ => {}
        }
        *at += 1;
        Step::Goes
    }

    fn emit(&mut self, piece: &[u8], out: &mut dyn Frames) {
        self.within = false;
        if std::mem::take(&mut self.dropping) {
            return;
        }
        if self.kept.len() + piece.len() > MAX {
            self.kept.clear();
            return out.problem(Problem::LineTooLong);
        }
        let data = if self.kept.is_empty() {
            piece
        } else {
            self.kept.extend_from_slice(piece);
            &self.kept
        };
        out.frame(Frame {
            origin: self.bare.unwrap_or(Origin::Event),
            name: b"",
            data,
        });
        self.kept.clear();
    }

    fn keep(&mut self, piece: &[u8], out: &mut dyn Frames) {
        if self.dropping {
            return;
        }
        self.kept.extend_from_slice(piece);
        if self.kept.len() > MAX {
            out.problem(Problem::LineTooLong);
            self.dropping = true;
            self.kept.clear();
        }
    }
}
