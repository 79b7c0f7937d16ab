//! Whether a posted value is a record: says which field is wrong and why.

use serde_json::Value;
use streamlag_core::{ErrorClass, Measurement};

use crate::fit::MAX_TEXT;
use crate::record::{Record, SCHEMA};

/// Most entries of any list or map.
pub const MAX_ENTRIES: usize = 512;
/// Largest number of any field: room for ms since 1970, and for nothing absurd.
pub const MAX_NUMBER: f64 = 1e13;
/// How far a record's start may lie in the collector's future, in ms: clocks are off, but not by days.
pub const MAX_AHEAD_MS: f64 = 86_400_000.0;

/// Why a value is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct Invalid {
    /// Path of the field, e.g. `timing.ttft_ms`; `.` for the whole.
    pub field: String,
    /// What is wrong with it, in words.
    pub reason: String,
}

impl Invalid {
    fn new(field: &str, reason: impl Into<String>) -> Self {
        let field = if field.is_empty() { "." } else { field };
        Self {
            field: field.to_owned(),
            reason: reason.into(),
        }
    }
}

/// The record in `value`, if it is one. `now_ms` is the collector's wall clock.
pub fn record(value: Value, now_ms: f64) -> Result<Record, Invalid> {
    if !value.is_object() {
        return Err(Invalid::new("", "is not a JSON object"));
    }
    bounded(&value, &mut String::new(), 0)?;
    let record: Record = serde_path_to_error::deserialize(value)
        .map_err(|error| Invalid::new(&error.path().to_string(), error.inner().to_string()))?;
    identity(&record, now_ms)?;
    words(&record)?;
    order(&record)?;
    Ok(record)
}

/// Numbers, texts, lists and depth within their limits, everywhere: unknown fields are kept, so they count too.
fn bounded(value: &Value, path: &mut String, depth: u8) -> Result<(), Invalid> {
    match value {
        Value::Number(n) => match n.as_f64() {
            Some(n) if (0.0..=MAX_NUMBER).contains(&n) => Ok(()),
            Some(n) if n < 0.0 => Err(Invalid::new(
                path,
                format!("{n} is negative; what was not observed is null"),
            )),
            _ => Err(Invalid::new(path, format!("{n} is too large"))),
        },
        Value::String(s) if s.len() > MAX_TEXT => Err(Invalid::new(
            path,
            format!(
                "is a text of {} bytes; at most {MAX_TEXT} are taken",
                s.len()
            ),
        )),
        Value::Array(_) | Value::Object(_) if depth >= 6 => {
            Err(Invalid::new(path, "is nested too deeply"))
        }
        Value::Array(list) => {
            few(list.len(), path)?;
            list.iter().enumerate().try_for_each(|(i, v)| {
                at(path, &format!("[{i}]"), |path| bounded(v, path, depth + 1))
            })
        }
        Value::Object(map) => {
            few(map.len(), path)?;
            map.iter().try_for_each(|(key, v)| {
                if key.len() > MAX_TEXT {
                    return Err(Invalid::new(
                        path,
                        "has a field with a name that is too long",
                    ));
                }
                let step = if path.is_empty() {
                    key.clone()
                } else {
                    format!(".{key}")
                };
                at(path, &step, |path| bounded(v, path, depth + 1))
            })
        }
        _ => Ok(()),
    }
}

/// Runs `check` one step down the path.
fn at<T>(path: &mut String, step: &str, check: impl FnOnce(&mut String) -> T) -> T {
    let length = path.len();
    path.push_str(step);
    let result = check(path);
    path.truncate(length);
    result
}

fn few(n: usize, path: &str) -> Result<(), Invalid> {
    if n > MAX_ENTRIES {
        return Err(Invalid::new(
            path,
            format!("has {n} entries; at most {MAX_ENTRIES} are taken"),
        ));
    }
    Ok(())
}

