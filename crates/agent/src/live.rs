//! One measured answer, however it is read: its session, its screen, and everything that ends it.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use streamlag_core::{AbortBy, Failure, Flags, Input, Mono, Stamp, Visibility};
use streamlag_wire::{Context, Record};

use crate::guard::Guard;
use crate::limits::Progress;
use crate::observe::Entries;
use crate::paint::Painter;
use crate::record::to_json;
use crate::session::Session;
use crate::{Shared, page};

/// Longest wait for the frame that shows the last text.
const LAST_FRAME_MS: u32 = 400;
const LOOK_AGAIN_MS: u32 = 20;
/// How long a page counts as being left once it was asked whether it may be.
const LEAVING: Duration = Duration::from_secs(1);
/// How long after a request's failure that question may come.
const ASKED_LATE_MS: u32 = 250;
const ASK_AGAIN_MS: u32 = 10;

pub(crate) struct Live {
    pub(crate) shared: Rc<Shared>,
    pub(crate) session: Rc<Session>,
    pub(crate) entries: RefCell<Option<Entries>>,
    painter: OnceCell<Option<Rc<Painter>>>,
    /// It began before anybody could watch the screen.
    is_unseen: Cell<bool>,
    id: String,
    guard: Option<Guard>,
    /// Taken when the record is made: `None` then.
    context: RefCell<Option<Context>>,
    is_over: Cell<bool>,
    /// When the page was last asked whether it may be left.
    leaving: Cell<Option<Stamp<Mono>>>,
    leaving_listener: RefCell<Option<EventListener>>,
    /// The body came as one whole: its first byte was not seen.
    is_whole: Cell<bool>,
}

impl Live {
    pub(crate) fn new(
        shared: &Rc<Shared>,
        session: Session,
        context: Context,
        guard: Option<Guard>,
    ) -> Rc<Self> {
        let id = context.id.clone();
        let context = Context {
            app: shared.config.app.clone(),
            release: shared.config.release.clone(),
            concurrency: Some(shared.in_flight() + 1),
            warmth: Some(shared.warmth()),
            ..context
        };
        let live = Rc::new(Self {
            shared: Rc::clone(shared),
            session: Rc::new(session),
            entries: RefCell::default(),
            painter: OnceCell::new(),
            is_unseen: Cell::default(),
            id,
            guard,
            context: RefCell::new(Some(context)),
            is_over: Cell::default(),
            leaving: Cell::default(),
            leaving_listener: RefCell::default(),
            is_whole: Cell::default(),
        });
        shared.add(&live);
        live
    }

    /// From now on until the end, notes when the page is about to be left.
    pub(crate) fn watch_leaving(self: &Rc<Self>) {
        let this = Rc::downgrade(self);
        let listener = page::on_leaving(move || {
            if let Some(this) = this.upgrade() {
                this.leaving.set(Some(this.session.clock.now()));
            }
        });
        self.leaving_listener.replace(listener);
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) const fn guard(&self) -> Option<&Guard> {
        self.guard.as_ref()
    }

    /// Who watches the screen for this stream; begins to watch with the first call. `None` outside of a page,
    /// after the end, and where text may have been shown before.
    pub(crate) fn painter(&self) -> Option<&Rc<Painter>> {
        if self.is_unseen.get() || self.context.borrow().is_none() {
            return None;
        }
        let start = || Painter::start(Rc::clone(&self.session));
        self.painter.get_or_init(start).as_ref()
    }

