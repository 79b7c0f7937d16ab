//! The latest records.

use leptos::prelude::*;

use super::comparison::PlaceName;
use crate::app::{Loaded, app};
use crate::state::recent::Line;

#[component]
pub(crate) fn Recent() -> impl IntoView {
    let app = app();
    let lines = Memo::new(move |_| match app.recent.get() {
        Loaded::Ready(lines) => lines,
        _ => Vec::new(),
    });
    let instead = move || match app.recent.get() {
        Loaded::Loading => Some(view! { <p class="quiet">"Nothing loaded yet."</p> }.into_any()),
        Loaded::Failed(why) => Some(view! { <p class="message bad">{why}</p> }.into_any()),
        Loaded::Ready(lines) if lines.is_empty() => Some(
            view! { <p class="quiet">"No record yet. Each question asked above becomes one."</p> }
                .into_any(),
        ),
        Loaded::Ready(_) => None,
    };
    view! {
        <section class="recent" aria-labelledby="recent-title">
            <div class="section-head">
                <h2 id="recent-title">"Latest records"</h2>
            </div>
            {instead}
            <Show when=move || !lines.with(Vec::is_empty)>
                <table class="recent-table" data-testid="recent">
                    <thead>
                        <tr>
                            <th scope="col">"When"</th>
                            <th scope="col">"Where"</th>
                            <th scope="col" class="wide">"Target"</th>
                            <th scope="col">"Ended"</th>
                            <th scope="col" class="right">"First text"</th>
                            <th scope="col" class="right wide">"Last text"</th>
                            <th scope="col">"Record"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <For each=move || lines.get() key=|line| line.id.clone() children=row />
                    </tbody>
                </table>
            </Show>
        </section>
    }
}

fn row(line: Line) -> impl IntoView {
    let href = format!("/v1/records/{}", line.id);
    let short: String = line.id.chars().take(8).collect();
    view! {
        <tr>
            <td class="when">{local_time(line.started_at_ms)}</td>
            <td><PlaceName place=line.place /></td>
            <td class="wide">{line.target}</td>
            <td class="ended" class:bad=!line.is_ok>{line.ending}</td>
            <td class="right">{line.ttft}</td>
            <td class="right wide">{line.total}</td>
            <td><a href=href><code>{short}</code></a></td>
        </tr>
    }
}

/// In the reader's own time zone and manner.
fn local_time(ms: f64) -> String {
    let date = js_sys::Date::new(&ms.into());
    date.to_locale_time_string("default").into()
}
