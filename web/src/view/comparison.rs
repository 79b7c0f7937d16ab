//! Browser against edge by region, as tables with a picture in each row.

use leptos::prelude::*;

use super::edge::EdgeButton;
use crate::app::{Loaded, app};
use crate::state::comparison::{
    Block, BlockRow, Cells, Chart, Comparison, Place, blocks, endings, place,
};
use crate::state::format::NONE;

#[component]
pub(crate) fn ComparisonSection() -> impl IntoView {
    let app = app();
    let all = RwSignal::new(false);
    let label = move || app.target().map(|target| target.label).unwrap_or_default();
    let body = move || match app.comparison.get() {
        Loaded::Loading => view! { <p class="quiet">"Nothing loaded yet."</p> }.into_any(),
        Loaded::Failed(why) => view! { <p class="message bad">{why}</p> }.into_any(),
        Loaded::Ready(comparison) if comparison.groups.is_empty() => Nothing().into_any(),
        Loaded::Ready(comparison) => view! { <Tables comparison all /> }.into_any(),
    };
    let has_rows = Memo::new(move |_| match app.comparison.get() {
        Loaded::Ready(comparison) => !comparison.groups.is_empty(),
        _ => false,
    });
    view! {
        <section class="comparison" aria-labelledby="comparison-title">
            <div class="section-head">
                <h2 id="comparison-title">"Browser against edge"</h2>
                <p class="quiet">{label} ", last 24 hours, updated live"</p>
                <EdgeButton />
            </div>
            {body}
            // Apart from the tables: news must not take the focus from the button.
            <Show when=move || has_rows.get()>
                <Foot all />
            </Show>
        </section>
    }
}

#[component]
fn Nothing() -> impl IntoView {
    let app = app();
    let command = move || format!("streamlag probe {}", app.selected.get().unwrap_or_default());
    view! {
        <p class="quiet" data-testid="comparison-empty">
            "No record of this target in the last 24 hours. Press Ask above, probe from the edge, or run "
            <code>{command}</code> "."
        </p>
    }
}

#[component]
fn Tables(comparison: Comparison, all: RwSignal<bool>) -> impl IntoView {
    let cut = (!comparison.complete)
        .then_some(view! { <p class="quiet">"There were more records than are read at once; the newest count."</p> });
    let places: Vec<_> = comparison
        .groups
        .iter()
        .map(|group| {
            let place = place(&group.vantage, group.region.as_deref());
            view! { <li><PlaceName place /> " " <span class="note">{endings(group)}</span></li> }
        })
        .collect();
    let tables = move || {
        let tables: Vec<_> = blocks(&comparison, all.get())
            .into_iter()
            .map(table)
            .collect();
        view! { <div class="blocks" data-testid="comparison">{tables}</div> }
    };
    view! {
        <ul class="places" data-testid="places">{places}</ul>
        {cut}
        {tables}
    }
}

#[component]
fn Foot(all: RwSignal<bool>) -> impl IntoView {
    let words = move || {
        if all.get() {
            "Show fewer metrics"
        } else {
            "Show all metrics"
        }
    };
    view! {
        <p class="table-foot">
            <button
                type="button"
                class="plain"
                aria-expanded=move || all.get().to_string()
                on:click=move |_| all.update(|all| *all = !*all)
            >
                {words}
            </button>
            <span class="note">
                "Percentiles are over complete answers. P50 from 20 records on, P95 from 100, P99 from 300; below that, the values themselves, newest first."
            </span>
        </p>
    }
}

fn table(block: Block) -> impl IntoView {
    let rows: Vec<_> = block.rows.into_iter().map(row).collect();
    view! {
        <table role="table" class="block" data-testid=format!("compare-{}", block.word)>
            <caption>{block.label} " " <code>{block.word}</code></caption>
            <thead>
                <tr>
                    <th scope="col">"Where"</th>
                    <th scope="col" class="n">"n"</th>
                    <th scope="col">"P50"</th>
                    <th scope="col">"P95"</th>
                    <th scope="col">"P99"</th>
                    <th scope="col" class="chart-head">
                        <span class="scale"><span>"0"</span><span>{block.scale}</span></span>
                    </th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn row(row: BlockRow) -> impl IntoView {
    let cell = |(name, text): (&'static str, String)| {
        let is_none = text == NONE;
        let unit = (!is_none).then(|| view! { <span class="unit">"\u{202f}ms"</span> });
        view! { <td role="cell" data-label=name class:none=is_none>{text}{unit}</td> }
    };
    let cells = match row.cells {
        Cells::Nothing => {
            view! { <td role="cell" class="raw none" colspan="3">"not observed"</td> }.into_any()
        }
        Cells::Raw(text) => {
            view! { <td role="cell" class="raw" colspan="3">{text}<span class="unit">"\u{202f}ms"</span></td> }.into_any()
        }
        Cells::Percentiles([p50, p95, p99]) => {
            [("P50", p50), ("P95", p95), ("P99", p99)].map(cell).into_any()
        }
    };
    let (vantage, code) = (row.place.vantage.to_lowercase(), row.place.code.clone());
    view! {
        <tr role="row" data-vantage=vantage data-region=code>
            <th role="rowheader" scope="row"><PlaceName place=row.place /></th>
            <td role="cell" class="n">{row.n}</td>
            {cells}
            <td role="cell" class="chart-cell">{chart(&row.chart)}</td>
        </tr>
    }
}

/// The picture repeats the numbers beside it: listeners need not hear it.
fn chart(chart: &Chart) -> impl IntoView + use<> {
    let at = |left: f64| format!("left:{left:.2}%");
    let dots: Vec<_> = chart
        .dots
        .iter()
        .map(|dot| view! { <i class="dot" style=at(*dot)></i> })
        .collect();
    let range = chart.range.map(|(from, to)| {
        let width = to - from;
        view! { <i class="range" style=format!("left:{from:.2}%;width:{width:.2}%")></i> }
    });
    let max = chart
        .max
        .map(|max| view! { <i class="max" style=at(max)></i> });
    let median = chart
        .median
        .map(|median| view! { <i class="median" style=at(median)></i> });
    view! { <span class="chart" aria-hidden="true">{range}{max}{dots}{median}</span> }
}

#[component]
pub(crate) fn PlaceName(place: Place) -> impl IntoView {
    let region = (!place.region.is_empty()).then(|| {
        view! { <span class="region">{place.region.clone()}</span> <code>{place.code.clone()}</code> }
    });
    view! { <span class="place"><span class="vantage">{place.vantage}</span> " " {region}</span> }
}
