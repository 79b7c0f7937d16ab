//! One record as a row: the few values that are grouped by and counted, beside the whole JSON text.

use streamlag_core::Flags;
use streamlag_wire::{Record, SketchJson};

/// The durations that are compared, in the order of their columns.
pub const METRICS: [&str; 10] = [
    "wait_ms",
    "ttfb_ms",
    "ttft_ms",
    "ttfo_ms",
    "gen_ms",
    "total_ms",
    "longest_gap_ms",
    "parse_ms",
    "render_lag_earliest_ms",
    "render_lag_latest_ms",
];

/// A valid record, ready to be stored.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its id.
    pub id: [u8; 16],
    /// Wall-clock time of the send, ms since 1970 UTC.
    pub started_at_ms: i64,
    /// Where it was measured.
    pub vantage: &'static str,
    /// The region asked for.
    pub region: Option<String>,
    /// The target's id.
    pub target: String,
    /// How it ended.
    pub outcome: String,
    /// Class of the failure.
    pub error_class: Option<String>,
    /// Why its durations are not to be compared, in the word of the flag. The machine slept or the clock
    /// jumped: such a duration is kept with the record, never clamped, and left out of percentiles.
    pub excluded: Option<&'static str>,
    /// In the order of [`METRICS`].
    pub metrics: [Option<f64>; METRICS.len()],
    /// The whole record, unknown fields of newer versions included.
    pub json: String,
}

impl Entry {
    /// The row of a record that was found valid; `json` is its text. `None`: its id is not 32 hex digits.
    pub fn new(record: &Record, json: String) -> Option<Self> {
        Some(Self {
            id: parse_id(&record.id)?,
            started_at_ms: record.started_at_ms as i64,
            vantage: record.vantage.as_str(),
            region: record.region.clone(),
            target: record.target.id.clone(),
            outcome: record.outcome.clone(),
            error_class: record.error_class.clone(),
            excluded: excluded(record),
            metrics: metrics(record),
            json,
        })
    }
}

/// 32 hex digits as bytes.
pub fn parse_id(text: &str) -> Option<[u8; 16]> {
    let digits = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
    digits
        .then(|| u128::from_str_radix(text, 16).ok())?
        .map(u128::to_be_bytes)
}

fn excluded(record: &Record) -> Option<&'static str> {
    Flags::ALL
        .iter()
        .filter(|(flag, _)| [Flags::SUSPENDED, Flags::CLOCK_ANOMALY].contains(flag))
        .map(|(_, word)| *word)
        .find(|word| record.flags.iter().any(|flag| flag == word))
}

fn metrics(record: &Record) -> [Option<f64>; METRICS.len()] {
    let timing = &record.timing;
    let sketches = &record.sketches;
    // A gap of a throttled or sleeping reader says nothing about arrival.
    let gaps = sketches.gaps.as_ref().filter(|_| record.gaps.trusted);
    let lag = |sketch: &Option<SketchJson>| sketch.as_ref().and_then(median);
    [
        timing.wait_ms,
        timing.ttfb_ms,
        timing.ttft_ms,
        timing.ttfo_ms,
        timing.gen_ms,
        timing.total_ms,
        gaps.and_then(|gaps| gaps.max_ms),
        record.parse_ms,
        lag(&sketches.lag_earliest),
        lag(&sketches.lag_latest),
    ]
}

/// The median over the reads of one answer: one number a record, so that long answers do not outweigh
/// short ones.
fn median(sketch: &SketchJson) -> Option<f64> {
    let median = sketch.to_sketch()?.quantile(0.5)?;
    Some(median.as_secs_f64() * 1000.0)
}
