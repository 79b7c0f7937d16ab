//! What one probe found out. No text of the answer, no invented number: what was not observed is `None`.

mod outcome;

use std::time::Duration;

pub use outcome::{ErrorClass, Outcome};

use crate::clock::{ClockInfo, Stamp, Wall};
use crate::delta::Usage;
use crate::flags::Flags;
use crate::input::TimeoutPhase;
use crate::sketch::Sketch;

/// The result of one measured request, all its attempts included.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measurement {
    /// The clock of all durations here.
    pub clock: ClockInfo,
    /// Wall-clock reading nearest to the (first) send.
    pub started_at: Option<Stamp<Wall>>,
    /// How it ended.
    pub outcome: Outcome,
    /// A terminal signal was seen and no error.
    pub complete: bool,
    /// The class of the failure, where there was one.
    pub error: Option<ErrorClass>,
    /// Which time limit ran out.
    pub timeout_phase: Option<TimeoutPhase>,
    /// Failures reported; two events about the same failure count once.
    pub error_count: u32,
    /// Status and headers.
    pub http: Http,
    /// The framing used, e.g. `sse`.
    pub framing: Option<&'static str>,
    /// The dialect used, e.g. `openai`.
    pub dialect: Option<&'static str>,
    /// The durations of the answer's attempt, from its own send.
    pub timing: Timing,
    /// Arrival gaps of generated text.
    pub gaps: Gaps,
    /// Read → parsed, one sample a read. `None`: the shell parses later or cannot measure it.
    pub parse: Option<Sketch>,
    /// Sum of the parse times.
    pub parse_total: Option<Duration>,
    /// What became of the text on screen. `None` where there is no screen or none was watched.
    pub render: Option<Render>,
    /// Tokens and where their count came from.
    pub tokens: Tokens,
    /// Counts of reads, events and the like.
    pub counts: Counts,
    /// The first [`Measurement::CHUNKS`] reads.
    pub chunks: Vec<Chunk>,
    /// One entry an attempt, in order: the first ones and the last, [`Measurement::ATTEMPTS`] at most.
    pub attempts: Vec<Attempt>,
    /// How many attempts there were.
    pub attempts_seen: u32,
    /// The provider's own word for why choice 0 ended, cut to 32 bytes.
    pub finish: Option<String>,
    /// The last terminal marker seen (`[DONE]`, `message_stop`, `eof`, …), cut to 32 bytes.
    pub end: Option<String>,
    /// What makes numbers here untrustworthy, and what was seen on the way.
    pub flags: Flags,
    /// How long the machine slept during the stream, from wall against monotonic clock.
    pub suspended: Option<Duration>,
    /// Durations the server reports about itself (name, ms). Never mixed with ours.
    pub server_reported: Vec<(&'static str, f64)>,
    /// What the measuring itself cost, where the shell told.
    pub own_cost: Option<Duration>,
}

impl Measurement {
    /// How many reads are kept one by one.
    pub const CHUNKS: usize = 32;
    /// How many longest gaps are kept one by one.
    pub const LONGEST: usize = 8;
    /// How many attempts are kept one by one.
    pub const ATTEMPTS: usize = 16;
}

/// Status and headers of the last attempt that had any.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Http {
    /// HTTP status.
    pub status: Option<u16>,
    /// `Retry-After`, from seconds or a date relative to the response's own `Date`.
    pub retry_after: Option<Duration>,
    /// False where the platform hides headers, so that its absence means nothing.
    pub retry_after_known: bool,
    /// Whether asking again may help.
    pub retryable: Option<bool>,
    /// The provider's request id header.
    pub request_id: Option<String>,
    /// `x-streamlag-id` of a relay.
    pub relay_id: Option<String>,
    /// Rate-limit headers, name (lower case) and value, cut to 64 bytes each.
    pub rate_limits: Vec<(String, String)>,
    /// `Server-Timing` entries: name and duration in ms where given.
    pub server_timing: Vec<(String, Option<f64>)>,
}

/// Durations. All but `wait`, `user_total` and `user_ttft` start at the attempt's send.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timing {
    /// Intent → first send: the client's own queue.
    pub wait: Option<Duration>,
    /// → status and headers.
    pub headers: Option<Duration>,
    /// → first body byte.
    pub ttfb: Option<Duration>,
    /// → first generated text of any kind.
    pub ttft: Option<Duration>,
    /// Ended before any generated text: ttft is at least this.
    pub ttft_at_least: Option<Duration>,
    /// → first answer text or tool call (reasoning excluded).
    pub ttfo: Option<Duration>,
    /// → first answer text: tool calls and refusals excluded too.
    pub first_answer: Option<Duration>,
    /// → first answer text that is not white space.
    pub first_visible: Option<Duration>,
    /// First → last generated text.
    pub generation: Option<Duration>,
    /// → last generated text.
    pub total: Option<Duration>,
    /// → terminal event, or the end of the body where there is none.
    pub stream_end: Option<Duration>,
    /// Last generated text → terminal event.
    pub tail_wait: Option<Duration>,
    /// wait + total.
    pub user_total: Option<Duration>,
    /// First send → first generated text, over all attempts.
    pub user_ttft: Option<Duration>,
    /// Time per output token after the first.
    pub tpot: Option<Duration>,
    /// The same for the answer without reasoning.
    pub answer_tpot: Option<Duration>,
}

