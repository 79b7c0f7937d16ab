//! Arrival gaps of generated text, each put down to a cause, in bounded space.

use std::time::Duration;

use crate::excuse::{Excuse, Excuses, Why};
use crate::flags::batching::Period;
use crate::measurement::{Gap, GapCause, Gaps, Measurement};
use crate::sketch::Sketch;
use crate::watch::{Reading, Stretch};

/// Above this a reader notices that the text is not flowing.
pub const CHOPPY: Duration = Duration::from_millis(200);
/// Above this it feels stuck.
pub const STALL: Duration = Duration::from_millis(500);

/// How many choppy gaps wait for a late excuse: a browser reports a long task only after it.
const OPEN: usize = 16;

/// Takes in the arrivals of one attempt's generated text.
#[derive(Debug, Default)]
pub(crate) struct GapTracker {
    last: Option<Reading>,
    all: Sketch,
    longest: Vec<Held>,
    open: Vec<Held>,
    settled: Tally,
    unresolved: u32,
    arrivals: u32,
}

/// A gap whose cause may still become known.
#[derive(Debug, Clone, Copy)]
struct Held {
    gap: Gap,
    stretch: Stretch,
    excuse: Excuse,
}

impl Held {
    fn cause(&self, period: Option<Period>) -> GapCause {
        self.excuse.cause(self.gap.length).unwrap_or_else(|| {
            if period.is_some_and(|period| period.explains(self.gap.length)) {
                GapCause::GatewayBatching
            } else {
                GapCause::Upstream
            }
        })
    }
}

#[derive(Debug, Clone, Default)]
struct Tally {
    choppy: u32,
    stalls: u32,
    total: Duration,
    hidden: u32,
    /// The stalls that nothing excused yet. A gateway's period is only known later.
    upstream: Sketch,
}

impl Tally {
    fn add(&mut self, held: &Held) {
        let length = held.gap.length;
        let cause = held.excuse.cause(length);
        match cause {
            Some(GapCause::Hidden) => {
                self.hidden = self.hidden.saturating_add(u32::from(length > STALL));
                return;
            }
            Some(GapCause::Suspended) => return,
            _ => {}
        }
        self.choppy = self.choppy.saturating_add(1);
        if length > STALL {
            self.stalls = self.stalls.saturating_add(1);
            self.total = self.total.saturating_add(length);
            if cause.is_none() {
                self.upstream.add(length);
            }
        }
    }
}

impl GapTracker {
    /// Generated text arrived. Returns the gap that it ended, when the clock could tell it.
    pub(crate) fn arrival(&mut self, arrival: &Arrival, excuses: &Excuses) -> Option<Duration> {
        self.arrivals = self.arrivals.saturating_add(1);
        let before = self.last.replace(arrival.at)?;
        let length = arrival.at.since_or_zero(before)?;
        if length.is_zero() {
            self.unresolved = self.unresolved.saturating_add(1);
            return None;
        }
        self.all.add(length);
        let at = arrival.send.and_then(|send| before.since_or_zero(send));
        let stretch = (before.at, arrival.at.at);
        let mut held = Held {
            gap: Gap {
                at: at.unwrap_or_default(),
                length,
                read: arrival.read,
                event: arrival.event,
                cause: GapCause::Upstream,
            },
            stretch,
            excuse: excuses.of(stretch),
        };
        held.gap.cause = held.cause(None);
        if length > CHOPPY {
            self.hold_open(held);
        }
        if at.is_some() {
            // Where the others lie is unknown: they count, but they are not listed.
            self.keep_if_long(held);
        }
        Some(length)
    }

    /// What excuses the silence before text that arrives now.
    pub(crate) fn silence_before(&self, at: Reading, excuses: &Excuses) -> Option<GapCause> {
        let before = self.last?;
        let length = at.since(before)?;
        excuses.of((before.at, at.at)).cause(length)
    }

    /// A stretch became known that may excuse gaps already seen.
    pub(crate) fn excuse(&mut self, why: Why, stretch: Stretch) {
        for held in self.open.iter_mut().chain(&mut self.longest) {
            held.excuse.add(held.stretch, why, stretch);
        }
    }

    /// Events with generated text.
    pub(crate) fn arrivals(&self) -> u32 {
        self.arrivals
    }

    /// The median of all gaps.
    pub(crate) fn median(&self) -> Option<Duration> {
        self.all.quantile(0.5)
    }

    /// The shortest gap.
    pub(crate) fn shortest(&self) -> Option<Duration> {
        self.all.min()
    }

    pub(crate) fn measured(&self, period: Option<Period>, trusted: bool) -> Gaps {
        let mut tally = self.settled.clone();
        for held in &self.open {
            tally.add(held);
        }
        let by_gateway = period.map_or(0, |period| period.count_explained(&tally.upstream));
        let provider = tally.upstream.count().saturating_sub(by_gateway);
        Gaps {
            sketch: self.all.clone(),
            longest: self
                .longest
                .iter()
                .map(|held| Gap {
                    cause: held.cause(period),
                    ..held.gap
                })
                .collect(),
            choppy: tally.choppy,
            stalls: tally.stalls,
            stall_total: tally.total,
            hidden_stalls: tally.hidden,
            provider_stalls: u32::try_from(provider).unwrap_or(u32::MAX),
            trusted,
            unresolved: self.unresolved,
        }
    }

    fn keep_if_long(&mut self, held: Held) {
        let rank = self
            .longest
            .partition_point(|longer| longer.gap.length >= held.gap.length);
        if rank < Measurement::LONGEST {
            self.longest.insert(rank, held);
            self.longest.truncate(Measurement::LONGEST);
        }
    }

    fn hold_open(&mut self, held: Held) {
        if self.open.len() >= OPEN {
            let oldest = self.open.remove(0);
            self.settled.add(&oldest);
        }
        self.open.push(held);
    }
}

/// One event with generated text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) at: Reading,
    pub(crate) send: Option<Reading>,
    pub(crate) read: u32,
    pub(crate) event: u32,
}
