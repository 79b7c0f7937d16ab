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
/// The same for a page that the system puts aside meanwhile: its clock leaps, and a leap is no step.
const LEAST_STEPS: u32 = 4;
/// Readings that take no longer than that, whatever the clock says.
const MOST_READINGS: u32 = 50_000;
/// How many steps are enough to have seen the smallest one.
const STEPS: u32 = 24;

impl PageClock {
    /// The page's clock with its step measured; `None` where there is no `performance`.
    pub(crate) fn start() -> Option<Self> {
        let performance = web_sys::window()?.performance()?;
        let step = smallest_step(|| performance.now());
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
fn smallest_step(mut now: impl FnMut() -> f64) -> Option<Duration> {
    let start = now();
    let (mut last, mut smallest, mut steps) = (start, f64::INFINITY, 0);
    for _ in 0..MOST_READINGS {
        let is_over = last - start >= MOST_SPIN_MS && steps >= LEAST_STEPS;
        if is_over || steps >= STEPS {
            break;
        }
        let now = now();
        if now > last {
            smallest = smallest.min(now - last);
            steps += 1;
        }
        last = last.max(now);
    }
    let micros = (smallest * 1e3).round();
    (micros >= 1.0 && micros.is_finite()).then(|| Duration::from_micros(micros as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock of this step that is read so often between two steps; it leaps once.
    fn clock(step_ms: f64, readings_a_step: u32, leap_ms: f64) -> impl FnMut() -> f64 {
        let (mut readings, mut leapt) = (0, 0.0);
        move || {
            readings += 1;
            if readings == 2 {
                leapt = leap_ms;
            }
            f64::from(readings / readings_a_step) * step_ms + leapt
        }
    }

    #[test]
    fn a_page_that_was_put_aside_meanwhile_does_not_take_the_leap_for_its_clocks_step() {
        let step = smallest_step(clock(0.1, 500, 14.0));
        assert_eq!(step, Some(Duration::from_micros(100)));
    }

    #[test]
    fn a_coarse_clock_is_not_waited_for() {
        // 100 ms a step, as some settings of Firefox have it: the readings end before the first one.
        assert_eq!(smallest_step(clock(100.0, 500_000, 0.0)), None);
        let step = smallest_step(clock(1.0, 5_000, 0.0));
        assert_eq!(step, Some(Duration::from_millis(1)));
    }
}
