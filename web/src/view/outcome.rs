//! How it ended, in a sentence, with the numbers that matter most.

use leptos::prelude::*;

use crate::app::app;
use crate::state::ask::{Headline, Phase, Posting};
use crate::state::format::{NONE, duration};
use crate::state::outcome::{Asked, explain, longest_gap};
use crate::state::targets::TargetInfo;
use streamlag_wire::Record;

/// One place for what is going on and how it ended, above the answer: it keeps its height, so that nothing
/// below it moves.
#[component]
pub(crate) fn Outcome() -> impl IntoView {
    let app = app();
    let told = move || match app.record.get() {
        Some((record, target)) => {
            let explained = explain(&record, asked(&target));
            view! {
                <div
                    class=format!("message {}", explained.tone.as_str())
                    data-testid="outcome"
                    data-outcome=record.outcome.clone()
                    data-class=record.error_class.clone()
                >
                    <p class="headline">{explained.headline}</p>
                    <p>{explained.advice}</p>
                </div>
            }
            .into_any()
        }
        None => view! { <div class="message"><p>{move || app.status.get()}</p></div> }.into_any(),
    };
    view! { <div class="outcome" role="status" data-testid="status">{told}</div> }
}

fn asked(target: &TargetInfo) -> Asked<'_> {
    Asked {
        label: &target.label,
        host: target.host(),
        key: target.key_alias.as_deref(),
        is_key_missing: target.missing_key.is_some(),
    }
}

/// The five numbers in large type: running while it streams, the record's once it is there.
#[component]
pub(crate) fn Numbers() -> impl IntoView {
    let app = app();
    let shown = Memo::new(move |_| match app.record.get() {
        Some((record, _)) => final_numbers(&record),
        None => running(app.headline.get()),
    });
    let number = move |index: usize, label: &'static str, word: &'static str| {
        view! {
            <div class="number">
                <dt>{label}</dt>
                <dd data-testid=format!("big-{word}")>{move || shown.get()[index].clone()}</dd>
            </div>
        }
    };
    view! {
        <dl class="numbers" class:idle=move || app.phase.get() == Phase::Idle>
            {number(0, "First byte", "ttfb")} {number(1, "First text", "ttft")}
            {number(2, "Longest gap", "gap")} {number(3, "Last text", "total")}
            {number(4, "Read to screen", "lag")}
        </dl>
    }
}

fn running(now: Headline) -> [String; 5] {
    let text = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    [
        text(now.ttfb),
        text(now.ttft),
        text(now.longest_gap),
        text(now.total),
        NONE.to_owned(),
    ]
}

fn final_numbers(record: &Record) -> [String; 5] {
    let step = record.clock.step_ms;
    let lag = record.sketches.lag_latest.as_ref();
    let lag = lag.and_then(|sketch| sketch.p50_ms.or(sketch.max_ms));
    let text = |ms: Option<f64>| ms.map_or_else(|| NONE.to_owned(), |ms| duration(ms, step));
    let timing = &record.timing;
    // Of the two bounds the upper one: that much at most.
    let lag = lag.map_or_else(
        || NONE.to_owned(),
        |ms| format!("≤\u{202f}{}", duration(ms, step)),
    );
    [
        text(timing.ttfb_ms),
        text(timing.ttft_ms),
        text(longest_gap(record)),
        text(timing.total_ms),
        lag,
    ]
}

#[component]
pub(crate) fn PostingLine() -> impl IntoView {
    let app = app();
    let line = move || {
        let (record, _) = app.record.get()?;
        let posting = app.posting.get();
        let link = matches!(posting, Posting::Posted).then(|| {
            let href = format!("/v1/records/{}", record.id);
            view! { " " <a href=href data-testid="record-link">{record.id.clone()}</a> }
        });
        let is_trouble = matches!(posting, Posting::Refused(_) | Posting::Waiting(_));
        Some(view! {
            <p class:trouble=is_trouble data-testid="posting">{posting.words()} {link}</p>
        })
    };
    view! { <div class="posting" role="status">{line}</div> }
}
