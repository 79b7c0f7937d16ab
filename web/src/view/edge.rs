//! The button that lets every region of the edge measure now.

use leptos::prelude::*;

use crate::app::app;
use crate::state::edge::{EdgeLine, EdgeProbe};

#[component]
pub(crate) fn EdgeButton() -> impl IntoView {
    let app = app();
    let is_busy = move || app.edge.get() == EdgeProbe::Asking || app.phase.get().is_busy();
    let words = move || match app.edge.get() {
        EdgeProbe::Asking => "Probing …",
        _ => "Probe from the edge",
    };
    let told = move || {
        match app.edge.get() {
        EdgeProbe::Idle => None,
        EdgeProbe::Asking => {
            Some(view! { <p class="quiet">"Every region asks the target once. This takes as long as its answer does."</p> }.into_any())
        }
        EdgeProbe::Failed(why) => Some(view! { <p class="message notice">{why}</p> }.into_any()),
        EdgeProbe::Done(lines) if lines.is_empty() => {
            Some(view! { <p class="message notice">"The worker has no regions; set REGIONS in its configuration."</p> }.into_any())
        }
        EdgeProbe::Done(lines) => {
            let lines: Vec<_> = lines.into_iter().map(line).collect();
            Some(view! { <ul class="edge-lines">{lines}</ul> }.into_any())
        }
    }
    };
    view! {
        <button type="button" data-testid="probe-edge" disabled=is_busy on:click=move |_| app.probe_edge()>{words}</button>
        <div class="edge-told" role="status" data-testid="edge-told">{told}</div>
    }
}

fn line(line: EdgeLine) -> impl IntoView {
    view! { <li class:bad=!line.is_ok>{line.text}</li> }
}
