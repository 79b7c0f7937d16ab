//! Choosing a target, or learning how to add one.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::app::{Loaded, app};

/// What stands in place of the choice while there is none.
const EXAMPLE: &str = r#"[[target]]
id = "local"
dialect = "openai"
url = "http://127.0.0.1:11434/v1/chat/completions"
model = "llama3.2"
# key_env = "OPENAI_API_KEY""#;

#[component]
pub(crate) fn TargetChoice() -> impl IntoView {
    let app = app();
    let options = move || match app.targets.get() {
        Loaded::Ready(targets) => targets,
        _ => Vec::new(),
    };
    let choose = move |ev| {
        let id = event_target_value(&ev);
        remember(&id);
        app.selected.set(Some(id));
        app.edge.set(Default::default());
    };
    let particulars = move || app.target().map(|target| target.particulars());
    view! {
        <label class="field">
            <span class="field-name">"Target"</span>
            <select
                data-testid="target"
                prop:value=move || app.selected.get().unwrap_or_default()
                on:change=choose
                disabled=move || app.phase.get().is_busy()
            >
                <For each=options key=|target| target.id.clone() let:target>
                    <option value=target.id.clone() selected=app.selected.get_untracked().as_deref() == Some(target.id.as_str())>
                        {target.label}
                    </option>
                </For>
            </select>
            <span class="field-note" data-testid="target-particulars">{particulars}</span>
        </label>
    }
}

/// Puts the choice into the page's address: a reload or a shared link shows the same target.
fn remember(id: &str) {
    if let Ok(history) = window().history() {
        let address = format!("?target={id}");
        // Refused only where documents have no address of their own; the page works without.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}

/// What is shown where there is nothing to choose from.
#[component]
pub(crate) fn NoTargets() -> impl IntoView {
    view! {
        <div class="empty" data-testid="no-targets">
            <h2>"No target yet"</h2>
            <p>
                "A target is one place that answers: a URL, a model and a key. Add one to "
                <code>"streamlag.toml"</code> ", then start "
                <code>"streamlag serve"</code> " again:"
            </p>
            <pre>{EXAMPLE}</pre>
            <p>
                "Any server that speaks OpenAI chat, Anthropic or Ollama works. The key stays in the environment variable that "
                <code>"key_env"</code> " names; this page never sees it."
            </p>
        </div>
    }
}
