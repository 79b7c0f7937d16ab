//! `reader_late`: reads came back to back while the reader was busy, so bytes had been waiting and their
//! stamps are late.

use std::time::Duration;

use crate::watch::Reading;

/// Handling one read for longer than this may keep the next one waiting.
pub const BUSY: Duration = Duration::from_millis(4);
/// A read that returns this soon after the handling of the one before had been waiting.
pub const AT_ONCE: Duration = Duration::from_micros(200);
/// So many late reads make a flag.
pub const MIN_LATE: u32 = 3;

/// Counts reads that had been waiting.
#[derive(Debug, Default)]
pub(crate) struct LateReads {
    busy_until: Option<Reading>,
    count: u32,
}

impl LateReads {
    /// A read returned.
    pub(crate) fn read(&mut self, at: Reading) {
        let Some(until) = self.busy_until.take() else {
            return;
        };
        if at.since_or_zero(until).is_some_and(|idle| idle <= AT_ONCE) {
            self.count = self.count.saturating_add(1);
        }
    }

    /// Handling a read took so long.
    pub(crate) fn handled(&mut self, until: Reading, took: Duration) {
        self.busy_until = (took >= BUSY).then_some(until);
    }

    /// Whether it happened often enough.
    pub(crate) fn flagged(&self) -> bool {
        self.count >= MIN_LATE
    }
}
