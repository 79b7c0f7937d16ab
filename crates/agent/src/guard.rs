//! Ends a request that the agent sent itself: on purpose, and when a limit runs out.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use streamlag_core::AbortBy;
use web_sys::{AbortController, AbortSignal};

use crate::limits::{Limits, Progress, Verdict};
use crate::live::Live;

/// Holds the request's end in its hand. An answer that is only listened to has none: it is its app's to end.
pub(crate) struct Guard {
    controller: Option<AbortController>,
    limits: Limits,
    progress: Cell<Option<Progress>>,
    timer: RefCell<Option<Timeout>>,
}

impl Guard {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            controller: AbortController::new().ok(),
            limits,
            progress: Cell::default(),
            timer: RefCell::default(),
        }
    }

    pub(crate) fn signal(&self) -> Option<AbortSignal> {
        self.controller.as_ref().map(AbortController::signal)
    }

    /// The request came this far. True at its first step: the timer is to be started.
    pub(crate) fn progress(&self, progress: Progress) -> bool {
        self.progress.replace(Some(progress)).is_none()
    }

    /// Ends the request.
    pub(crate) fn abort(&self) {
        if let Some(controller) = &self.controller {
            controller.abort();
        }
    }

    /// No limit matters any more.
    pub(crate) fn stop(&self) {
        self.timer.take();
    }

    /// Looks whether a limit ran out, and when to look again.
    pub(crate) fn check(&self, live: &Rc<Live>) {
        let Some(progress) = self.progress.get() else {
            return;
        };
        match self.limits.check(progress, live.session.clock.now()) {
            Verdict::Expired(phase) => live.abort(AbortBy::Timeout(phase)),
            Verdict::Wait(left) => {
                // A millisecond more, since a timer may fire that much early.
                let ms = u32::try_from(left.as_millis() + 1).unwrap_or(u32::MAX);
                let live = Rc::downgrade(live);
                let timer = Timeout::new(ms, move || {
                    if let Some(live) = live.upgrade().filter(|live| live.is_open()) {
                        live.check_limits();
                    }
                });
                self.timer.replace(Some(timer));
            }
        }
    }
}
