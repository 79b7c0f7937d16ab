//! Every number of the record, in words and with its name.

use std::sync::Arc;

use leptos::prelude::*;
use streamlag_wire::Record;

use crate::app::app;
use crate::state::format::NONE;
use crate::state::metrics::{Row, Section, Value, sections};

/// The last record stays, dimmed, while the next one is measured: taking it away would move the page under
/// the reader and keep the main thread busy just when the answer comes in.
#[component]
pub(crate) fn Metrics() -> impl IntoView {
    let app = app();
    let last = RwSignal::new(None::<Arc<Record>>);
    Effect::new(move |_| {
        if let Some((record, _)) = app.record.get() {
            last.set(Some(record));
        }
    });
    let is_old = move || app.phase.get().is_busy();
    move || {
        let record = last.get()?;
        let tables: Vec<_> = sections(&record).into_iter().map(table).collect();
        Some(view! {
            <div class="metrics" class:old=is_old aria-busy=move || is_old().to_string() data-testid="metrics">
                {tables}
            </div>
        })
    }
}

fn table(section: Section) -> impl IntoView {
    let rows: Vec<_> = section.rows.into_iter().map(row).collect();
    view! {
        <table class="metric-table">
            <caption>{section.title}</caption>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn row(row: Row) -> impl IntoView {
    let (text, note, is_missing) = match row.value {
        Value::Known { text, note } => (text, note, false),
        Value::Missing { reason } => (NONE.to_owned(), reason, true),
    };
    view! {
        <tr class:missing=is_missing data-testid=format!("metric-{}", row.word)>
            <th scope="row">{row.label} <code>{row.word}</code></th>
            <td><span class="value">{text}</span> <span class="note">{note}</span></td>
        </tr>
    }
}
