//! The page's life: shown, hidden, frozen, gone.

use std::rc::Rc;

use gloo_events::EventListener;
use streamlag_core::Visibility;
use web_sys::{Document, VisibilityState};

/// Listens for as long as it lives.
pub(crate) struct PageLife {
    _listeners: Vec<EventListener>,
}

/// What happened to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageEvent {
    /// Its visibility changed.
    Visibility(Visibility),
    /// It is going away: nothing asynchronous runs after this.
    Gone,
}

impl PageLife {
    /// `None` outside of a page.
    pub(crate) fn watch(tell: impl Fn(PageEvent) + 'static) -> Option<Self> {
        let window = web_sys::window()?;
        let document = window.document()?;
        let tell = Rc::new(tell);
        let on = |target: &web_sys::EventTarget,
                  name: &'static str,
                  what: fn(&Document) -> PageEvent| {
            let (tell, document) = (Rc::clone(&tell), document.clone());
            EventListener::new(target, name, move |_| tell(what(&document)))
        };
        let current = |d: &Document| PageEvent::Visibility(visibility(d));
        // Not `unload`: listening to it keeps the page out of the back-forward cache.
        let listeners = vec![
            on(&document, "visibilitychange", current),
            on(&document, "freeze", |_| {
                PageEvent::Visibility(Visibility::Frozen)
            }),
            on(&document, "resume", current),
            on(&window, "pageshow", current),
            on(&window, "pagehide", |_| PageEvent::Gone),
        ];
        Some(Self {
            _listeners: listeners,
        })
    }
}

/// Hears that the page may be left, which only the next moments show. To be listened to only while a stream is
/// open, which keeps the page out of the back-forward cache anyway: in some engines this listener does too.
pub(crate) fn on_leaving(tell: impl Fn() + 'static) -> Option<EventListener> {
    let window = web_sys::window()?;
    Some(EventListener::new(&window, "beforeunload", move |_| tell()))
}

/// The visibility now.
pub(crate) fn visibility(document: &Document) -> Visibility {
    match document.visibility_state() {
        VisibilityState::Visible => Visibility::Visible,
        _ => Visibility::Hidden,
    }
}
