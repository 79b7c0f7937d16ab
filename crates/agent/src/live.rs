//! A stream's state, shared by its read loop, its timer and the page's events; and everything that ends it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use gloo_timers::future::TimeoutFuture;
use serde::Serialize;
use streamlag_core::{AbortBy, Failure, Input, Mono, Stamp};
use streamlag_wire::{Context, Record, Vantage};
use web_sys::{AbortController, AbortSignal};

use crate::ask::Ask;
use crate::limits::{Limits, Progress, Verdict};
use crate::observe::Entries;
use crate::paint::Painter;
use crate::session::Session;
use crate::watch::Watcher;
use crate::{NAME, Shared, ids, page};

pub(crate) struct Live {
    pub(crate) shared: Rc<Shared>,
    pub(crate) session: Rc<Session>,
    pub(crate) painter: Option<Rc<Painter>>,
    pub(crate) entries: RefCell<Option<Entries>>,
    id: String,
    trace_id: String,
    controller: Option<AbortController>,
    limits: Limits,
    progress: Cell<Option<Progress>>,
    timer: RefCell<Option<Timeout>>,
    /// Taken when the record is made: `None` then.
    context: RefCell<Option<Context>>,
    is_over: Cell<bool>,
    /// When the page was last asked whether it may be left.
    leaving: Cell<Option<Stamp<Mono>>>,
    leaving_listener: RefCell<Option<EventListener>>,
}

/// How long a page counts as being left once it was asked whether it may be.
const LEAVING: Duration = Duration::from_secs(1);
/// How long after a request's failure that question may come.
const ASKED_LATE_MS: u32 = 250;

impl Live {
    pub(crate) fn new(shared: &Rc<Shared>, ask: &Ask, watcher: Box<dyn Watcher>) -> Rc<Self> {
        let clock = shared.clock.clone();
        let session = Rc::new(Session::new(clock, ask.dialect.clone(), watcher));
        let painter = ask.is_shown.then(|| Painter::start(Rc::clone(&session)));
        let (id, trace_id) = (ids::record_id(), ids::record_id());
        let vantage = Vantage::Browser;
        let target = ask.target.clone();
        let context = Context {
            app: shared.config.app.clone(),
            release: shared.config.release.clone(),
            trace_id: Some(trace_id.clone()),
            prompt_id: ask.prompt_id.clone(),
            prompt_chars: ask.prompt_chars,
            concurrency: Some(shared.in_flight() + 1),
            warmth: Some(shared.warmth()),
            ..Context::new(id.clone(), vantage, target, NAME.to_owned())
        };
        Rc::new(Self {
            shared: Rc::clone(shared),
            session,
            painter: painter.flatten(),
            entries: RefCell::default(),
            id,
            trace_id,
            controller: AbortController::new().ok(),
            limits: ask.limits,
            progress: Cell::default(),
            timer: RefCell::default(),
            context: RefCell::new(Some(context)),
            is_over: Cell::default(),
            leaving: Cell::default(),
            leaving_listener: RefCell::default(),
        })
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

    /// The headers that tie the sides of one request together.
    pub(crate) fn trace_headers(&self) -> [(&'static str, String); 2] {
        let traceparent = ids::traceparent(&self.trace_id);
        [
            ("x-request-id", self.id.clone()),
            ("traceparent", traceparent),
        ]
    }

    pub(crate) fn signal(&self) -> Option<AbortSignal> {
        self.controller.as_ref().map(AbortController::signal)
    }

    /// Whether bytes may still come.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_over.get()
    }

    /// The request came this far; the first such step starts the timer.
    pub(crate) fn progress(self: &Rc<Self>, progress: Progress) {
        let is_first = self.progress.replace(Some(progress)).is_none();
        if is_first {
            self.check_limits();
        }
    }

    /// Nothing more comes from the network. Only the first reason counts.
    pub(crate) fn end(&self, at: Stamp<Mono>, reason: Input<'static>) {
        if !self.is_over.replace(true) {
            self.timer.take();
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

    /// Firefox ends a page's requests when it is being left: some time before it says that the page is gone, and
    /// about when it asks whether it may go. Waits for that question, where the end may be of this kind.
    pub(crate) async fn maybe_left(&self, reason: &Input<'static>) {
        const STEP_MS: u32 = 10;
        if matches!(reason, Input::Failed(Failure::Network | Failure::Reset)) {
            for _ in 0..ASKED_LATE_MS / STEP_MS {
                if self.is_leaving(self.session.clock.now()) || !self.is_open() {
                    return;
                }
                TimeoutFuture::new(STEP_MS).await;
            }
        }
    }

    /// Whether the page was about to be left at this time.
    pub(crate) fn is_leaving(&self, at: Stamp<Mono>) -> bool {
        let leaving = self.leaving.get();
        leaving.is_some_and(|leaving| at.since(leaving).unwrap_or_default() < LEAVING)
    }

    /// Ends the request on purpose.
    pub(crate) fn abort(&self, by: AbortBy) {
        self.end(self.session.clock.now(), Input::Aborted(by));
        if let Some(controller) = &self.controller {
            controller.abort();
        }
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
        let mut record = Record::new(&self.session.close(), context);
        let json = record.fit(to_json);
        self.session.ended(record);
        if let Some(json) = json {
            self.shared.transport.push(self.id.clone(), json);
        }
    }

    fn check_limits(self: &Rc<Self>) {
        let Some(progress) = self.progress.get() else {
            return;
        };
        match self.limits.check(progress, self.session.clock.now()) {
            Verdict::Expired(phase) => self.abort(AbortBy::Timeout(phase)),
            Verdict::Wait(left) => {
                // A millisecond more, since a timer may fire that much early.
                let ms = u32::try_from(left.as_millis() + 1).unwrap_or(u32::MAX);
                let this = Rc::downgrade(self);
                let timer = Timeout::new(ms, move || {
                    if let Some(this) = this.upgrade().filter(|this| this.is_open()) {
                        this.check_limits();
                    }
                });
                self.timer.replace(Some(timer));
            }
        }
    }
}

/// The host writes the JSON: a serialiser of our own would be half of the agent's size.
fn to_json(record: &Record) -> Option<String> {
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    let value = record.serialize(&plain).ok()?;
    js_sys::JSON::stringify(&value).ok().map(String::from)
}
