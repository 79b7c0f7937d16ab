//! The page as it is drawn. One file each for what `state/` knows.

#![expect(
    unreachable_pub,
    reason = "the component macro makes its own items public"
)]

pub(crate) mod ask;
pub(crate) mod comparison;
pub(crate) mod edge;
pub(crate) mod metrics;
pub(crate) mod outcome;
pub(crate) mod recent;
pub(crate) mod targets;
pub(crate) mod timeline;

use leptos::prelude::*;

use crate::app::App;
use crate::live;

/// Replaces the loader's words by the page.
pub(crate) fn mount() {
    if let Some(loader) = document().get_element_by_id("loader") {
        loader.remove();
    }
    mount_to_body(Page);
}

#[component]
fn Page() -> impl IntoView {
    let app = App::new();
    provide_context(app);
    provide_context(ask::Surfaces::new());
    app.load_targets();
    live::listen(app);
    // A target just chosen has its own numbers.
    Effect::new(move |_| {
        if app.selected.get().is_some() {
            app.refresh();
        }
    });
    view! {
        <Masthead />
        <main>
            <section class="question" aria-label="Ask a target">
                <ask::Question />
            </section>
            <section class="result" aria-label="The answer">
                <outcome::Outcome />
                <ask::Answer />
                <outcome::Numbers />
                <outcome::PostingLine />
                <metrics::Metrics />
            </section>
            <comparison::ComparisonSection />
            <recent::Recent />
        </main>
        <footer class="colophon">
            <p>
                "Times are measured in this page with "
                <code>"performance.now()"</code>
                ", at the return of each read, before decoding. No text of a prompt or an answer leaves it: records hold lengths, counts and times."
            </p>
        </footer>
    }
}

#[component]
fn Masthead() -> impl IntoView {
    let app = crate::app::app();
    let state = move || match app.is_live.get() {
        true => "Live",
        false => "Collector not reachable, trying again",
    };
    view! {
        <header class="masthead">
            <h1>"streamlag"</h1>
            <p class="claim">"Where does a streamed answer lose its time?"</p>
            <p class="link" class:lost=move || !app.is_live.get() role="status" data-testid="link">
                {state}
            </p>
        </header>
    }
}
