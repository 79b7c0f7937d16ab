//! The record itself. Every field says what it spans, its unit, and when it is `null`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::sketch::SketchJson;
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
    #[serde(default)]
    pub region: Option<String>,
    /// Where it really ran.
    #[serde(default)]
    pub colo: Option<String>,
    /// What was measured.
    pub target: Target,
    /// Name and version of the measuring side.
    pub agent: String,
    /// The user's application.
    #[serde(default)]
    pub app: Option<String>,
    /// Its release.
    #[serde(default)]
    pub release: Option<String>,
    /// Shared by all sides of one request.
    #[serde(default)]
    pub trace_id: Option<String>,
    /// A name for the prompt, never its text.
    #[serde(default)]
    pub prompt_id: Option<String>,
    /// Characters of the prompt.
    #[serde(default)]
    pub prompt_chars: Option<u32>,
    /// Requests in flight at the send.
    #[serde(default)]
    pub concurrency: Option<u32>,
    /// `cold` or `warm`.
    #[serde(default)]
    pub warmth: Option<String>,
    /// Whether the connection was reused.
    #[serde(default)]
    pub connection_reused: Option<bool>,
    /// Wall-clock time of the first send, ms since 1970 UTC.
    pub started_at_ms: f64,
    /// How it ended: `ok`, `truncated`, `error`, `timeout`, `aborted`.
    pub outcome: String,
    /// Class of the failure.
    #[serde(default)]
    pub error_class: Option<String>,
    /// Which limit ran out: `connect`, `first_byte`, `between_chunks`, `total`.
    #[serde(default)]
    pub timeout_phase: Option<String>,
    /// A terminal signal and no error.
    pub complete: bool,
    /// Why the answer ended, in the provider's word.
    #[serde(default)]
    pub finish: Option<String>,
    /// The last terminal marker.
    #[serde(default)]
    pub end: Option<String>,
    /// Framing and dialect used.
    #[serde(default)]
    pub framing: Option<String>,
    /// Dialect used.
    #[serde(default)]
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
    /// Read → parsed.
    #[serde(default)]
    pub parse: Option<SketchJson>,
    /// Sum of the parse times.
    #[serde(default)]
    pub parse_ms: Option<f64>,
    /// From read to screen.
    #[serde(default)]
    pub render: Option<RenderJson>,
    /// Tokens.
    #[serde(default)]
    pub tokens: TokensJson,
    /// Counts.
    #[serde(default)]
    pub counts: CountsJson,
    /// The first reads, one by one.
    #[serde(default)]
    pub chunks: Vec<ChunkJson>,
    /// One entry an attempt: the first ones and the last.
    #[serde(default)]
    pub attempts: Vec<AttemptJson>,
    /// How many there were.
    #[serde(default)]
    pub attempts_seen: u32,
    /// Trust flags.
    #[serde(default)]
    pub flags: Vec<String>,
    /// How long the machine slept meanwhile.
    #[serde(default)]
    pub suspended_ms: Option<f64>,
    /// What the server says about itself, name → ms.
    #[serde(default)]
    pub server_reported: BTreeMap<String, f64>,
    /// What measuring cost.
    #[serde(default)]
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
    #[serde(default)]
    pub step_ms: Option<f64>,
}

/// Status and headers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HttpJson {
    /// HTTP status; `null`: none arrived.
    #[serde(default)]
    pub status: Option<u16>,
    /// From `Retry-After`.
    #[serde(default)]
    pub retry_after_ms: Option<f64>,
    /// False where headers may be hidden.
    #[serde(default)]
    pub retry_after_known: bool,
    /// Whether asking again may help.
    #[serde(default)]
    pub retryable: Option<bool>,
    /// The provider's request id.
    #[serde(default)]
    pub request_id: Option<String>,
    /// The relay's id.
    #[serde(default)]
    pub relay_id: Option<String>,
    /// Rate-limit headers.
    #[serde(default)]
    pub rate_limits: BTreeMap<String, String>,
    /// `Server-Timing` entries, ms where given.
    #[serde(default)]
    pub server_timing: BTreeMap<String, Option<f64>>,
}

/// Durations in ms; see `streamlag_core::measurement::Timing` for their two ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TimingJson {
    /// Intent → send.
    pub wait_ms: Option<f64>,
    /// Send → headers.
    pub headers_ms: Option<f64>,
    /// Send → first body byte.
    pub ttfb_ms: Option<f64>,
    /// Send → first generated text.
    pub ttft_ms: Option<f64>,
    /// Ended without generated text: ttft is at least this.
    pub ttft_at_least_ms: Option<f64>,
    /// Send → first answer text or tool call.
    pub ttfo_ms: Option<f64>,
    /// Send → first answer text: tool calls and refusals excluded too.
    pub first_answer_ms: Option<f64>,
    /// Send → first answer text that is not white space.
    pub first_visible_ms: Option<f64>,
    /// First → last generated text.
    pub gen_ms: Option<f64>,
    /// Send → last generated text.
    pub total_ms: Option<f64>,
    /// Send → terminal event.
    pub stream_end_ms: Option<f64>,
    /// Last generated text → terminal event.
    pub tail_wait_ms: Option<f64>,
    /// wait + total.
    pub user_total_ms: Option<f64>,
    /// First send → first generated text, all attempts.
    pub user_ttft_ms: Option<f64>,
    /// Time per output token after the first.
    pub tpot_ms: Option<f64>,
    /// The same without reasoning.
    pub answer_tpot_ms: Option<f64>,
    /// 1000 / tpot.
    pub tps: Option<f64>,
}

/// Arrival gaps of generated text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GapsJson {
    /// All of them.
    pub sketch: SketchJson,
    /// The longest ones.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Parsed → committed to the DOM.
    pub holdback: SketchJson,
    /// Read → earliest bound of the frame that shows it.
    pub lag_earliest: SketchJson,
    /// Read → latest bound.
    pub lag_latest: SketchJson,
    /// Send → first frame with generated text (latest bound).
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
    pub input: Option<u64>,
    /// Generated tokens.
    pub output: Option<u64>,
    /// Reasoning tokens among them.
    pub reasoning: Option<u64>,
    /// Cached prompt tokens.
    pub cached: Option<u64>,
    /// Output without reasoning.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
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
