//! `periodic_batching`: text comes in blocks at an even pace, so a gateway (or a server that decodes
//! several steps at once) flushes on a timer. Its gaps are no stalls of the model.

use std::time::Duration;

use crate::sketch::Sketch;
use crate::watch::Reading;

/// Events closer than this belong to one block: one flush may arrive as several reads.
pub const BLOCK_JOIN: Duration = Duration::from_millis(10);
/// Fewer intervals between blocks than this prove no rhythm.
pub const MIN_INTERVALS: u64 = 3;
/// Shorter periods are ordinary network coalescing.
pub const MIN_PERIOD: Duration = Duration::from_millis(50);
/// A clock that moves in large steps gives everything a rhythm: a period is at least so many steps.
pub const MIN_STEPS: u32 = 4;
/// Intervals within this many percent of the period are on the beat.
pub const ON_BEAT_PERCENT: u32 = 15;
/// At least this many percent of the intervals are on the beat, or on a multiple of it (a flush with
/// nothing to send). The last one does not count: it ends when the text does.
pub const EVEN_PERCENT: u64 = 80;
/// Events in a block, on average, for each parallel answer.
pub const MIN_BLOCK: u64 = 2;

/// The rhythm of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period(pub(crate) Duration);

impl Period {
    /// Whether a gap of this length is a wait for the next flush.
    pub(crate) fn explains(self, length: Duration) -> bool {
        let (low, high) = self.beat(1);
        (low..=high).contains(&length)
    }

    /// How many of these lengths it explains.
    pub(crate) fn count_explained(self, lengths: &Sketch) -> u64 {
        let (low, high) = self.beat(1);
        lengths.count_between(low, high)
    }

    fn beat(self, multiple: u32) -> (Duration, Duration) {
        let middle = self.0.saturating_mul(multiple);
        let slack = self.0.saturating_mul(ON_BEAT_PERCENT) / 100;
        (middle.saturating_sub(slack), middle.saturating_add(slack))
    }
}

/// Blocks of events and the intervals between their starts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pace {
    intervals: Sketch,
    blocks: u64,
    events: u64,
}

impl Pace {
    fn add(&mut self, block: u64, interval: Duration) {
        self.blocks = self.blocks.saturating_add(1);
        self.events = self.events.saturating_add(block);
        self.intervals.add(interval);
    }

    /// The even period, where at least so many intervals between blocks of at least `min_block` events
    /// have one.
    pub(crate) fn period(&self, min_intervals: u64, min_block: u64) -> Option<Period> {
        let intervals = self.intervals.count();
        if intervals < min_intervals || self.events < self.blocks.saturating_mul(min_block) {
            return None;
        }
        let period = Period(self.intervals.quantile(0.5)?);
        let on_beat = |multiple| {
            let (low, high) = period.beat(multiple);
            self.intervals.count_between(low, high)
        };
        let even = on_beat(1)
            .saturating_add(on_beat(2))
            .saturating_add(on_beat(3));
        let due = intervals.saturating_sub(1).saturating_mul(EVEN_PERCENT);
        (even >= min_intervals && even.saturating_mul(100) >= due).then_some(period)
    }
}

/// Joins arrivals into blocks, apart for a visible and a hidden page.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    start: Option<Reading>,
    last: Option<Reading>,
    size: u64,
    /// Blocks while nothing excused the silence before them.
    pub(crate) open: Pace,
    /// Blocks after a silence with a hidden page.
    pub(crate) hidden: Pace,
}

/// What is known about the silence before an arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    Plain,
    Hidden,
    /// The machine slept or the main thread was blocked: it says nothing about a rhythm.
    Other,
}

impl Blocks {
    /// An event with generated text arrived after such a silence.
    pub(crate) fn arrival(&mut self, at: Reading, silence: Silence) {
        let joined = self
            .last
            .replace(at)
            .and_then(|last| at.since_or_zero(last))
            .is_some_and(|gap| gap < BLOCK_JOIN);
        if joined {
            self.size = self.size.saturating_add(1);
            return;
        }
        let size = std::mem::replace(&mut self.size, 1);
        let interval = self.start.replace(at).and_then(|start| at.since(start));
        if let Some(interval) = interval {
            match silence {
                Silence::Plain => self.open.add(size, interval),
                Silence::Hidden => self.hidden.add(size, interval),
                Silence::Other => {}
            }
        }
    }

    /// The period of a flushing gateway, for this many parallel answers and a clock of this step.
    pub(crate) fn gateway_period(&self, choices: u32, step: Option<Duration>) -> Option<Period> {
        let least = step.map_or(MIN_PERIOD, |step| {
            MIN_PERIOD.max(step.saturating_mul(MIN_STEPS))
        });
        let min_block = MIN_BLOCK.saturating_mul(u64::from(choices.max(1)));
        self.open
            .period(MIN_INTERVALS, min_block)
            .filter(|period| period.0 >= least)
    }
}
