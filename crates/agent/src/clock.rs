//! The page's two clocks.

use std::time::Duration;

use streamlag_core::{ClockInfo, ClockName, Mono, Stamp, Wall};
use web_sys::Performance;

/// `performance.now()` for durations, `Date.now()` for calendar time.
#[derive(Debug, Clone)]
pub(crate) struct PageClock {
    performance: Performance,
    step: Option<Duration>,
}

/// Longest time the measuring of the step may hold up the page.
const MOST_SPIN_MS: f64 = 8.0;
/// How many steps are enough to have seen the smallest one.
const STEPS: u32 = 24;

impl PageClock {
    /// The page's clock with its step measured; `None` where there is no `performance`.
    pub(crate) fn start() -> Option<Self> {
        let performance = web_sys::window()?.performance()?;
        let step = smallest_step(&performance);
        Some(Self { performance, step })
    }

    /// The monotonic clock's reading.
    pub(crate) fn now(&self) -> Stamp<Mono> {
        self.at(self.performance.now())
    }

    /// A reading of the same clock that the page got elsewhere (`event.timeStamp`, a performance entry).
    pub(crate) fn at(&self, ms: f64) -> Stamp<Mono> {
        Stamp::from_ms(ms).unwrap_or(Stamp::from_ns(0))
    }

    /// Calendar time.
    pub(crate) fn wall(&self) -> Stamp<Wall> {
        Stamp::from_ms(js_sys::Date::now()).unwrap_or(Stamp::from_ns(0))
    }

    /// What a record says about the clock.
    pub(crate) fn info(&self) -> ClockInfo {
        ClockInfo {
            name: ClockName::Performance,
            step: self.step,
        }
    }
}

/// Browsers coarsen the clock (5 µs to 1 ms, by engine and isolation) and don't say by how much: reads it
/// until it moved often enough. Rounded to the microsecond, since the readings are binary fractions.
fn smallest_step(performance: &Performance) -> Option<Duration> {
    let start = performance.now();
    let (mut last, mut smallest, mut steps) = (start, f64::INFINITY, 0);
    while steps < STEPS && last - start < MOST_SPIN_MS {
        let now = performance.now();
        if now > last {
            smallest = smallest.min(now - last);
            steps += 1;
        }
        last = last.max(now);
    }
    let micros = (smallest * 1e3).round();
    (micros >= 1.0 && micros.is_finite()).then(|| Duration::from_micros(micros as u64))
}
