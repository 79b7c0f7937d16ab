//! The record itself. Every field says what it spans, its unit, and when it is absent.
//!
//! A field that was not observed is left out; `null` reads the same. A measured 0 is always written, and so
//! is a false. In Rust lists are rows; in JSON they are columns, see [`crate::columns`]. No record is longer
//! than [`crate::fit::MAX_BYTES`].

mod spans;
mod tallies;

pub use spans::{GapsJson, RenderJson, TimingJson};
pub use tallies::{CountsJson, TokensJson};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use crate::columns::attempts::AttemptJson;
pub use crate::columns::chunks::ChunkJson;
pub use crate::columns::longest::GapJson;
use crate::sketch::Sketches;
use crate::target::{Target, Vantage};

/// Version of the record's shape.
pub const SCHEMA: u32 = 1;

/// One measured request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this shape.
    pub schema: u32,
    /// Unique, 32 hex digits. The collector keeps the first record of an id.
    pub id: String,
    /// Where it was measured.
    pub vantage: Vantage,
    /// The region asked for. Absent: no place was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Where it really ran: the edge's data centre. Absent: the platform does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colo: Option<String>,
    /// What was measured.
    pub target: Target,
    /// Name and version of the measuring side.
    pub agent: String,
    /// The user's application. Absent: not configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// Its release. Absent: not configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// W3C trace id, 32 hex digits, shared by all sides of one request. Absent: none was sent along.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// A name for the prompt, never its text. Absent: it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<String>,
    /// Unicode scalar values of the prompt. Absent: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_chars: Option<u32>,
    /// Requests of this client in flight at the send, this one included. Absent: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// `cold` (the first after an idle time) or `warm`. Absent: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmth: Option<String>,
    /// Whether the connection was reused. Absent: the platform does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection_reused: Option<bool>,
    /// Wall-clock time of the first send, ms since 1970 UTC.
    pub started_at_ms: f64,
    /// How it ended: `ok`, `truncated`, `error`, `timeout`, `aborted`.
    pub outcome: String,
    /// Class of the failure. Absent: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_class: Option<String>,
    /// Which limit ran out: `connect`, `first_byte`, `between_chunks`, `total`. Absent: none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_phase: Option<String>,
    /// A terminal signal and no error.
    pub complete: bool,
    /// Why the answer ended, in the provider's word, 32 bytes at most. Absent: it gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The last terminal marker (`[DONE]`, `message_stop`, `eof`, …), 32 bytes at most. Absent: none came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Framing used, e.g. `sse`. Absent: no body, or none was recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framing: Option<String>,
    /// Dialect used, e.g. `openai`. Absent: none was recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The clock of all durations.
    pub clock: ClockJson,
    /// Status and headers.
    #[serde(default)]
    pub http: HttpJson,
    /// Durations of the answer's attempt.
    pub timing: TimingJson,
    /// Arrival gaps.
    #[serde(default)]
    pub gaps: GapsJson,
    /// Distributions of durations, one column each: gaps, parse times, hold-back, render lag. Written as
    /// [`crate::columns::sketches::Table`].
    #[serde(
        default,
        with = "crate::columns::sketches",
        skip_serializing_if = "Sketches::is_empty"
    )]
    pub sketches: Sketches,
    /// Sum of the parse times (read → parsed), ms. Absent: the vantage parses after the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parse_ms: Option<f64>,
    /// From read to screen. Absent: there is no screen, or none was watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub render: Option<RenderJson>,
    /// Tokens.
    #[serde(default)]
    pub tokens: TokensJson,
    /// Counts.
    #[serde(default)]
    pub counts: CountsJson,
    /// The first reads, one by one: 32 at most. Written as [`crate::columns::chunks::Chunks`].
    #[serde(
        default,
        with = "crate::columns::chunks",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub chunks: Vec<ChunkJson>,
    /// One entry an attempt: the first ones and the last, 16 at most. Written as
    /// [`crate::columns::attempts::Attempts`].
    #[serde(
        default,
        with = "crate::columns::attempts",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub attempts: Vec<AttemptJson>,
    /// How many attempts there were.
    #[serde(default)]
    pub attempts_seen: u32,
    /// Trust flags, one word each: what makes numbers untrustworthy. Empty: nothing was seen.
    #[serde(default)]
    pub flags: Vec<String>,
    /// How long the machine slept meanwhile, ms, from wall against monotonic clock. Absent: no sleep was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_ms: Option<f64>,
    /// What the server says about itself, name → ms: 16 entries at most. Absent: nothing, or see `http.left_out`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_reported: BTreeMap<String, f64>,
    /// What measuring itself cost, ms. Absent: the shell does not measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_cost_ms: Option<f64>,
    /// Fields of a newer version, kept as they came.
    #[cfg(feature = "json")]
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}

/// The clock that stamped.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ClockJson {
    /// `performance.now`, `worker.date_now`, `instant`, `given`.
    pub name: String,
    /// Smallest step that it was seen to take, ms: nothing finer is claimed. Absent: none was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_ms: Option<f64>,
}

/// Status and headers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HttpJson {
    /// HTTP status. Absent: none arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// From `Retry-After`, ms. Absent: not given, or see `retry_after_known`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<f64>,
    /// False where headers may be hidden, so that its absence means nothing.
    #[serde(default)]
    pub retry_after_known: bool,
    /// Whether asking again may help. Absent: it did not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// The provider's request id, 64 bytes at most. Absent: no such header was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The relay's id (`x-streamlag-id`), 64 bytes at most. Absent: no relay of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay_id: Option<String>,
    /// Rate-limit headers: 16 at most, name and value 64 bytes each. Absent: none seen, or see `left_out`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rate_limits: BTreeMap<String, String>,
    /// `Server-Timing` entries, name → ms, null where it has none: 16 at most, names of 64 bytes. Absent: none
    /// seen, or see `left_out`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_timing: BTreeMap<String, Option<f64>>,
    /// How many entries of the two and of `server_reported` were left out so that the record fits, see
    /// [`crate::fit`]. Absent: none.
    #[serde(default, skip_serializing_if = "none")]
    pub left_out: u32,
}

/// Whether nothing was left out: that needs no saying.
fn none(left_out: &u32) -> bool {
    *left_out == 0
}
