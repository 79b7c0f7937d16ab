//! What the router tells a region's object, and what callers get back.

use serde::{Deserialize, Serialize};
use streamlag_wire::Record;

use crate::auth::Signed;

/// The router's call to a region's object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The location hint the object was asked for with: the object cannot see it itself.
    pub hint: String,
    /// The object's name.
    pub object: String,
    /// The signed call behind it; the object sees to it that it counts once. `None`: the cron.
    pub signed: Option<Signed>,
    /// What to do.
    pub task: Task,
}

/// What a region's object can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Probe this target now.
    Probe(String),
    /// See to it that the alarm runs.
    EnsureAlarm,
}

/// The body of `POST /probe/{target}`; may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProbeBody {
    /// From where; missing: from everywhere.
    pub regions: Option<Vec<String>>,
}

/// One region's part of the answer to `POST /probe/{target}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbeResult {
    /// The location hint.
    pub region: String,
    /// Where it really ran, if told.
    pub colo: Option<String>,
    /// The record's id; `null`: no probe ran.
    pub record_id: Option<String>,
    /// How it ended.
    pub outcome: Option<String>,
    /// The class of the failure.
    pub error_class: Option<String>,
    /// Send → first generated text.
    pub ttft_ms: Option<f64>,
    /// Whether the collector has the record. If not, it waits in the outbox.
    pub delivered: bool,
    /// For people: why no probe ran, or what the prober got wrong. Never a key or a text of the stream.
    pub reason: Option<String>,
}

impl ProbeResult {
    /// What a record says, in short.
    pub fn of(record: &Record, delivered: bool, reason: Option<String>) -> Self {
        Self {
            region: record.region.clone().unwrap_or_default(),
            colo: record.colo.clone(),
            record_id: Some(record.id.clone()),
            outcome: Some(record.outcome.clone()),
            error_class: record.error_class.clone(),
            ttft_ms: record.timing.ttft_ms,
            delivered,
            reason,
        }
    }

    /// No probe ran there.
    pub fn none(region: String, reason: String) -> Self {
        Self {
            region,
            reason: Some(reason),
            ..Self::default()
        }
    }
}

/// One region's part of the answer to `POST /schedule`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScheduleResult {
    /// The location hint.
    pub region: String,
    /// When its object wakes next; `null`: nothing is scheduled and nothing waits.
    pub wakes_at_ms: Option<i64>,
    /// Records that wait in its outbox.
    pub waiting: u64,
    /// Records lost because too many waited.
    pub dropped: u64,
    /// Records the collector will never take.
    pub refused: u64,
    /// Why it could not be reached.
    pub reason: Option<String>,
}
