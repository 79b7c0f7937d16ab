//! The stream's own clock, watched: does it run forward, and does the wall clock agree with it?

use std::time::Duration;

use crate::clock::{Mono, Stamp, Wall};
use crate::flags::Flags;

/// A stamp that knows between which backward steps of the clock it was taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// What the clock said.
    pub(crate) at: Stamp<Mono>,
    epoch: u32,
}

impl Reading {
    /// The time from `earlier` to `self`. `None` when the clock ran backwards meanwhile (the time is then
    /// unknown) or both readings are equal (the time is then below the clock's step, not zero).
    pub(crate) fn since(self, earlier: Self) -> Option<Duration> {
        self.since_or_zero(earlier).filter(|span| !span.is_zero())
    }

    /// The same, with equal readings told apart from unknown ones.
    pub(crate) fn since_or_zero(self, earlier: Self) -> Option<Duration> {
        (self.epoch == earlier.epoch).then_some(())?;
        self.at.since(earlier.at)
    }
}

/// Wall and monotonic clock may part by this much between two readings before it means something.
const PARTED: Duration = Duration::from_secs(1);

/// No stream is silent for this long and goes on (gateways close an idle connection within ten minutes):
/// the machine slept beside a clock that went on, or the clock leapt.
const LEAP: Duration = Duration::from_secs(900);

/// What was seen of the clocks.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    last: Option<Stamp<Mono>>,
    last_read: Option<Stamp<Mono>>,
    epoch: u32,
    wall: Option<(Stamp<Mono>, Stamp<Wall>)>,
    first_wall: Option<(Stamp<Mono>, Stamp<Wall>)>,
    wall_readings: u32,
    long_silence: bool,
    /// Anomalies seen so far.
    pub(crate) flags: Flags,
    /// Sum of the sleeps.
    pub(crate) suspended: Option<Duration>,
}

/// A stretch of the stream's clock, both ends included.
pub(crate) type Stretch = (Stamp<Mono>, Stamp<Mono>);

impl Watch {
    /// A stamp of the stream itself: these come in order, or the clock ran backwards.
    pub(crate) fn stream(&mut self, at: Stamp<Mono>) -> Reading {
        if self.last.is_some_and(|last| at < last) {
            self.epoch = self.epoch.saturating_add(1);
            self.flags.insert(Flags::CLOCK_ANOMALY);
            self.last_read = None;
        }
        self.last = Some(at);
        self.aside(at)
    }

    /// A stamp of something beside the stream (a frame, a task): it may come late and out of order.
    pub(crate) fn aside(&self, at: Stamp<Mono>) -> Reading {
        Reading {
            at,
            epoch: self.epoch,
        }
    }

    /// A body read: returns the stretch since the read before, if that was too long to be a silence of
    /// the stream. How long the machine slept is not known then.
    pub(crate) fn read(&mut self, at: Stamp<Mono>) -> Option<Stretch> {
        let before = self.last_read.replace(at)?;
        at.since(before).filter(|silence| *silence >= LEAP)?;
        self.flags.insert(Flags::SUSPENDED);
        self.long_silence = true;
        Some((before, at))
    }

    /// Whether a long silence may as well be a leap of the clock: no second clock vouches for it.
    pub(crate) fn may_have_leapt(&self) -> bool {
        self.long_silence && !self.sees_sleep()
    }

    /// A new attempt begins: the silence before it is no leap.
    pub(crate) fn attempt(&mut self) {
        self.last_read = None;
    }

    /// A wall-clock reading beside `at`: returns the stretch of a sleep, if there was one since the last.
    pub(crate) fn wall(&mut self, at: Stamp<Mono>, wall: Stamp<Wall>) -> Option<Stretch> {
        self.wall_readings = self.wall_readings.saturating_add(1);
        self.first_wall.get_or_insert((at, wall));
        let (mono_before, wall_before) = self.wall.replace((at, wall))?;
        let parted = i128::from(wall.ns())
            - i128::from(wall_before.ns())
            - (i128::from(at.ns()) - i128::from(mono_before.ns()));
        if parted.unsigned_abs() <= PARTED.as_nanos() {
            return None;
        }
        let Ok(slept) = u64::try_from(parted) else {
            // The wall clock fell behind: somebody set it, or the other one leapt. No sleep does that.
            self.flags.insert(Flags::CLOCK_ANOMALY);
            return None;
        };
        self.flags.insert(Flags::SUSPENDED);
        let before = self.suspended.unwrap_or_default();
        self.suspended = Some(before.saturating_add(Duration::from_nanos(slept)));
        Some((mono_before, at))
    }

    /// What the wall clock said at `at`, reckoned from its first reading.
    pub(crate) fn wall_at(&self, at: Stamp<Mono>) -> Option<Stamp<Wall>> {
        let (mono, wall) = self.first_wall?;
        let apart = at.ns().checked_sub(mono.ns())?;
        Some(Stamp::from_ns(wall.ns().checked_add(apart)?))
    }

    /// Whether the stream's own clock ever did.
    pub(crate) fn ran_backwards(&self) -> bool {
        self.epoch > 0
    }

    /// Whether sleep could have been seen at all.
    pub(crate) fn sees_sleep(&self) -> bool {
        self.wall_readings >= 2
    }
}
