//! The question, and the answer as it streams in.

use leptos::html::{Canvas, Div, Textarea};
use leptos::prelude::*;
use web_sys::{KeyboardEvent, SubmitEvent};

use super::targets::{NoTargets, TargetChoice};
use super::timeline::{Legend, Stage};
use crate::app::{App, Loaded, app};
use crate::run::{self, Surface};
use crate::state::ask::Phase;
use crate::state::targets::TargetInfo;

#[component]
pub(crate) fn Question() -> impl IntoView {
    let app = app();
    move || match app.targets.get() {
        Loaded::Loading => {
            view! { <p class="quiet">"Asking the collector for its targets …"</p> }.into_any()
        }
        Loaded::Failed(why) => {
            view! { <p class="message bad" role="alert" data-testid="targets-failed">{why}</p> }
                .into_any()
        }
        Loaded::Ready(targets) if targets.is_empty() => NoTargets().into_any(),
        Loaded::Ready(_) => QuestionForm().into_any(),
    }
}

#[component]
fn QuestionForm() -> impl IntoView {
    let app = app();
    let surfaces = expect_context::<Surfaces>();
    let prompt = NodeRef::<Textarea>::new();
    // Each target brings its own prompt; what the reader typed over it stays until the target changes.
    Effect::new(move |_| {
        if let (Some(target), Some(field)) = (app.target(), prompt.get()) {
            field.set_value(&target.prompt);
        }
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let text = prompt
            .get_untracked()
            .map(|field| field.value())
            .unwrap_or_default();
        start(app, surfaces, &text, event.time_stamp());
    };
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            if let Some(form) = prompt.get_untracked().and_then(|field| field.form()) {
                // The form's own submit follows, with its checks.
                let _ = form.request_submit();
            }
        }
    };
    let stop = move |_| {
        app.stream.with_value(|stream| {
            if let Some(stream) = stream {
                stream.stop();
            }
        })
    };
    let is_busy = move || app.phase.get().is_busy();
    let can_stop = move || matches!(app.phase.get(), Phase::Waiting | Phase::Streaming);
    view! {
        <form class="ask" on:submit=submit>
            <TargetChoice />
            <label class="field prompt">
                <span class="field-name">"Prompt"</span>
                <textarea data-testid="prompt" on:keydown=on_key node_ref=prompt rows="2" required spellcheck="false"></textarea>
            </label>
            <div class="buttons">
                <button type="submit" class="primary" data-testid="ask" disabled=is_busy>"Ask"</button>
                <button type="button" data-testid="stop" disabled=move || !can_stop() on:click=stop>"Stop"</button>
            </div>
            <MissingKey />
        </form>
    }
}

/// Better said before the question than after.
#[component]
fn MissingKey() -> impl IntoView {
    let app = app();
    move || {
        let name = app.target()?.missing_key?;
        Some(view! {
            <p class="message notice" data-testid="missing-key">
                "This target takes its key from the environment variable " <code>{name}</code>
                ", which is not set where the collector runs."
            </p>
        })
    }
}

/// Where the answer of the page's one question goes.
#[derive(Clone, Copy)]
pub(crate) struct Surfaces {
    answer: NodeRef<Div>,
    reasoning: NodeRef<Div>,
    stage: StoredValue<Stage, LocalStorage>,
}

impl Surfaces {
    pub(crate) fn new() -> Self {
        Self {
            answer: NodeRef::new(),
            reasoning: NodeRef::new(),
            stage: StoredValue::new_local(Stage::default()),
        }
    }

    fn get(self) -> Option<Surface> {
        Some(Surface {
            answer: self.answer.get_untracked()?.into(),
            reasoning: self.reasoning.get_untracked()?.into(),
            stage: self.stage.get_value(),
        })
    }
}

fn start(app: App, surfaces: Surfaces, prompt: &str, intent: f64) {
    let target: Option<TargetInfo> = untrack(|| app.target());
    if let (Some(target), Some(surface)) = (target, surfaces.get())
        && !app.phase.get_untracked().is_busy()
    {
        run::ask(app, target, prompt, intent, surface);
    }
}

#[component]
pub(crate) fn Answer() -> impl IntoView {
    let app = app();
    let Surfaces {
        answer,
        reasoning,
        stage,
    } = expect_context();
    let canvas = NodeRef::<Canvas>::new();
    Effect::new(move |_| {
        if let Some(canvas) = canvas.get() {
            stage.with_value(|stage| stage.attach(canvas));
        }
    });
    let placeholder = move || match (app.phase.get(), app.record.get()) {
        (Phase::Idle, _) => {
            "The answer appears here as it comes; the line below shows when each piece of it came."
        }
        (Phase::Done, Some((record, _)))
            if record.counts.answer_chars + record.counts.reasoning_chars == 0 =>
        {
            "No text came."
        }
        _ => "",
    };
    let is_waiting = move || app.phase.get() == Phase::Waiting;
    let summary = move || match app.phase.get() {
        Phase::Done => stage.with_value(|stage| stage.with(|timeline| timeline.summary())),
        _ => "The stream over time.".to_owned(),
    };
    view! {
        <div class="answer" class:waiting=is_waiting tabindex="0" role="region" aria-label="Answer text">
            <div class="answer-text">
                <div class="reasoning" node_ref=reasoning data-testid="reasoning"></div>
                <div node_ref=answer data-testid="answer"></div>
                <p class="placeholder">{placeholder}</p>
            </div>
        </div>
        <figure class="timeline">
            <canvas node_ref=canvas role="img" aria-label=summary data-testid="timeline"></canvas>
            <Legend />
        </figure>
    }
}
