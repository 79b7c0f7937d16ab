//! `coarse_clock`: the clock's step is large against what was measured with it.

use std::time::Duration;

/// A step of this size blurs any token rate. (Browsers that resist fingerprinting use 16.7 or 100 ms.)
pub const COARSE_STEP: Duration = Duration::from_millis(10);
/// The typical gap should be at least this many steps long.
pub const MIN_STEPS: u32 = 2;

/// What the rule looks at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Steps {
    /// The clock's step as the shell measured it.
    pub(crate) step: Option<Duration>,
    /// The median gap.
    pub(crate) median: Option<Duration>,
    /// The shortest gap.
    pub(crate) shortest: Option<Duration>,
    /// Body reads.
    pub(crate) reads: u32,
    /// Body reads with the same stamp as the one before.
    pub(crate) equal: u32,
}

/// Whether the clock is too coarse for this stream.
pub(crate) fn coarse(s: Steps) -> bool {
    match s.step {
        Some(step) => {
            step >= COARSE_STEP
                || s.median
                    .is_some_and(|median| median < step.saturating_mul(MIN_STEPS))
        }
        // Not measured: a clock that stands still for a third of the reads and then moves far is coarse.
        None => {
            s.equal >= 2
                && s.equal.saturating_mul(3) >= s.reads
                && s.shortest.is_some_and(|shortest| shortest >= COARSE_STEP)
        }
    }
}
