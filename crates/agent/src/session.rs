//! One probe with its watcher, fed from many sides: the read loop, frames, visibility, the stop button.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use streamlag_core::{Config, Input, Measurement, Mono, Probe, Stamp};

use crate::clock::PageClock;
use crate::watch::{Gather, Mark, Watcher};

/// A probe that any callback of the page may speak to at any time.
pub(crate) struct Session {
    pub(crate) clock: PageClock,
    inner: RefCell<Inner>,
    /// What was said while the probe was busy: the watcher may call back into its stream.
    late: RefCell<Vec<(Stamp<Mono>, Input<'static>)>>,
    reads: Cell<u32>,
    /// The last read that held generated text.
    last_text: Cell<Option<u32>>,
    own_cost: Cell<Duration>,
    is_answered: Cell<bool>,
}

/// When a read's bytes are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Right after the read.
    AtOnce,
    /// Some time later: how long parsing took is then not seen.
    #[cfg(feature = "face")]
    Late,
}

struct Inner {
    probe: Probe,
    watcher: Box<dyn Watcher>,
}

impl Session {
    pub(crate) fn new(
        clock: PageClock,
        dialect: Option<String>,
        watcher: Box<dyn Watcher>,
    ) -> Self {
        let probe = Probe::new(Config {
            dialect,
            framing: None,
            clock: clock.info(),
        });
        Self {
            clock,
            inner: RefCell::new(Inner { probe, watcher }),
            late: RefCell::default(),
            reads: Cell::new(0),
            last_text: Cell::default(),
            own_cost: Cell::default(),
            is_answered: Cell::default(),
        }
    }

    /// Tells the probe something that borrows nothing, and the watcher what there is to draw of it.
    pub(crate) fn tell(&self, at: Stamp<Mono>, input: Input<'static>) {
        match self.inner.try_borrow_mut() {
            Ok(mut inner) => inner.tell(at, input),
            Err(_) => return self.late.borrow_mut().push((at, input)),
        }
        self.catch_up();
    }

    /// Status and headers.
    pub(crate) fn headers(&self, at: Stamp<Mono>, head: streamlag_core::Head<'_>) {
        self.is_answered.set(true);
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let Inner { probe, watcher } = &mut *inner;
            probe.handle(at, Input::Headers(head), &mut Gather::new(&mut **watcher));
            let status = head.status;
            watcher.mark(at, Mark::Headers { status });
        }
        self.catch_up();
    }

    /// One read's bytes: parsed, its parse time noted, then shown to the watcher. Gives when they were parsed,
    /// where that was at once.
    pub(crate) fn bytes(&self, at: Stamp<Mono>, bytes: &[u8], pace: Pace) -> Option<Stamp<Mono>> {
        let mut parsed = None;
        let index = self.reads.get();
        self.reads.set(index.saturating_add(1));
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            let Inner { probe, watcher } = &mut *inner;
            let mut gather = Gather::new(&mut **watcher);
            probe.handle(at, Input::Bytes(bytes), &mut gather);
            let kinds = gather.kinds;
            if kinds.is_generated() {
                self.last_text.set(Some(index));
            }
            if pace == Pace::AtOnce {
                let now = self.clock.now();
                probe.handle(now, Input::Parsed, &mut ());
                parsed = Some(now);
            }
            let bytes = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            watcher.mark(
                at,
                Mark::Read {
                    index,
                    bytes,
                    kinds,
                },
            );
        }
        self.catch_up();
        parsed
    }

    /// Adds to the agent's own cost the time between two readings of its clock.
    pub(crate) fn cost(&self, from: Stamp<Mono>, to: Stamp<Mono>) {
        self.spent(to.since(from).unwrap_or_default());
    }

    /// Adds to the agent's own cost.
    pub(crate) fn spent(&self, cost: Duration) {
        self.own_cost.set(self.own_cost.get() + cost);
    }

    /// Whether status and headers came.
    #[cfg(feature = "face")]
    pub(crate) fn is_answered(&self) -> bool {
        self.is_answered.get()
    }

    /// How many reads returned so far.
    pub(crate) fn reads(&self) -> u32 {
        self.reads.get()
    }

    /// The last read that held generated text.
    pub(crate) fn last_text(&self) -> Option<u32> {
        self.last_text.get()
    }

    /// Closes the books: tells the probe its own cost and takes what it found out.
    pub(crate) fn close(&self) -> Measurement {
        let now = self.clock.now();
        self.tell(now, Input::WallClock(self.clock.wall()));
        self.tell(now, Input::OwnCost(self.own_cost.take()));
        // Only a watcher that closes its own stream from within a call finds the probe busy.
        let inner = self.inner.try_borrow_mut();
        inner.map_or_else(
            |_| Measurement::default(),
            |mut inner| {
                // Who holds the stream after its end holds no samples.
                let probe = std::mem::replace(&mut inner.probe, Probe::new(Config::default()));
                probe.measurement()
            },
        )
    }

    /// Gives the watcher the finished record.
    pub(crate) fn ended(&self, record: streamlag_wire::Record) {
        if let Ok(mut inner) = self.inner.try_borrow_mut() {
            inner.watcher.ended(record);
        }
    }

    fn catch_up(&self) {
        // Within a call of the watcher the probe is still busy: the outer call catches up.
        while let Ok(mut inner) = self.inner.try_borrow_mut() {
            let late = self.late.take();
            if late.is_empty() {
                return;
            }
            for (at, input) in late {
                inner.tell(at, input);
            }
        }
    }
}

impl Inner {
    fn tell(&mut self, at: Stamp<Mono>, input: Input<'static>) {
        let mut gather = Gather::new(&mut *self.watcher);
        self.probe.handle(at, input, &mut gather);
        let mark = match input {
            Input::Send => Mark::Sent,
            Input::Painted { latest } => Mark::Painted { latest },
            Input::MainThreadBlocked { until } => Mark::Blocked { until },
            Input::Visibility(visibility) => Mark::Visibility(visibility),
            Input::Eof | Input::Failed(_) | Input::Aborted(_) => Mark::BodyEnded,
            _ => return,
        };
        self.watcher.mark(at, mark);
    }
}
