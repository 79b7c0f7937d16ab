//! Amazon's binary event stream (`application/vnd.amazon.eventstream`):
//! `total u32 | headers u32 | CRC of these | headers | payload | CRC of all before`, big endian.
//!
//! A length that its checksum does not vouch for is not believed: reading moves on byte by byte until a
//! prelude is right again. A message whose own checksum is wrong is reported and skipped.

use super::{Frame, Frames, MAX, Origin};
use crate::reader::Problem;

const PRELUDE: usize = 12;
const TRAILER: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct AwsEventStream {
    /// The beginning of a message whose end an earlier read did not hold.
    kept: Vec<u8>,
    /// Bytes of a message too long to keep that are still to come.
    skip: usize,
    /// In search of a right prelude; reported once.
    lost: bool,
}

/// What the bytes at the present place are.
enum Found {
    /// Too few bytes to say; this many are needed.
    Needs(usize),
    Message(usize),
    TooLong(usize),
    Nonsense,
}

impl AwsEventStream {
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut dyn Frames) {
        let mut rest = bytes;
        while !self.kept.is_empty() && !rest.is_empty() {
            // Complete what was cut, copying no more than that.
            let Found::Needs(needed) = self.look(&self.kept) else {
                break;
            };
            let missing = needed.saturating_sub(self.kept.len()).min(rest.len());
            let (piece, after) = rest.split_at_checked(missing).unwrap_or((rest, &[]));
            self.kept.extend_from_slice(piece);
            rest = after;
            let kept = std::mem::take(&mut self.kept);
            let left = self.take(&kept, out);
            let from = kept.len() - left.len();
            self.kept = kept;
            self.kept.drain(..from);
        }
        if self.kept.is_empty() {
            let left = self.take(rest, out);
            self.kept.extend_from_slice(left);
        }
    }

    pub(super) fn finish(&mut self, out: &mut dyn Frames) {
        if !self.kept.is_empty() || self.skip > 0 {
            out.problem(Problem::TailUnterminated);
        }
    }

    /// Takes all whole messages; gives what is left.
    fn take<'r>(&mut self, bytes: &'r [u8], out: &mut dyn Frames) -> &'r [u8] {
        let mut rest = bytes;
        loop {
            let skipped = self.skip.min(rest.len());
            self.skip -= skipped;
            rest = rest.get(skipped..).unwrap_or_default();
            match self.look(rest) {
                Found::Needs(_) => return rest,
                Found::Message(length) => {
                    let (message, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
                    self.lost = false;
                    emit(message, out);
                    rest = after;
                }
                Found::TooLong(length) => {
                    out.problem(Problem::LineTooLong);
                    self.lost = false;
                    self.skip = length;
                }
                Found::Nonsense => {
                    if !std::mem::replace(&mut self.lost, true) {
                        out.problem(Problem::BadChecksum);
                    }
                    rest = rest.get(1..).unwrap_or_default();
                }
            }
        }
    }

    fn look(&self, bytes: &[u8]) -> Found {
        let Some((lengths, _)) = bytes.split_at_checked(8) else {
            return Found::Needs(PRELUDE);
        };
        let (Some(total), Some(headers), Some(checksum)) =
            (word(bytes, 0), word(bytes, 4), word(bytes, 8))
        else {
            return Found::Needs(PRELUDE);
        };
        let (total, headers) = (total as usize, headers as usize);
        if crc32(lengths) != checksum
            || total < PRELUDE + TRAILER
            || headers > total - PRELUDE - TRAILER
        {
            Found::Nonsense
        } else if total > MAX {
            Found::TooLong(total)
        } else if bytes.len() < total {
            Found::Needs(total)
        } else {
            Found::Message(total)
        }
    }
}

fn emit(message: &[u8], out: &mut dyn Frames) {
    let Some((body, trailer)) = message.split_at_checked(message.len() - TRAILER) else {
        return;
    };
    let mut frame = Frame {
        origin: Origin::Event,
        name: b"",
        data: b"",
    };
    if word(trailer, 0) == Some(crc32(body)) {
        let headers = word(body, 4).unwrap_or_default() as usize;
        let after_prelude = body.get(PRELUDE..).unwrap_or_default();
        let (headers, payload) = after_prelude.split_at_checked(headers).unwrap_or_default();
        frame.data = payload;
        read_headers(headers, &mut frame);
    } else {
        out.problem(Problem::BadChecksum);
        frame.origin = Origin::Damaged;
    }
    out.frame(frame);
}

/// Takes the event's name from the headers; stops at the first one that makes no sense.
fn read_headers<'a>(mut headers: &'a [u8], frame: &mut Frame<'a>) {
    while let Some((name, kind, value)) = next_header(&mut headers) {
        match (name, kind) {
            (b":event-type", STRING) => frame.name = value,
            (b":exception-type" | b":error-code", STRING) => {
                frame.name = value;
                frame.origin = Origin::Exception;
            }
            (b":message-type", STRING) if value == b"exception" || value == b"error" => {
                frame.origin = Origin::Exception;
            }
            _ => {}
        }
    }
}

const STRING: u8 = 7;

fn next_header<'a>(headers: &mut &'a [u8]) -> Option<(&'a [u8], u8, &'a [u8])> {
    let (length, rest) = headers.split_first()?;
    let (name, rest) = rest.split_at_checked((*length).into())?;
    let (kind, rest) = rest.split_first()?;
    let (length, rest) = match kind {
        0 | 1 => (0, rest),
        2 => (1, rest),
        3 => (2, rest),
        4 => (4, rest),
        5 | 8 => (8, rest),
        6 | 7 => {
            let (length, rest) = rest.split_first_chunk::<2>()?;
            (u16::from_be_bytes(*length).into(), rest)
        }
        9 => (16, rest),
        _ => return None,
    };
    let (value, rest) = rest.split_at_checked(length)?;
    *headers = rest;
    Some((name, *kind, value))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_be_bytes(*word))
}

/// CRC-32 as in zip and Ethernet, half a byte a step: the table is 64 bytes.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = nibble_table();
    let step = |crc: u32| crc >> 4 ^ TABLE.get(crc as usize & 15).copied().unwrap_or_default();
    !bytes
        .iter()
        .fold(!0, |crc, byte| step(step(crc ^ u32::from(*byte))))
}

const fn nibble_table() -> [u32; 16] {
    let mut table = [0; 16];
    let mut at = 0;
    while at < 16 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 4 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_checksum_is_the_one_of_the_standard_check_value() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
