//! Durations, gaps, and the way to the screen.

use serde::{Deserialize, Serialize};

use super::GapJson;

/// Durations of the answer's attempt, in ms, rounded to the microsecond. All but `wait_ms`, `user_total_ms`
/// and `user_ttft_ms` start at or after that attempt's send. Absent as well: the clock ran backwards.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TimingJson {
    /// The user's action or the scheduled time → first send: the client's own queue. Absent: nothing acted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<f64>,
    /// Send → status and headers. Absent: no answer came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers_ms: Option<f64>,
    /// Send → first byte of the body. Absent: the answer had no body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttfb_ms: Option<f64>,
    /// Send → the read that completed the first event with generated text of any kind. Absent: none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttft_ms: Option<f64>,
    /// Send → the end, where that came before any generated text: ttft would have been at least this.
    /// Absent: ttft is there, or the end says nothing about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttft_at_least_ms: Option<f64>,
    /// Send → first answer text or tool call, reasoning left out. Absent: none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttfo_ms: Option<f64>,
    /// Send → first answer text: tool calls and refusals left out too. Absent: none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_answer_ms: Option<f64>,
    /// Send → first answer text that is not white space. Absent: none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_visible_ms: Option<f64>,
    /// First → last generated text. Absent: there were not two readings with text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gen_ms: Option<f64>,
    /// Send → last generated text. Absent: none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<f64>,
    /// Send → terminal event, or the end of the body where there is none. Absent: the end was not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_end_ms: Option<f64>,
    /// Last generated text → terminal event. Absent: one of the two was not seen, or both came at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail_wait_ms: Option<f64>,
    /// The user's action → last generated text. Absent: one of the two was not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_total_ms: Option<f64>,
    /// First send → first generated text, over all attempts. Absent: none came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_ttft_ms: Option<f64>,
    /// First → last generated text, divided by the output tokens after the first. Absent: no usage, fewer
    /// than two tokens or readings, or a flag says that count and window are not of the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tpot_ms: Option<f64>,
    /// The same over the text that is not reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_tpot_ms: Option<f64>,
    /// 1000 / tpot, tokens a second, to three decimals. Absent with tpot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tps: Option<f64>,
}

/// Arrival gaps of generated text: the time between texts at different readings of the clock. How long
/// they were in all is in the sketch `gaps`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GapsJson {
    /// The longest ones, longest first: 8 at most. Written as [`crate::columns::longest::Longest`]; absent:
    /// there was no gap.
    #[serde(
        with = "crate::columns::longest",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub longest: Vec<GapJson>,
    /// How many were over 200 ms while the page was visible.
    pub choppy: u32,
    /// How many were over 500 ms while the page was visible, of any cause.
    pub stalls: u32,
    /// The sum of those, ms.
    pub stall_ms: f64,
    /// Over 500 ms while the page was hidden or frozen: nobody saw them, and they are in no other count.
    pub hidden_stalls: u32,
    /// Stalls that are not the reader's, the page's or the path's fault.
    pub provider_stalls: u32,
    /// False when the reader was throttled, frozen or asleep: its gaps say little about the stream.
    pub trusted: bool,
    /// Pairs of neighbouring texts with equal stamps: their gap is below the clock's step.
    pub unresolved: u32,
}

/// From read to screen. How long it took is in the sketches `holdback`, `lag_earliest`, `lag_latest`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RenderJson {
    /// Send → latest bound of the first frame with generated text, ms. Absent: no such frame was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_paint_ms: Option<f64>,
    /// Frames with new text.
    pub frames: u32,
    /// Reads whose paint was not observable, since the page was hidden: they are in no sketch.
    pub censored: u32,
    /// Reads that were never shown before the record was closed.
    pub not_shown: u32,
}
