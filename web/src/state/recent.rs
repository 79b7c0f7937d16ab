//! The latest records, one line each.

use streamlag_wire::Record;

use super::comparison::{Place, place};
use super::format::{NONE, duration};

/// One line of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The record's id.
    pub id: String,
    /// Milliseconds since 1970 UTC; written in the reader's own time zone.
    pub started_at_ms: f64,
    /// Where it was measured.
    pub place: Place,
    /// What was measured.
    pub target: String,
    /// How it ended; the class of the failure where there was one.
    pub ending: String,
    /// Whether it ended well.
    pub is_ok: bool,
    /// Send → first generated text.
    pub ttft: String,
    /// Send → last generated text.
    pub total: String,
}

/// The line of a record.
pub fn line(record: &Record) -> Line {
    let step = record.clock.step_ms;
    let text = |ms: Option<f64>| ms.map_or_else(|| NONE.to_owned(), |ms| duration(ms, step));
    let ending = match &record.error_class {
        Some(class) if *class != record.outcome => {
            format!("{}: {}", record.outcome, class.replace('_', " "))
        }
        _ => record.outcome.clone(),
    };
    Line {
        id: record.id.clone(),
        started_at_ms: record.started_at_ms,
        place: place(record.vantage.as_str(), record.region.as_deref()),
        target: record.target.id.clone(),
        ending,
        is_ok: record.outcome == "ok",
        ttft: text(record.timing.ttft_ms),
        total: text(record.timing.total_ms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::metrics::example;

    #[test]
    fn a_failure_names_its_class_once() {
        let mut record = example();
        assert_eq!(line(&record).ending, "ok");
        record.outcome = "error".into();
        record.error_class = Some("rate_limited".into());
        assert_eq!(line(&record).ending, "error: rate limited");
        record.outcome = "truncated".into();
        record.error_class = Some("truncated".into());
        assert_eq!(line(&record).ending, "truncated");
    }

    #[test]
    fn what_was_not_observed_is_a_dash() {
        let mut record = example();
        record.timing.ttft_ms = None;
        assert_eq!(line(&record).ttft, NONE);
    }
}
