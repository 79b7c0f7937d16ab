//! Every record fits into [`MAX_BYTES`], whatever the stream was like.
//!
//! What a stream can make long is bounded one by one: lists by their number of entries, sketches by their
//! number of bins. Where all of it comes together, some of it gives way, in this order, one step at a time,
//! until the record fits:
//!
//! 1. The sketch with the longest bins is joined: half its bins, about twice its error, which it tells. No
//!    sketch gets below [`LEAST_TEXT`] while another is longer.
//! 2. What others say is left out, a map at a time: `http.rate_limits`, `http.server_timing`,
//!    `server_reported`. `http.left_out` counts the entries.
//! 3. The attempts before the last give way, the latest first; `attempts_seen` says how many there were.
//! 4. The sketches are joined further.
//! 5. Of the first reads the last ones are left out; `counts.reads` says how many there were. It takes
//!    counts in the billions everywhere to get here.
//!
//! Durations, counts, flags and the longest gaps never give way. What a user configures is cut to
//! [`MAX_TEXT`]; with every text as long as that, a record has up to [`MAX_BYTES_OF_LONG_TEXTS`].

use crate::record::Record;

/// Most bytes of a record as compact JSON.
pub const MAX_BYTES: usize = 4096;
/// Most bytes where every configured text (region, target, application, …) is as long as it may be.
pub const MAX_BYTES_OF_LONG_TEXTS: usize = 7168;
/// Longest text of any field. Records hold words and ids; a longer text is somebody's content.
pub const MAX_TEXT: usize = 256;
/// Bins whose text is no longer than this are joined only when nothing else is left: a dozen bins or two.
const LEAST_TEXT: usize = 64;
/// No longer than this is the text of one bin or two.
const LAST_TEXT: usize = 12;
/// The first and the last attempt stay.
const LEAST_ATTEMPTS: usize = 2;

impl Record {
    /// Makes the record fit and returns its text, which `write` makes. Longer than [`MAX_BYTES`] only
    /// where texts that the user configured are unusually long. `None`: `write` failed.
    pub fn fit(&mut self, write: impl Fn(&Self) -> Option<String>) -> Option<String> {
        loop {
            let text = write(self)?;
            if text.len() <= MAX_BYTES || !self.give_way() {
                return Some(text);
            }
        }
    }

    /// One step; `false` when none is left.
    fn give_way(&mut self) -> bool {
        self.join(LEAST_TEXT)
            || self.leave_out()
            || self.shorten_attempts()
            || self.join(LAST_TEXT)
            || self.chunks.pop().is_some()
    }

    /// Joins the bins of the sketch that has most to say.
    fn join(&mut self, longer_than: usize) -> bool {
        let places = self.sketches.places().into_iter();
        let longest = places
            .filter_map(|(_, place)| place.as_mut())
            .max_by_key(|sketch| sketch.bins.len());
        longest
            .filter(|sketch| sketch.bins.len() > longer_than)
            .is_some_and(|sketch| sketch.coarsen())
    }

    fn leave_out(&mut self) -> bool {
        let http = &mut self.http;
        let mut gone = std::mem::take(&mut http.rate_limits).len();
        if gone == 0 {
            gone = std::mem::take(&mut http.server_timing).len();
        }
        if gone == 0 {
            gone = std::mem::take(&mut self.server_reported).len();
        }
        http.left_out = http.left_out.saturating_add(gone as u32);
        gone > 0
    }

    fn shorten_attempts(&mut self) -> bool {
        let more = self.attempts.len() > LEAST_ATTEMPTS;
        if more {
            self.attempts.remove(self.attempts.len() - 2);
        }
        more
    }
}

/// The start of a configured text, cut between characters.
pub(crate) fn cut(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_TEXT));
    text
}
