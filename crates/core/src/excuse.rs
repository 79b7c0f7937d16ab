//! Stretches of time in which nobody could have seen text arrive: they excuse the provider.

use std::time::Duration;

use crate::clock::{Mono, Stamp};
use crate::input::Visibility;
use crate::measurement::GapCause;
use crate::watch::Stretch;

/// How many stretches are remembered. Older ones have already been held against the gaps they cover.
const REMEMBERED: usize = 24;

/// Why nothing could be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// The page was hidden or frozen.
    Hidden,
    /// The main thread was blocked.
    MainThread,
    /// The machine slept, or the clock leapt.
    Suspended,
}

/// The latest stretches and the page's state.
#[derive(Debug, Default)]
pub(crate) struct Excuses {
    stretches: Vec<(Why, Stretch)>,
    hidden_since: Option<Stamp<Mono>>,
    was_hidden: bool,
    was_frozen: bool,
}

impl Excuses {
    /// Takes in a stretch that is over.
    pub(crate) fn add(&mut self, why: Why, stretch: Stretch) {
        if self.stretches.len() >= REMEMBERED {
            self.stretches.remove(0);
        }
        self.stretches.push((why, stretch));
    }

    /// Takes in the page's state; returns the stretch for which it was hidden, when that is over.
    pub(crate) fn visibility(&mut self, at: Stamp<Mono>, state: Visibility) -> Option<Stretch> {
        if state != Visibility::Visible {
            self.hidden_since.get_or_insert(at);
            self.was_hidden = true;
            self.was_frozen |= state == Visibility::Frozen;
            return None;
        }
        let stretch = (self.hidden_since.take()?, at);
        self.add(Why::Hidden, stretch);
        Some(stretch)
    }

    /// Whether the page is hidden now.
    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden_since.is_some()
    }

    /// Whether it was hidden at any time.
    pub(crate) fn was_hidden(&self) -> bool {
        self.was_hidden
    }

    /// Whether it was frozen at any time: its reader stood still.
    pub(crate) fn was_frozen(&self) -> bool {
        self.was_frozen
    }

    /// What is known to excuse the silence of `gap`.
    pub(crate) fn of(&self, gap: Stretch) -> Excuse {
        let mut excuse = Excuse::default();
        for (why, stretch) in &self.stretches {
            excuse.add(gap, *why, *stretch);
        }
        if let Some(since) = self.hidden_since {
            excuse.add(gap, Why::Hidden, (since, gap.1));
        }
        excuse
    }
}

/// What excuses one gap.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Excuse {
    hidden: bool,
    suspended: bool,
    blocked: Duration,
    /// A block is often reported twice (long task, long frame): up to here it has been counted.
    blocked_until: Option<Stamp<Mono>>,
}

impl Excuse {
    /// Holds one stretch against the gap.
    pub(crate) fn add(&mut self, gap: Stretch, why: Why, stretch: Stretch) {
        let mut from = gap.0.max(stretch.0);
        let to = gap.1.min(stretch.1);
        if why == Why::MainThread {
            from = self.blocked_until.map_or(from, |until| from.max(until));
        }
        let Some(overlap) = to.since(from).filter(|overlap| !overlap.is_zero()) else {
            return;
        };
        match why {
            Why::Hidden => self.hidden = true,
            Why::Suspended => self.suspended = true,
            Why::MainThread => {
                self.blocked = self.blocked.saturating_add(overlap);
                self.blocked_until = Some(to);
            }
        }
    }

    /// The cause it gives a gap of this length. A blocked thread explains a gap when it filled at least
    /// half of it; hiding and sleeping make any gap unreadable.
    pub(crate) fn cause(&self, length: Duration) -> Option<GapCause> {
        if self.suspended {
            Some(GapCause::Suspended)
        } else if self.hidden {
            Some(GapCause::Hidden)
        } else if !self.blocked.is_zero() && self.blocked.saturating_mul(2) >= length {
            Some(GapCause::MainThread)
        } else {
            None
        }
    }
}
