//! The clock of a native process.

use std::time::{Duration, Instant, SystemTime};

use streamlag_core::{ClockInfo, ClockName, Mono, Stamp, Wall};

/// How many steps are looked at to find the smallest.
const STEPS: usize = 200;

/// A monotonic clock that counts from its making.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    origin: Instant,
    step: Option<Duration>,
}

impl Clock {
    /// Starts a clock and measures its step.
    pub(super) fn start() -> Self {
        Self {
            origin: Instant::now(),
            step: smallest_step(),
        }
    }

    /// What records say about it.
    pub(super) fn info(&self) -> ClockInfo {
        ClockInfo {
            name: ClockName::Instant,
            step: self.step,
        }
    }

    /// A reading.
    pub(super) fn now(&self) -> Stamp<Mono> {
        let since = self.origin.elapsed().as_nanos();
        Stamp::from_ns(i64::try_from(since).unwrap_or(i64::MAX))
    }
}

/// Calendar time.
pub(super) fn wall() -> Stamp<Wall> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let since = since.unwrap_or_default().as_nanos();
    Stamp::from_ns(i64::try_from(since).unwrap_or(i64::MAX))
}

/// The smallest difference seen between two readings that differ.
fn smallest_step() -> Option<Duration> {
    let mut before = Instant::now();
    let mut smallest = None;
    for _ in 0..STEPS {
        let now = Instant::now();
        let step = now.duration_since(before);
        if !step.is_zero() {
            smallest = Some(smallest.map_or(step, |s: Duration| s.min(step)));
        }
        before = now;
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_does_not_run_backwards_and_its_step_is_known() {
        let clock = Clock::start();
        let (a, b) = (clock.now(), clock.now());
        assert!(b >= a);
        assert!(clock.info().step.is_some_and(|step| !step.is_zero()));
    }
}
