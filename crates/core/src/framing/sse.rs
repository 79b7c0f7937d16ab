//! Server-sent events, as WHATWG HTML section 9.2.6 interprets them.
//!
//! Kept to the letter, but for what providers rely on others to see: an incomplete event at the end of the
//! body is discarded (and reported) unless it is `[DONE]`; a line of the unknown field `error` is handed
//! on, because old llama.cpp servers say in it why they failed; and so is LangServe's `event: end` without
//! data. The latter two come as asides and are no events.

use super::{Frame, Frames, MAX, Origin};
use crate::reader::Problem;
use crate::scan::{line_end, trim};

#[derive(Debug, Default)]
pub(crate) struct Sse {
    /// The beginning of a line whose end an earlier read did not hold.
    line: Vec<u8>,
    /// The last byte of the last read was a CR: an LF right after it belongs to the same line end.
    after_cr: bool,
    /// The data of the event so far, where it does not lie whole within one read.
    data: Vec<u8>,
    data_lines: u32,
    event: Vec<u8>,
    id: Vec<u8>,
    last_event_id: String,
    /// The event was too long: everything up to the next blank line is dropped.
    dropping: bool,
    seen: Seen,
}

/// What kind of lines there were, to tell a stream from any other text.
#[derive(Debug, Default)]
struct Seen {
    known_field: bool,
    other_text: bool,
    not_text: bool,
}

/// An event's only data line so far, as long as it lies within the present read.
type Held<'r> = Option<&'r [u8]>;

