//! An answer that the app reads itself: what the script around it stamped is told to the probe.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use streamlag_core::{AbortBy, Failure, Input, Stamp, TimeoutPhase, Visibility};
use streamlag_wire::{Context, Target, Vantage};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Response};

use crate::frames::Written;
use crate::live::Live;
use crate::observe::Entries;
use crate::session::{Pace, Session};
use crate::{NAME, Shared, ids, response};

/// One answer. Its methods are named after the log's words and take their stamp first, in ms of
/// `performance.now()`. Freed by JavaScript once nobody holds the response any more.
#[wasm_bindgen]
pub struct Told {
    live: Rc<Live>,
    /// It began before the module was there, and catches up.
    is_late: Cell<bool>,
}

/// What is known at the send.
pub(crate) struct Sent {
    pub(crate) at: Option<f64>,
    pub(crate) wall: f64,
    pub(crate) intent: Option<f64>,
    pub(crate) hidden: bool,
    pub(crate) url: String,
    pub(crate) target: Target,
    pub(crate) dialect: Option<String>,
}

impl Told {
    pub(crate) fn new(shared: &Rc<Shared>, sent: Sent, is_late: bool) -> Self {
        let session = Session::new(shared.clock.clone(), sent.dialect, Box::new(()));
        let id = ids::record_id();
        let wall = Stamp::from_ms(sent.wall);
        let context = Context {
            started_at: wall,
            ..Context::new(id, Vantage::Browser, sent.target, NAME.to_owned())
        };
        let live = Live::new(shared, session, context, None);
        if is_late {
            live.is_unseen();
        }
        let session = &live.session;
        let clock = &session.clock;
        if let Some(intent) = sent.intent {
            session.tell(clock.at(intent), Input::Intent);
        }
        let now = clock.now();
        let at = sent.at.map(|at| clock.at(at));
        session.tell(at.unwrap_or(now), visibility(sent.hidden));
        let entries = Entries::start(Rc::clone(session), sent.url);
        if let Some(at) = at {
            if let Some(wall) = wall {
                session.tell(at, Input::WallClock(wall));
            }
            session.tell(at, Input::Send);
            if let Some(entries) = &entries {
                entries.sent(at);
            }
        }
        live.entries.replace(entries);
        session.cost(now, clock.now());
        Self {
            live,
            is_late: Cell::new(is_late),
        }
    }

    fn spent(&self, ms: f64) {
        // Also what is no number, or less than nothing.
        let cost = Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default();
        self.live.session.spent(cost);
    }
}

#[wasm_bindgen]
impl Told {
    /// The id of the record to come.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> String {
        self.live.id().to_owned()
    }

    /// Status and headers came.
    pub fn headers(&self, at: f64, response: &Response) {
        let session = &self.live.session;
        let (at, start) = (session.clock.at(at), session.clock.now());
        let failure = response::tell(session, at, response);
        session.cost(start, session.clock.now());
        if let Some(failure) = failure {
            self.live.conclude(at, failure);
        }
    }

    /// A read returned these bytes. `spent`: what the reads before cost, in ms.
    pub fn bytes(&self, at: f64, chunk: &[u8], spent: f64) {
        if !self.live.is_open() {
            return;
        }
        let session = &self.live.session;
        let at = session.clock.at(at);
        if self.is_late.get() {
            let start = session.clock.now();
            session.bytes(at, chunk, Pace::Late);
            session.cost(start, session.clock.now());
        } else {
            session.bytes(at, chunk, Pace::AtOnce);
            self.spent(spent);
        }
    }

    /// The whole body came at once, as text or bytes.
    pub fn whole(&self, at: f64, body: &JsValue) {
        if !self.live.is_open() {
            return;
        }
        self.live.is_whole();
        let session = &self.live.session;
        let (at, start) = (session.clock.at(at), session.clock.now());
        if let Some(bytes) = bytes(body) {
            session.bytes(at, &bytes, Pace::Late);
        }
        session.cost(start, session.clock.now());
    }

    /// The page was hidden or shown.
    pub fn visibility(&self, at: f64, hidden: bool) {
        let at = self.live.session.clock.at(at);
        self.live.session.tell(at, visibility(hidden));
    }

    /// Nothing more comes: 0 to its end, 1 broken, 2 ended by the app, 3 by the app's time limit.
    pub fn end(&self, at: f64, how: u8, spent: Option<f64>) {
        self.spent(spent.unwrap_or_default());
        let reason = match how {
            0 => Input::Eof,
            1 if self.live.session.is_answered() => Input::Failed(Failure::Reset),
            // A page is not told whether name, connection or the server's consent was missing.
            1 => Input::Failed(Failure::Network),
            2 => Input::Aborted(AbortBy::Library),
            _ => Input::Aborted(AbortBy::Timeout(TimeoutPhase::Total)),
        };
        self.live.conclude(self.live.session.clock.at(at), reason);
    }

    /// What was kept is told: from now on it is told as it happens.
    pub fn caught_up(&self) {
        self.is_late.set(false);
    }

    /// The text of all reads through this one is in the DOM; without a number: of all so far.
    pub fn committed(&self, through_read: Option<u32>) {
        let through = through_read.or_else(|| self.live.session.reads().checked_sub(1));
        if let Some((painter, through)) = self.live.painter().zip(through) {
            painter.committed(through, Written::Anytime);
        }
    }

    /// Takes every change below `element` as: all text delivered so far is in the DOM.
    pub fn observe(&self, element: &Element) {
        if let Some(painter) = self.live.painter() {
            painter.observe(element);
        }
    }

    /// It is none of ours: no record comes of it.
    #[wasm_bindgen(js_name = drop)]
    pub fn drop_it(&self) {
        self.live.forget();
    }
}

const fn visibility(hidden: bool) -> Input<'static> {
    Input::Visibility(if hidden {
        Visibility::Hidden
    } else {
        Visibility::Visible
    })
}

/// The body's bytes; `None`: nobody reads a form or a blob twice.
fn bytes(body: &JsValue) -> Option<Vec<u8>> {
    if let Some(text) = body.as_string() {
        return Some(text.into_bytes());
    }
    let is_bytes =
        body.is_instance_of::<js_sys::ArrayBuffer>() || body.is_instance_of::<js_sys::Uint8Array>();
    is_bytes.then(|| js_sys::Uint8Array::new(body).to_vec())
}
