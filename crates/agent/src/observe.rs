//! What the browser itself tells about the main thread and the connection, where it does.

use std::cell::Cell;
use std::rc::Rc;

use streamlag_core::{Input, Mono, Stamp};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{PerformanceEntry, PerformanceObserver, PerformanceObserverEntryList};
use web_sys::{PerformanceObserverInit, PerformanceResourceTiming};

use crate::session::Session;

/// Listens to performance entries while one stream runs.
pub(crate) struct Entries {
    observer: PerformanceObserver,
    reader: Rc<Reader>,
    _on_entries: Closure<dyn FnMut(PerformanceObserverEntryList)>,
}

struct Reader {
    session: Rc<Session>,
    /// The request's URL, as entries name it.
    url: String,
    sent: Cell<Option<Stamp<Mono>>>,
    connection_reused: Cell<Option<bool>>,
}

/// Entry types that say the main thread was busy, and the one about requests.
const TYPES: [&str; 3] = ["longtask", "long-animation-frame", "resource"];

impl Entries {
    /// `None` where the engine has no observer or knows none of the types.
    pub(crate) fn start(session: Rc<Session>, url: String) -> Option<Self> {
        let types = supported();
        if types.length() == 0 {
            return None;
        }
        let reader = Rc::new(Reader {
            session,
            url,
            sent: Cell::new(None),
            connection_reused: Cell::new(None),
        });
        let receiver = Rc::clone(&reader);
        let on_entries = Closure::new(move |list: PerformanceObserverEntryList| {
            receiver.read(&list.get_entries());
        });
        let observer = PerformanceObserver::new(on_entries.as_ref().unchecked_ref()).ok()?;
        observer.observe(&PerformanceObserverInit::new(&types));
        Some(Self {
            observer,
            reader,
            _on_entries: on_entries,
        })
    }

    /// The request was sent: its entry is the one that starts no earlier.
    pub(crate) fn sent(&self, at: Stamp<Mono>) {
        self.reader.sent.set(Some(at));
    }

    /// Reads what was not delivered yet.
    pub(crate) fn drain(&self) {
        self.reader.read(&self.observer.take_records());
    }

    /// Whether the request used an open connection: no set-up longer than the clock's step was seen.
    /// `None` where the browser does not tell (engine, or another origin without `Timing-Allow-Origin`).
    pub(crate) fn connection_reused(&self) -> Option<bool> {
        self.reader.connection_reused.get()
    }
}

impl Drop for Entries {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

impl Reader {
    fn read(&self, entries: &js_sys::Array) {
        for entry in entries.iter() {
            match entry.dyn_into::<PerformanceResourceTiming>() {
                Ok(resource) => self.resource(&resource),
                Err(other) => self.blocked(other.unchecked_ref()),
            }
        }
    }

    fn blocked(&self, entry: &PerformanceEntry) {
        let start = entry.start_time();
        let clock = &self.session.clock;
        let until = clock.at(start + entry.duration());
        let at = clock.at(start);
        self.session.tell(at, Input::MainThreadBlocked { until });
    }

    fn resource(&self, entry: &PerformanceResourceTiming) {
        // Entry times are coarsened on their own: a millisecond of tolerance, and the first match counts.
        let start = self.session.clock.at(entry.start_time() + 1.0);
        let ours = self.sent.get().is_some_and(|sent| start >= sent) && entry.name() == self.url;
        let exposed = entry.request_start() > 0.0;
        if ours && exposed && self.connection_reused.get().is_none() {
            let reused = entry.connect_end() <= entry.connect_start();
            self.connection_reused.set(Some(reused));
        }
    }
}

/// Those of [`TYPES`] that this engine has: asking for others is a warning in its console.
fn supported() -> js_sys::Array {
    let global = js_sys::global();
    let key = JsValue::from_str("PerformanceObserver");
    let all = js_sys::Reflect::get(&global, &key)
        .and_then(|class| js_sys::Reflect::get(&class, &"supportedEntryTypes".into()))
        .map(|types| js_sys::Array::from(&types))
        .unwrap_or_default();
    TYPES
        .map(JsValue::from_str)
        .into_iter()
        .filter(|name| all.includes(name, 0))
        .collect()
}
