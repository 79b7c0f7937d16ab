//! One JSON value a line. Lines end at LF only: the other line ends of Unicode, and a CR, are white space
//! or text. A last line without an LF is a record if it is JSON.

use super::{Frame, Frames, MAX, Origin};
use crate::json::Json;
use crate::reader::Problem;
use crate::scan::{line_feed, trim};

#[derive(Debug, Default)]
pub(crate) struct Ndjson {
    /// The beginning of a line whose end an earlier read did not hold.
    line: Vec<u8>,
    /// The line was too long: everything up to the next LF is dropped.
    dropping: bool,
}

impl Ndjson {
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut dyn Frames) {
        let mut rest = bytes;
        while let Some((line, after)) = line_feed(rest).and_then(|end| rest.split_at_checked(end)) {
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.take_line(line, out);
            } else {
                self.keep(line, out);
                let line = std::mem::take(&mut self.line);
                self.take_line(&line, out);
                self.line = line;
                self.line.clear();
            }
        }
        self.keep(rest, out);
    }

    pub(super) fn finish(&mut self, out: &mut dyn Frames) {
        let line = std::mem::take(&mut self.line);
        if trim(&line).is_empty() || self.dropping {
            return;
        }
        if trim(&line) == b"[DONE]" || Json::default().read(&line).is_some() {
            self.take_line(&line, out);
        } else {
            out.problem(Problem::TailUnterminated);
        }
    }

    fn take_line(&mut self, line: &[u8], out: &mut dyn Frames) {
        if std::mem::take(&mut self.dropping) {
            return;
        }
        if line.len() > MAX {
            return out.problem(Problem::LineTooLong);
        }
        let data = trim(line);
        if !data.is_empty() {
            out.frame(Frame {
                origin: Origin::Event,
                name: b"",
                data,
            });
        }
    }

    fn keep(&mut self, piece: &[u8], out: &mut dyn Frames) {
        if self.dropping {
            return;
        }
        self.line.extend_from_slice(piece);
        if self.line.len() > MAX {
            out.problem(Problem::LineTooLong);
            self.dropping = true;
            self.line.truncate(1);
        }
    }
}
