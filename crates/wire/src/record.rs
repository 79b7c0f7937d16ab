//! The record itself. Every field says what it spans, its unit, and when it is `null`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The region asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Where it really ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colo: Option<String>,
    /// What was measured.
    pub target: Target,
    /// Name and version of the measuring side.
    pub agent: String,
    /// The user's application.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// Its release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// Shared by all sides of one request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// A name for the prompt, never its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<String>,
    /// Characters of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_chars: Option<u32>,
    /// Requests in flight at the send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// `cold` or `warm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmth: Option<String>,
    /// Whether the connection was reused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection_reused: Option<bool>,
    /// Wall-clock time of the first send, ms since 1970 UTC.
    pub started_at_ms: f64,
    /// How it ended: `ok`, `truncated`, `error`, `timeout`, `aborted`.
    pub outcome: String,
    /// Class of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_class: Option<String>,
    /// Which limit ran out: `connect`, `first_byte`, `between_chunks`, `total`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_phase: Option<String>,
    /// A terminal signal and no error.
    pub complete: bool,
    /// Why the answer ended, in the provider's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The last terminal marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// Framing and dialect used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framing: Option<String>,
    /// Dialect used.
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
    /// From read to screen.
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
    /// How many there were.
    #[serde(default)]
    pub attempts_seen: u32,
    /// Trust flags.
    #[serde(default)]
    pub flags: Vec<String>,
    /// How long the machine slept meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_ms: Option<f64>,
    /// What the server says about itself, name → ms.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_reported: BTreeMap<String, f64>,
    /// What measuring cost.
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
    /// Smallest step seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_ms: Option<f64>,
}

/// Status and headers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HttpJson {
    /// HTTP status; `null`: none arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// From `Retry-After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<f64>,
    /// False where headers may be hidden.
    #[serde(default)]
    pub retry_after_known: bool,
    /// Whether asking again may help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// The provider's request id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The relay's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relay_id: Option<String>,
    /// Rate-limit headers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rate_limits: BTreeMap<String, String>,
    /// `Server-Timing` entries, ms where given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_timing: BTreeMap<String, Option<f64>>,
    /// How many entries of the two were left out so that the record fits, see [`crate::fit`]. Absent: none.
    #[serde(default, skip_serializing_if = "none")]
    pub left_out: u32,
}

/// Whether nothing was left out: that needs no saying.
fn none(left_out: &u32) -> bool {
    *left_out == 0
}

/// Durations in ms; see `streamlag_core::measurement::Timing` for their two ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TimingJson {
    /// Intent → send.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<f64>,
    /// Send → headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers_ms: Option<f64>,
    /// Send → first body byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttfb_ms: Option<f64>,
    /// Send → first generated text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttft_ms: Option<f64>,
    /// Ended without generated text: ttft is at least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttft_at_least_ms: Option<f64>,
    /// Send → first answer text or tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttfo_ms: Option<f64>,
    /// Send → first answer text: tool calls and refusals excluded too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_answer_ms: Option<f64>,
    /// Send → first answer text that is not white space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_visible_ms: Option<f64>,
    /// First → last generated text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gen_ms: Option<f64>,
    /// Send → last generated text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<f64>,
    /// Send → terminal event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_end_ms: Option<f64>,
    /// Last generated text → terminal event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_wait_ms: Option<f64>,
    /// wait + total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_total_ms: Option<f64>,
    /// First send → first generated text, all attempts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_ttft_ms: Option<f64>,
    /// Time per output token after the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tpot_ms: Option<f64>,
    /// The same without reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_tpot_ms: Option<f64>,
    /// 1000 / tpot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tps: Option<f64>,
}

/// Arrival gaps of generated text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GapsJson {
    /// The longest ones, longest first: 8 at most. Written as [`crate::columns::longest::Longest`].
    #[serde(
        with = "crate::columns::longest",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub longest: Vec<GapJson>,
    /// Over 200 ms.
    pub choppy: u32,
    /// Over 500 ms.
    pub stalls: u32,
    /// Their sum.
    pub stall_ms: f64,
    /// Over 500 ms while the page was hidden or frozen: nobody saw them, and they are in no other count.
    pub hidden_stalls: u32,
    /// Those that are not the reader's or the path's fault.
    pub provider_stalls: u32,
    /// False when the reader was throttled or asleep.
    pub trusted: bool,
    /// Neighbours with equal stamps.
    pub unresolved: u32,
}

/// One long gap.
#[derive(Debug, Clone, PartialEq)]
pub struct GapJson {
    /// Send → its start.
    pub at_ms: f64,
    /// Its length.
    pub gap_ms: f64,
    /// The read that ended it.
    pub read: u32,
    /// The event that ended it.
    pub event: u32,
    /// `upstream`, `gateway_batching`, `main_thread`, `hidden`, `suspended`.
    pub cause: String,
}

/// From read to screen.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderJson {
    /// Send → first frame with generated text (latest bound).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_paint_ms: Option<f64>,
    /// Frames with new text.
    pub frames: u32,
    /// Reads whose paint was not observable.
    pub censored: u32,
    /// Reads never shown.
    pub not_shown: u32,
}

/// Tokens, as the provider's usage counts them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TokensJson {
    /// Prompt tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Generated tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Reasoning tokens among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Cached prompt tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Output without reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<u64>,
    /// `usage` or `unknown`.
    pub source: String,
    /// False while provisional.
    pub usage_is_final: bool,
    /// Reasoning billed but not streamed.
    pub hidden_reasoning: bool,
}

/// Counts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CountsJson {
    /// Body reads.
    pub reads: u32,
    /// Body bytes.
    pub body_bytes: u64,
    /// Whole events.
    pub events: u32,
    /// Comments.
    pub comments: u32,
    /// Events with generated text of any kind.
    pub generated: u32,
    /// Events with answer text.
    pub content: u32,
    /// Events with reasoning.
    pub reasoning: u32,
    /// Events with tool calls.
    pub tool: u32,
    /// Events that were not JSON.
    pub invalid: u32,
    /// Events of no known shape.
    pub unknown: u32,
    /// Characters of the answer.
    pub answer_chars: u64,
    /// Characters of the reasoning.
    pub reasoning_chars: u64,
    /// Parallel answers.
    pub choices: u32,
    /// Tool calls.
    pub tool_calls: u32,
}

/// One read.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkJson {
    /// From send.
    pub at_ms: Option<f64>,
    /// Its bytes.
    pub bytes: u32,
    /// Events it completed.
    pub events: u16,
    /// Whether it held generated text.
    pub generated: bool,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttemptJson {
    /// First send → this send.
    pub sent_ms: Option<f64>,
    /// Its own ttft.
    pub ttft_ms: Option<f64>,
    /// Its own end.
    pub end_ms: Option<f64>,
    /// HTTP status.
    pub status: Option<u16>,
    /// Why it failed.
    pub error_class: Option<String>,
}
