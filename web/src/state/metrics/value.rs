//! How rows are made.

use streamlag_wire::Record;

use super::{Row, Value};
use crate::state::format::duration;

pub(super) fn row(label: &'static str, word: &'static str, value: Value) -> Row {
    Row { label, word, value }
}

pub(super) fn known(text: String, note: String) -> Value {
    Value::Known { text, note }
}

pub(super) fn missing(reason: &str) -> Value {
    Value::Missing {
        reason: reason.to_owned(),
    }
}

pub(super) fn ms(record: &Record, value: Option<f64>, reason: impl FnOnce() -> String) -> Value {
    match value {
        Some(value) => known(duration(value, record.clock.step_ms), String::new()),
        None => Value::Missing { reason: reason() },
    }
}

pub(super) fn noted(value: Value, note: String) -> Value {
    match value {
        Value::Known { text, .. } => Value::Known { text, note },
        missing @ Value::Missing { .. } => missing,
    }
}
