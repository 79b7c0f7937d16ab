//! The page: ask a target, watch its answer stream in, compare browser and edge.
//!
//! `state/` is what the page knows, without a browser; `view/` draws it, file by file; `app` holds what
//! lives as long as the page, `run` one question, `api` and `live` speak to the collector. *The page has no
//! parser and no clock of its own*: both are the agent's, which it is the first user of.

#[cfg(target_arch = "wasm32")]
mod api;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod live;
#[cfg(target_arch = "wasm32")]
mod run;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
use streamlag_web::state;

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    view::mount();
}

/// The page runs in a browser only; natively there are the tests of its state.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