/// Arrival gaps of generated text: distinct stamps only; equal stamps are unresolved, not 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gaps {
    /// All gaps.
    pub sketch: Sketch,
    /// The longest ones, longest first.
    pub longest: Vec<Gap>,
    /// Gaps over 200 ms while visible.
    pub choppy: u32,
    /// Gaps over 500 ms while visible, of any cause.
    pub stalls: u32,
    /// The sum of those.
    pub stall_total: Duration,
    /// Gaps over 500 ms while hidden or frozen: nobody saw them.
    pub hidden_stalls: u32,
    /// Stalls that are not the reader's, the tab's or the path's fault.
    pub provider_stalls: u32,
    /// False when the reader was throttled or asleep.
    pub trusted: bool,
    /// Pairs of neighbouring texts with equal stamps.
    pub unresolved: u32,
}

/// One long gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// From send to the gap's start.
    pub at: Duration,
    /// Its length.
    pub length: Duration,
    /// The read that ended it.
    pub read: u32,
    /// The event that ended it.
    pub event: u32,
    /// What it is put down to.
    pub cause: GapCause,
}

/// What a gap is put down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapCause {
    /// Provider or network: they cannot be told apart from one side.
    Upstream,
    /// A gateway that flushes on a timer.
    GatewayBatching,
    /// The page's main thread was blocked.
    MainThread,
    /// The page was hidden or frozen.
    Hidden,
    /// The machine slept.
    Suspended,
}

impl GapCause {
    /// The word in records and the UI.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upstream => "upstream",
            Self::GatewayBatching => "gateway_batching",
            Self::MainThread => "main_thread",
            Self::Hidden => "hidden",
            Self::Suspended => "suspended",
        }
    }
}

/// From read to screen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Render {
    /// Parsed → committed to the DOM.
    pub holdback: Sketch,
    /// Read → earliest bound of the frame that shows it.
    pub lag_earliest: Sketch,
    /// Read → latest bound of that frame.
    pub lag_latest: Sketch,
    /// Send → latest bound of the first frame that shows generated text.
    pub first_paint: Option<Duration>,
    /// Frames that showed new text.
    pub frames: u32,
    /// Reads whose paint was not observable (hidden page) and is left out, not clamped.
    pub censored: u32,
    /// Reads that were never shown before the stream's record was closed.
    pub not_shown: u32,
}

/// Tokens and where their count came from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tokens {
    /// The provider's usage, in its own terms.
    pub usage: Option<Usage>,
    /// Generated tokens, reasoning included, whatever the provider's `output` holds.
    pub output: Option<u64>,
    /// Output tokens without reasoning, where they can be told.
    pub answer: Option<u64>,
    /// False while only a provisional count was seen.
    pub usage_is_final: bool,
    /// Where the output count came from.
    pub source: TokenSource,
    /// Reasoning was billed but not streamed.
    pub hidden_reasoning: bool,
}

/// Where the output token count came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenSource {
    /// The provider's usage.
    Usage,
    /// Nothing tells it: events are not tokens.
    #[default]
    Unknown,
}

impl TokenSource {
    /// The word in records and the UI.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Unknown => "unknown",
        }
    }
}

/// Counts over the answer's attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Non-empty body reads.
    pub reads: u32,
    /// Body bytes.
    pub bytes: u64,
    /// Whole events (frames), comments not counted.
    pub events: u32,
    /// Comments.
    pub comments: u32,
    /// Events with generated text of any kind.
    pub generated: u32,
    /// Events with answer text (or a refusal).
    pub content: u32,
    /// Events with reasoning text.
    pub reasoning: u32,
    /// Events with tool calls.
    pub tool: u32,
    /// Events that are not JSON where JSON was due.
    pub invalid: u32,
    /// Events of no known shape.
    pub unknown: u32,
    /// Unicode scalar values of the answer.
    pub answer_chars: u64,
    /// The same of the reasoning.
    pub reasoning_chars: u64,
    /// Parallel answers seen.
    pub choices: u32,
    /// Tool calls seen.
    pub tool_calls: u32,
}

/// One read, kept for the timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// From the attempt's send; `None` when the clock ran backwards.
    pub at: Option<Duration>,
    /// Bytes of the read.
    pub bytes: u32,
    /// Events it completed.
    pub events: u16,
    /// Whether any of them held generated text.
    pub generated: bool,
}

/// One request on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempt {
    /// From the first send to this one's.
    pub sent: Option<Duration>,
    /// Its own first generated text, from its own send.
    pub ttft: Option<Duration>,
    /// Its own end, from its own send.
    pub end: Option<Duration>,
    /// HTTP status.
    pub status: Option<u16>,
    /// Why it failed.
    pub error: Option<ErrorClass>,
}