impl Sse {
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut dyn Frames) {
        let mut rest = bytes;
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            rest = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        if !self.line.is_empty() {
            let Some(line_rest) = self.next_line(&mut rest) else {
                return self.keep(rest, out);
            };
            self.keep(line_rest, out);
            let line = std::mem::take(&mut self.line);
            let mut held = None;
            self.take_line(&line, &mut held, out);
            self.settle(held);
            self.line = line;
            self.line.clear();
        }
        let mut held = None;
        while let Some(line) = self.next_line(&mut rest) {
            self.take_line(line, &mut held, out);
        }
        self.settle(held);
        self.keep(rest, out);
    }

    pub(super) fn finish(&mut self, out: &mut dyn Frames) {
        let line = std::mem::take(&mut self.line);
        let done = match line.strip_prefix(b"data:") {
            Some(data) => self.data_lines == 0 && trim(data) == b"[DONE]",
            None => line.is_empty() && trim(&self.data) == b"[DONE]",
        };
        if done && !self.dropping {
            self.seen.known_field = true;
            self.hand_out(b"[DONE]", out);
        }
        if !line.is_empty() && !self.dropping {
            if is_known(split_field(&line).0) {
                self.seen.known_field = true;
            } else {
                self.note_unknown(&line);
            }
        }
        if !self.seen.known_field && self.seen.other_text {
            out.problem(if self.seen.not_text {
                Problem::UndecodedBody
            } else {
                Problem::NotAStream
            });
        } else if !self.dropping && (!line.is_empty() || self.data_lines > 0) {
            out.problem(Problem::TailUnterminated);
        }
    }

    pub(super) fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// The next whole line of the read, without its end.
    fn next_line<'r>(&mut self, rest: &mut &'r [u8]) -> Option<&'r [u8]> {
        let (line, after) = rest.split_at_checked(line_end(rest)?)?;
        *rest = match after {
            [b'\r', b'\n', after @ ..] => after,
            [end, after @ ..] => {
                self.after_cr = *end == b'\r' && after.is_empty();
                after
            }
            [] => after,
        };
        Some(line)
    }

    /// Keeps a piece of a line for the next read.
    fn keep(&mut self, piece: &[u8], out: &mut dyn Frames) {
        if self.dropping {
            // Whether the line is blank is all that matters now.
            if self.line.is_empty() {
                self.line.extend(piece.first());
            }
            return;
        }
        self.line.extend_from_slice(piece);
        if self.line.len() > MAX {
            self.drop_event(out);
            self.line.truncate(1);
        }
    }

    fn settle(&mut self, held: Held<'_>) {
        if let Some(data) = held {
            self.data.extend_from_slice(data);
        }
    }

    fn take_line<'r>(&mut self, line: &'r [u8], held: &mut Held<'r>, out: &mut dyn Frames) {
        if line.is_empty() {
            self.dispatch(held, out);
        } else if self.dropping {
        } else if line.len() > MAX {
            *held = None;
            self.drop_event(out);
        } else if let Some(value) = line.strip_prefix(b"data:") {
            self.take_data(value.strip_prefix(b" ").unwrap_or(value), held, out);
        } else if let Some(name) = line.strip_prefix(b"event: ") {
            self.name_event(name);
        } else if line.first() == Some(&b':') {
            self.seen.known_field = true;
            out.comment();
        } else {
            self.take_field(line, held, out);
        }
    }

    fn take_field<'r>(&mut self, line: &'r [u8], held: &mut Held<'r>, out: &mut dyn Frames) {
        let (field, value) = split_field(line);
        match field {
            b"data" => return self.take_data(value, held, out),
            b"event" => self.name_event(value),
            b"id" if !value.contains(&0) => {
                self.id.clear();
                self.id.extend_from_slice(value);
            }
            b"error" => out.frame(Frame {
                origin: Origin::Aside,
                name: b"error",
                data: value,
            }),
            _ => {}
        }
        if is_known(field) {
            self.seen.known_field = true;
        } else {
            self.note_unknown(line);
        }
    }

    fn name_event(&mut self, name: &[u8]) {
        self.seen.known_field = true;
        self.event.clear();
        self.event.extend_from_slice(name);
    }

    fn take_data<'r>(&mut self, value: &'r [u8], held: &mut Held<'r>, out: &mut dyn Frames) {
        self.seen.known_field = true;
        self.data_lines += 1;
        if self.data_lines == 1 {
            *held = Some(value);
            return;
        }
        self.settle(held.take());
        self.data.push(b'\n');
        self.data.extend_from_slice(value);
        if self.data.len() > MAX {
            self.drop_event(out);
        }
    }

    /// The blank line that ends an event.
    fn dispatch(&mut self, held: &mut Held<'_>, out: &mut dyn Frames) {
        if self.last_event_id.as_bytes() != self.id {
            self.last_event_id = String::from_utf8_lossy(&self.id).into_owned();
        }
        self.dropping = false;
        if self.data_lines == 0 {
            if self.event == b"end" {
                out.frame(Frame {
                    origin: Origin::Aside,
                    name: b"end",
                    data: b"",
                });
            }
        } else {
            match held.take() {
                Some(data) => self.hand_out(data, out),
                None => {
                    let data = std::mem::take(&mut self.data);
                    self.hand_out(&data, out);
                    self.data = data;
                }
            }
        }
        self.data.clear();
        self.data_lines = 0;
        self.event.clear();
    }

    fn hand_out(&self, data: &[u8], out: &mut dyn Frames) {
        out.frame(Frame {
            origin: Origin::Event,
            name: &self.event,
            data,
        });
    }

    fn drop_event(&mut self, out: &mut dyn Frames) {
        out.problem(Problem::LineTooLong);
        self.dropping = true;
        self.data.clear();
        self.data_lines = 0;
        self.event.clear();
    }

    fn note_unknown(&mut self, line: &[u8]) {
        self.seen.other_text = true;
        self.seen.not_text |=
            std::str::from_utf8(line).is_err() || line.iter().any(|b| *b < b' ' && *b != b'\t');
    }
}

/// A field's name and value; a line without a colon is all name.
fn split_field(line: &[u8]) -> (&[u8], &[u8]) {
    let Some((field, value)) = line
        .iter()
        .position(|b| *b == b':')
        .and_then(|colon| line.split_at_checked(colon))
    else {
        return (line, &[]);
    };
    let value = value.strip_prefix(b":").unwrap_or(value);
    (field, value.strip_prefix(b" ").unwrap_or(value))
}

/// Whether the field's name makes its line one of an event stream. The empty name is a comment's.
fn is_known(field: &[u8]) -> bool {
    matches!(
        field,
        b"" | b"data" | b"event" | b"id" | b"retry" | b"error"
    )
}
