//! News from the collector: `GET /v1/live`, and how to get over its absence.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::EventSource;

use crate::app::{App, Loaded};

/// How long news are collected before the page reads anew.
const GATHER_MS: u32 = 250;
/// How long to wait before a lost collector is tried again.
const RETRY_MS: u32 = 2_000;

/// Listens for as long as the page lives.
pub(crate) fn listen(app: App) {
    let Ok(source) = EventSource::new("/v1/live") else {
        return;
    };
    let gathering = StoredValue::new_local(None::<Timeout>);
    let on_open = Closure::<dyn FnMut()>::new(move || {
        app.is_live.set(true);
        if !matches!(app.targets.get_untracked(), Loaded::Ready(_)) {
            app.load_targets();
        }
    });
    let on_news = Closure::<dyn FnMut()>::new(move || {
        if gathering.with_value(Option::is_none) {
            let later = Timeout::new(GATHER_MS, move || {
                gathering.set_value(None);
                app.refresh();
            });
            gathering.set_value(Some(later));
        }
    });
    let opened = source.clone();
    let on_error = Closure::<dyn FnMut()>::new(move || {
        app.is_live.set(false);
        // The browser connects again by itself unless it was refused outright.
        if opened.ready_state() == EventSource::CLOSED {
            Timeout::new(RETRY_MS, move || listen(app)).forget();
        }
    });
    source.set_onopen(Some(on_open.as_ref().unchecked_ref()));
    source.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    let added =
        source.add_event_listener_with_callback("records", on_news.as_ref().unchecked_ref());
    debug_assert!(added.is_ok());
    // As long as the page: nothing ever stops listening.
    on_open.forget();
    on_news.forget();
    on_error.forget();
}
