//! `reader_throttled`: a hidden page's timers run once a second (or once a minute), and so do its reads.
//! What comes in blocks at that pace says nothing about the provider.

use std::time::Duration;

use super::batching::Blocks;

/// Browsers align a hidden page's timers to a second at least; a little less is allowed for jitter.
pub const MIN_PERIOD: Duration = Duration::from_millis(900);
/// Fewer intervals than this prove no timer.
pub const MIN_INTERVALS: u64 = 2;
/// Events that piled up between two reads, on average.
pub const MIN_BLOCK: u64 = 2;

/// Whether reads came at the pace of a hidden page's timer.
pub(crate) fn throttled(blocks: &Blocks) -> bool {
    blocks
        .hidden
        .period(MIN_INTERVALS, MIN_BLOCK)
        .is_some_and(|period| period.0 >= MIN_PERIOD)
}
