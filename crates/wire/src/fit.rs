//! Every record fits into [`MAX_BYTES`], whatever the stream was like.
//!
//! What a stream can make long is bounded one by one: lists by their number of entries, sketches by their
//! number of bins. Where all of it comes together, some of it gives way, in this order, one step at a time,
//! until the record fits:
//!
//! 1. The sketch with the longest bins is joined: half its bins, about twice its error, which it tells. No
//!    sketch gets below [`LEAST_TEXT`] while another is longer.
//! 2. What others say is left out, entry by entry: `http.rate_limits`, `http.server_timing`,
//!    `server_reported`. `http.left_out` counts the entries.
//! 3. The attempts before the last give way, the latest first; `attempts_seen` says how many there were.
//! 4. The sketches are joined further.
//!
//! Durations, counts, flags, the first reads and the longest gaps never give way.

use crate::record::Record;

/// Most bytes of a record as compact JSON.
pub const MAX_BYTES: usize = 4096;
/// Bins whose text is no longer than this are joined only when nothing else is left: a dozen bins or two.
const LEAST_TEXT: usize = 40;
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
        self.join(LEAST_TEXT) || self.leave_out() || self.shorten_attempts() || self.join(0)
    }

    fn join(&mut self, longer_than: usize) -> bool {
        let mut places = self.sketches.places();
        let sketches = places.iter_mut().filter_map(|(_, place)| place.as_mut());
        let mut sketches: Vec<_> = sketches
            .filter(|sketch| sketch.bins.len() > longer_than)
            .collect();
        sketches.sort_by_key(|sketch| std::cmp::Reverse(sketch.bins.len()));
        sketches.into_iter().any(|sketch| sketch.coarsen())
    }

    fn leave_out(&mut self) -> bool {
        let http = &mut self.http;
        let gone = http.rate_limits.pop_last().is_some()
            || http.server_timing.pop_last().is_some()
            || self.server_reported.pop_last().is_some();
        http.left_out = http.left_out.saturating_add(u32::from(gone));
        gone
    }

    fn shorten_attempts(&mut self) -> bool {
        let more = self.attempts.len() > LEAST_ATTEMPTS;
        if more {
            self.attempts.remove(self.attempts.len() - 2);
        }
        more
    }
}
