//! From read to screen: which read was committed when, and which frame showed it.
//!
//! A commit belongs to a frame when it came before the frame's latest bound: the animation-frame
//! callback runs before style and layout, and frameworks commit inside it.

use crate::measurement::Render;
use crate::watch::Reading;

/// Reads that may wait for their frame. More of them, and the oldest is given up as unobserved.
const PENDING: usize = 256;

/// Follows the reads of one attempt to the screen.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    /// Someone reports commits or frames.
    watched: bool,
    pending: Vec<Waiting>,
    first_paint: Option<Reading>,
    render: Render,
}

/// A read with text that no frame has shown yet.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    read: u32,
    at: Reading,
    parsed: Option<Reading>,
    committed: Option<Reading>,
}

impl Screen {
    /// A read brought text to show.
    pub(crate) fn read(&mut self, read: u32, at: Reading, hidden: bool) {
        if hidden {
            self.censor(1);
            return;
        }
        if self.pending.last().is_some_and(|last| last.read == read) {
            return; // its last event was completed by the body's end
        }
        if self.pending.len() >= PENDING {
            self.pending.remove(0);
            self.censor(1);
        }
        self.pending.push(Waiting {
            read,
            at,
            parsed: None,
            committed: None,
        });
    }

    /// The latest read was parsed.
    pub(crate) fn parsed(&mut self, read: u32, at: Reading) {
        if let Some(waiting) = self.pending.last_mut().filter(|last| last.read == read) {
            waiting.parsed.get_or_insert(at);
        }
    }

    /// The text of all reads up to this one is in the document.
    pub(crate) fn committed(&mut self, through_read: u32, at: Reading) {
        self.watched = true;
        let newly =
            |waiting: &&mut Waiting| waiting.read <= through_read && waiting.committed.is_none();
        for waiting in self.pending.iter_mut().filter(newly) {
            let ready = waiting.parsed.unwrap_or(waiting.at);
            // Before it was read, it cannot have been shown: a commit that says so is of another stream.
            if let Some(held_back) = at.since_or_zero(ready) {
                self.render.holdback.add(held_back);
                waiting.committed = Some(at);
            }
        }
    }

    /// A frame was produced between these bounds.
    pub(crate) fn painted(&mut self, earliest: Reading, latest: Reading) {
        self.watched = true;
        let before = self.pending.len();
        let render = &mut self.render;
        self.pending.retain(|waiting| {
            let Some(committed) = waiting.committed else {
                return true;
            };
            if latest.since_or_zero(committed).is_none() {
                return true;
            }
            // The frame began before the commit: then the commit is the earliest it can have shown it.
            let from = if earliest.at > committed.at {
                earliest
            } else {
                committed
            };
            let lag = from.since_or_zero(waiting.at);
            if let Some((low, high)) = lag.zip(latest.since_or_zero(waiting.at)) {
                render.lag_earliest.add(low);
                render.lag_latest.add(high);
            }
            false
        });
        if self.pending.len() < before {
            self.render.frames = self.render.frames.saturating_add(1);
            self.first_paint.get_or_insert(latest);
        }
    }

    /// The page was hidden: what had not been shown yet will not be measured.
    pub(crate) fn hidden(&mut self) {
        let count = self.pending.len();
        self.pending.clear();
        self.censor(u32::try_from(count).unwrap_or(u32::MAX));
    }

    /// What is known so far, for a request sent at `send`. `None` where nobody watched the screen.
    pub(crate) fn measured(&self, send: Option<Reading>) -> Option<Render> {
        self.watched.then(|| Render {
            first_paint: self
                .first_paint
                .zip(send)
                .and_then(|(at, send)| at.since(send)),
            not_shown: u32::try_from(self.pending.len()).unwrap_or(u32::MAX),
            ..self.render.clone()
        })
    }

    fn censor(&mut self, reads: u32) {
        self.render.censored = self.render.censored.saturating_add(reads);
    }
}