fn identity(record: &Record, now_ms: f64) -> Result<(), Invalid> {
    if record.schema == 0 {
        return Err(Invalid::new("schema", "0 is no version; the first is 1"));
    }
    let hex = |text: &str| {
        text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    if !hex(&record.id) {
        return Err(Invalid::new("id", "is not 32 lower-case hex digits"));
    }
    if record.trace_id.as_deref().is_some_and(|id| !hex(id)) {
        return Err(Invalid::new("trace_id", "is not 32 lower-case hex digits"));
    }
    if record.target.id.is_empty() {
        return Err(Invalid::new("target.id", "is empty"));
    }
    if record.started_at_ms > now_ms + MAX_AHEAD_MS {
        return Err(Invalid::new(
            "started_at_ms",
            "lies more than a day in the future: check the clock",
        ));
    }
    if record.started_at_ms < 946_684_800_000.0 {
        return Err(Invalid::new(
            "started_at_ms",
            "lies before the year 2000: it is ms since 1970-01-01 UTC",
        ));
    }
    Ok(())
}

/// Closed lists of words. A newer schema may have words that this version does not know.
fn words(record: &Record) -> Result<(), Invalid> {
    if record.schema > SCHEMA {
        return Ok(());
    }
    let outcomes = ["ok", "truncated", "error", "timeout", "aborted"];
    if !outcomes.contains(&record.outcome.as_str()) {
        return Err(Invalid::new(
            "outcome",
            format!("{:?} is none of {}", record.outcome, outcomes.join(", ")),
        ));
    }
    if let Some(class) = &record.error_class
        && !ErrorClass::ALL.iter().any(|known| known.as_str() == class)
    {
        return Err(Invalid::new(
            "error_class",
            format!("{class:?} is not a known class"),
        ));
    }
    for (field, rows, most) in [
        ("chunks", record.chunks.len(), Measurement::CHUNKS),
        (
            "gaps.longest",
            record.gaps.longest.len(),
            Measurement::LONGEST,
        ),
        ("attempts", record.attempts.len(), Measurement::ATTEMPTS),
    ] {
        if rows > most {
            let reason = format!("has {rows} rows; give the first {most} at most");
            return Err(Invalid::new(field, reason));
        }
    }
    Ok(())
}

/// Durations from one start cannot overtake each other. 1 ms of slack: clients round.
fn order(record: &Record) -> Result<(), Invalid> {
    let t = &record.timing;
    for (earlier, later, field) in [
        (t.ttfb_ms, t.ttft_ms, "timing.ttft_ms"),
        (t.ttft_ms, t.ttfo_ms, "timing.ttfo_ms"),
        (t.ttft_ms, t.total_ms, "timing.total_ms"),
        (t.gen_ms, t.total_ms, "timing.total_ms"),
    ] {
        if let (Some(earlier), Some(later)) = (earlier, later)
            && later + 1.0 < earlier
        {
            return Err(Invalid::new(
                field,
                format!("{later} is less than {earlier}, which it includes"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: f64 = 1_790_000_000_000.0;

    fn valid() -> Value {
        json!({
            "schema": 1, "id": "0123456789abcdef0123456789abcdef", "vantage": "browser",
            "target": { "id": "t" }, "agent": "a/1", "started_at_ms": NOW, "outcome": "ok", "complete": true,
            "clock": { "name": "performance.now", "step_ms": 0.1 }, "timing": { "ttfb_ms": 3.0, "ttft_ms": 5.0 },
        })
    }

    fn refused(change: impl FnOnce(&mut Value)) -> (String, String) {
        let mut value = valid();
        change(&mut value);
        let invalid = record(value, NOW).unwrap_err();
        (invalid.field, invalid.reason)
    }

    #[test]
    fn a_small_record_is_enough() {
        assert_eq!(record(valid(), NOW).unwrap().timing.ttft_ms, Some(5.0));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(
            refused(|v| v["timing"]["ttft_ms"] = json!(-1)).0,
            "timing.ttft_ms"
        );
        assert_eq!(
            refused(|v| v["timing"]["ttft_ms"] = json!("2")).0,
            "timing.ttft_ms"
        );
        assert_eq!(
            refused(|v| v["timing"]["ttft_ms"] = json!(0.0)).0,
            "timing.ttft_ms"
        );
        assert_eq!(refused(|v| v["id"] = json!("../../etc/passwd")).0, "id");
        assert_eq!(refused(|v| v["vantage"] = json!("moon")).0, "vantage");
        assert_eq!(refused(|v| v["outcome"] = json!("fine")).0, "outcome");
        assert_eq!(
            refused(|v| v["error_class"] = json!("oops")).0,
            "error_class"
        );
        assert_eq!(
            refused(|v| v["started_at_ms"] = json!(NOW + 2.0 * MAX_AHEAD_MS)).0,
            "started_at_ms"
        );
        assert_eq!(
            refused(|v| v["started_at_ms"] = json!(12)).0,
            "started_at_ms"
        );
    }

    #[test]
    fn a_missing_field_is_named_in_the_reason() {
        let (_, reason) = refused(|v| drop(v.as_object_mut().unwrap().remove("outcome")));
        assert!(reason.contains("outcome"), "{reason}");
    }

    #[test]
    fn answer_text_does_not_fit_into_any_field() {
        let text = "word ".repeat(100);
        assert_eq!(refused(|v| v["finish"] = json!(text)).0, "finish");
        assert_eq!(
            refused(|v| v["something_new"] = json!({ "text": text })).0,
            "something_new.text"
        );
    }

    #[test]
    fn fields_of_a_newer_version_are_kept() {
        let mut value = valid();
        value["schema"] = json!(2);
        value["outcome"] = json!("paused");
        value["novelty"] = json!({ "x": 1 });
        let record = record(value, NOW).unwrap();
        assert_eq!(
            serde_json::to_value(record).unwrap()["novelty"],
            json!({ "x": 1 })
        );
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = (0..20).fold(json!(1), |inner, _| json!([inner]));
        assert!(refused(|v| v["deep"] = deep).1.contains("deeply"));
        assert!(
            refused(|v| v["many"] = json!(vec![0; 1000]))
                .1
                .contains("entries")
        );
        assert_eq!(record(json!([]), NOW).unwrap_err().field, ".");
    }
}