    /// Whether bytes may still come.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_over.get()
    }

    /// The request came this far; the first such step starts the timer.
    pub(crate) fn progress(self: &Rc<Self>, progress: Progress) {
        if self.guard().is_some_and(|guard| guard.progress(progress)) {
            self.check_limits();
        }
    }

    pub(crate) fn check_limits(self: &Rc<Self>) {
        if let Some(guard) = &self.guard {
            guard.check(self);
        }
    }

    /// Nothing more comes from the network. Only the first reason counts.
    pub(crate) fn end(&self, at: Stamp<Mono>, reason: Input<'static>) {
        if !self.is_over.replace(true) {
            if let Some(guard) = &self.guard {
                guard.stop();
            }
            self.leaving_listener.take();
            self.session.tell(at, self.reason(at, reason));
            self.shared.last_end.set(Some(at));
        }
    }

    /// A failure at the moment of leaving is the page's doing, not the network's.
    fn reason(&self, at: Stamp<Mono>, reason: Input<'static>) -> Input<'static> {
        match reason {
            Input::Failed(Failure::Network | Failure::Reset) if self.is_leaving(at) => {
                Input::Aborted(AbortBy::Page)
            }
            reason => reason,
        }
    }

    /// Whether the page was about to be left at this time.
    fn is_leaving(&self, at: Stamp<Mono>) -> bool {
        let leaving = self.leaving.get();
        leaving.is_some_and(|leaving| at.since(leaving).unwrap_or_default() < LEAVING)
    }

    /// Ends the request on purpose, where it is ours to end; else only the measuring of it.
    pub(crate) fn abort(&self, by: AbortBy) {
        self.end(self.session.clock.now(), Input::Aborted(by));
        if let Some(guard) = &self.guard {
            guard.abort();
        }
    }

    /// Nothing more comes from the network: ends the stream, and makes its record when the time for that is come.
    pub(crate) fn conclude(self: &Rc<Self>, at: Stamp<Mono>, reason: Input<'static>) {
        self.conclude_within(ASKED_LATE_MS / ASK_AGAIN_MS, at, reason);
    }

    /// Firefox ends a page's requests when it is being left: some time before it says that the page is gone, and
    /// about when it asks whether it may go. Waits for that question, where the end may be of this kind.
    fn conclude_within(self: &Rc<Self>, asks: u32, at: Stamp<Mono>, reason: Input<'static>) {
        let maybe_left = matches!(reason, Input::Failed(Failure::Network | Failure::Reset));
        let is_leaving = self.is_leaving(self.session.clock.now());
        if asks > 0 && maybe_left && !is_leaving && self.is_open() {
            let live = Rc::clone(self);
            let again = move || live.conclude_within(asks - 1, at, reason);
            Timeout::new(ASK_AGAIN_MS, again).forget();
            return;
        }
        self.end(at, reason);
        let looks = if is_leaving {
            0
        } else {
            LAST_FRAME_MS / LOOK_AGAIN_MS
        };
        self.finish_within(looks);
    }

    /// Makes the record, once the page had the time to show the last text, where it is visible and shows any.
    fn finish_within(self: &Rc<Self>, looks: u32) {
        let painter = self.painter.get().and_then(Option::as_ref);
        let visible = page::visibility(&self.shared.document) == Visibility::Visible;
        if looks == 0 || !visible || painter.is_none_or(|painter| painter.is_settled()) {
            return self.close();
        }
        let live = Rc::clone(self);
        Timeout::new(LOOK_AGAIN_MS, move || live.finish_within(looks - 1)).forget();
    }

    /// Makes the record and hands it over. Only the first call does.
    pub(crate) fn close(&self) {
        let Some(mut context) = self.context.take() else {
            return;
        };
        if let Some(entries) = self.entries.take() {
            entries.drain();
            context.connection_reused = entries.connection_reused();
        }
        if let Some(Some(painter)) = self.painter.get() {
            painter.stop();
        }
        let mut measurement = self.session.close();
        if self.is_whole.get() {
            measurement.timing.ttfb = None;
            measurement.flags.insert(Flags::BODY_UNSEEN);
        }
        let mut record = Record::new(&measurement, context);
        let json = record.fit(to_json);
        self.session.ended(record);
        if let Some(json) = json {
            self.shared.deliver(&self.id, json);
        }
    }

    /// Nobody watched the screen from the start: what it shows is then not measured.
    #[cfg(feature = "face")]
    pub(crate) fn is_unseen(&self) {
        self.is_unseen.set(true);
    }

    /// The body comes as one whole.
    #[cfg(feature = "face")]
    pub(crate) fn is_whole(&self) {
        self.is_whole.set(true);
    }

    /// No record comes of this.
    #[cfg(feature = "face")]
    pub(crate) fn forget(&self) {
        self.is_over.set(true);
        self.context.take();
        if let Some(Some(painter)) = self.painter.get() {
            painter.stop();
        }
        self.entries.take();
        self.leaving_listener.take();
    }
}
