//! The browser's shell: drives the core's probe over `fetch`, watches the screen, posts the record.
//!
//! *Only lengths, counts and times leave the page*: text goes to the page's own [`Watcher`] and nowhere else.
//! Nothing here decides what a number means; that is the core's work.
//!
//! An answer is measured in one of two ways, which share all but their first step:
//! ```text
//! Agent::ask ─► stream: sends and reads itself, within limits (guard) ─┐
//!                                                                      ├─► live ─► session ─► the core's probe
//! js/ ─► face ─► told: is told what the app's own read delivered ──────┘     ├─ paint, observe, page
//!                                                                            └─► record ─► outlet
//! ```
//! Our page asks and links this library. Anyone's app is listened to: the scripts in `js/` stamp what its own
//! `Response` delivers, and call the exports of the feature `face`. They hold the bytes until the module is
//! there, and have a smaller way of their own where wasm is refused; `js/README.md` says how.
//!
//! Each file is one side of the browser: `clock`, `page` (its life), `paint` (the screen), `observe` (what the
//! engine tells about itself), `response` (what comes before the body), `transport` (the page's way to the
//! collector; an app's is a script). `limits`, `frames` and `queue` are their decisions without the browser,
//! tested natively.

mod ask;
mod clock;
#[cfg(feature = "face")]
mod face;
mod frames;
mod guard;
mod ids;
mod limits;
mod live;
mod observe;
mod page;
mod paint;
mod queue;
mod record;
mod response;
mod session;
mod stream;
#[cfg(feature = "face")]
mod told;
mod transport;
mod watch;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use streamlag_core::{AbortBy, Input, Mono, Stamp, Visibility};
use web_sys::Document;

use crate::clock::PageClock;
use crate::live::Live;
use crate::page::{PageEvent, PageLife};
use crate::transport::{Outlet, Transport};

pub use crate::ask::{Ask, Stream};
pub use crate::frames::Written;
pub use crate::limits::Limits;
pub use crate::transport::{Delivery, OnDelivery};
pub use crate::watch::{Mark, Watcher};

/// What records say about their maker.
pub const NAME: &str = concat!("streamlag-agent/", env!("CARGO_PKG_VERSION"));

/// How an agent is set up.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The collector's origin and path prefix; empty: the page's own.
    pub collector: String,
    /// The application's name.
    pub app: Option<String>,
    /// Its release.
    pub release: Option<String>,
}

/// Measures streams of one page. Lives as long as the page; dropping it stops listening.
pub struct Agent {
    shared: Rc<Shared>,
    _life: Option<PageLife>,
}

/// What all streams of a page have in common.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) clock: PageClock,
    pub(crate) document: Document,
    outlet: Rc<dyn Outlet>,
    pub(crate) last_end: Cell<Option<Stamp<Mono>>>,
    streams: RefCell<Vec<Weak<Live>>>,
}

/// After this long without a stream, the next one counts as a cold start.
const IDLE_MS: f64 = 60_000.0;

impl Agent {
    /// Measures the clock's step and begins to watch the page's life. `None` outside of a page.
    pub fn new(config: Config, on_delivery: OnDelivery) -> Option<Self> {
        let records = [config.collector.trim_end_matches('/'), "/v1/records"].concat();
        Self::start(config, Transport::new(records, on_delivery))
    }

    fn start(config: Config, outlet: Rc<dyn Outlet>) -> Option<Self> {
        let shared = Rc::new(Shared {
            clock: PageClock::start()?,
            document: web_sys::window()?.document()?,
            outlet,
            last_end: Cell::new(None),
            streams: RefCell::default(),
            config,
        });
        let watched = Rc::clone(&shared);
        let life = PageLife::watch(move |event| watched.on_page(event));
        Some(Self {
            shared,
            _life: life,
        })
    }

    /// Sends a request and measures its answer.
    pub fn ask(&self, ask: Ask, watcher: Box<dyn Watcher>) -> Stream {
        Stream::new(stream::start(&self.shared, ask, watcher))
    }

    /// A reading of the agent's clock, or of an event that carries one (`event.timeStamp`).
    pub fn stamp(&self, ms: f64) -> Stamp<Mono> {
        self.shared.clock.at(ms)
    }

    /// The agent's clock now.
    pub fn now(&self) -> Stamp<Mono> {
        self.shared.clock.now()
    }
}

impl Shared {
    /// Streams under way.
    pub(crate) fn in_flight(&self) -> u32 {
        let live = self.live();
        u32::try_from(live.iter().filter(|s| s.is_open()).count()).unwrap_or(u32::MAX)
    }

    /// `cold` after a time without streams.
    pub(crate) fn warmth(&self) -> &'static str {
        let idle = self
            .last_end
            .get()
            .map(|end| self.clock.now().ms() - end.ms());
        match idle {
            Some(idle) if idle < IDLE_MS => "warm",
            _ => "cold",
        }
    }

    /// Hands a record over.
    pub(crate) fn deliver(&self, id: &str, json: String) {
        Rc::clone(&self.outlet).take(id, json);
    }

    pub(crate) fn add(&self, live: &Rc<Live>) {
        let mut streams = self.streams.borrow_mut();
        streams.retain(|stream| stream.strong_count() > 0);
        streams.push(Rc::downgrade(live));
        live.watch_leaving();
    }

    pub(crate) fn live(&self) -> Vec<Rc<Live>> {
        self.streams
            .borrow()
            .iter()
            .filter_map(Weak::upgrade)
            .collect()
    }

    fn on_page(&self, event: PageEvent) {
        match event {
            PageEvent::Visibility(visibility) => {
                let at = self.clock.now();
                for stream in self.live() {
                    stream.session.tell(at, Input::Visibility(visibility));
                }
                // A hidden page may be discarded without another word: what waits goes now.
                match visibility {
                    Visibility::Visible => Rc::clone(&self.outlet).shown(),
                    Visibility::Hidden | Visibility::Frozen => Rc::clone(&self.outlet).leaving(),
                }
            }
            PageEvent::Gone => {
                for stream in self.live() {
                    stream.abort(AbortBy::Page);
                    stream.close();
                }
                Rc::clone(&self.outlet).leaving();
            }
        }
    }
}
