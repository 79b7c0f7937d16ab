//! Named clocks and their readings.
//!
//! A reading belongs to a clock. [`Stamp`]s of two clocks cannot be subtracted: the types forbid it.

use std::marker::PhantomData;
use std::time::Duration;

/// A kind of clock: [`Mono`] for durations, [`Wall`] to anchor a record in calendar time.
pub trait Clock: 'static {}

/// The vantage's best clock for durations: `performance.now()`, `Instant`, or a worker's `Date.now()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mono {}
/// Calendar time, milliseconds since 1970-01-01 UTC. May jump; never used for a duration of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wall {}
impl Clock for Mono {}
impl Clock for Wall {}

/// One reading of one clock, in nanoseconds from that clock's origin.
pub struct Stamp<C: Clock> {
    ns: i64,
    clock: PhantomData<fn() -> C>,
}

impl<C: Clock> Stamp<C> {
    /// A reading given in nanoseconds.
    pub const fn from_ns(ns: i64) -> Self {
        Self {
            ns,
            clock: PhantomData,
        }
    }

    /// A reading given in milliseconds, as JavaScript's clocks do. `None` when it is not a finite number.
    pub fn from_ms(ms: f64) -> Option<Self> {
        ms.is_finite()
            .then(|| Self::from_ns((ms * 1e6).round() as i64))
    }

    /// The reading in nanoseconds.
    pub const fn ns(self) -> i64 {
        self.ns
    }

    /// The reading in milliseconds.
    pub fn ms(self) -> f64 {
        self.ns as f64 / 1e6
    }

    /// The time from `earlier` to `self`; `None` when the clock ran backwards between them.
    pub fn since(self, earlier: Self) -> Option<Duration> {
        u64::try_from(self.ns.checked_sub(earlier.ns)?)
            .ok()
            .map(Duration::from_nanos)
    }
}

// Written by hand: a derive would ask the marker type for the same traits.
impl<C: Clock> Clone for Stamp<C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: Clock> Copy for Stamp<C> {}
impl<C: Clock> PartialEq for Stamp<C> {
    fn eq(&self, other: &Self) -> bool {
        self.ns == other.ns
    }
}
impl<C: Clock> Eq for Stamp<C> {}
impl<C: Clock> PartialOrd for Stamp<C> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<C: Clock> Ord for Stamp<C> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.ns.cmp(&other.ns)
    }
}
impl<C: Clock> std::fmt::Debug for Stamp<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ms", self.ms())
    }
}

/// Which clock a shell stamped with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClockName {
    /// A browser's `performance.now()`.
    Performance,
    /// An edge worker's `Date.now()`: whole milliseconds, wall clock, stands still between I/O.
    WorkerDate,
    /// A native monotonic clock.
    Instant,
    /// Readings given with the stream, as a replay does.
    #[default]
    Given,
}

impl ClockName {
    /// The name in records, SQL and the UI.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Performance => "performance.now",
            Self::WorkerDate => "worker.date_now",
            Self::Instant => "instant",
            Self::Given => "given",
        }
    }
}

/// What a shell knows about the clock it stamps with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockInfo {
    /// Which clock it is.
    pub name: ClockName,
    /// The smallest step it was seen to take, measured at start. `None`: not measured.
    pub step: Option<Duration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backwards_clock_gives_no_duration() {
        let (a, b) = (Stamp::<Mono>::from_ns(5), Stamp::from_ns(3));
        assert_eq!(b.since(a), None);
        assert_eq!(a.since(b), Some(Duration::from_nanos(2)));
    }

    #[test]
    fn extreme_readings_do_not_overflow() {
        assert_eq!(
            Stamp::<Mono>::from_ns(i64::MAX).since(Stamp::from_ns(i64::MIN)),
            None
        );
        assert_eq!(Stamp::<Mono>::from_ms(f64::NAN), None);
    }
}
