//! What was counted.

use serde::{Deserialize, Serialize};

/// Tokens, as the provider's usage counts them: events are not tokens. A count is absent where the usage
/// does not give it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TokensJson {
    /// Prompt tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Generated tokens, reasoning included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Reasoning tokens among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<u64>,
    /// Prompt tokens that came from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Output without reasoning. Absent as well: the two cannot be told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<u64>,
    /// Where `output` came from: `usage`, or `unknown`.
    pub source: String,
    /// False while only a provisional count was seen.
    pub usage_is_final: bool,
    /// Reasoning was billed but not streamed.
    pub hidden_reasoning: bool,
}

/// Counts over the answer's attempt, up to its end. They are always observed, so 0 means none.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CountsJson {
    /// Body reads that were not empty.
    pub reads: u32,
    /// Bytes of the body, as read.
    pub body_bytes: u64,
    /// Whole events; comments are not among them.
    pub events: u32,
    /// Comments.
    pub comments: u32,
    /// Events with generated text of any kind.
    pub generated: u32,
    /// Events with answer text or a refusal.
    pub content: u32,
    /// Events with reasoning.
    pub reasoning: u32,
    /// Events with tool calls.
    pub tool: u32,
    /// Events that were not JSON where JSON was due.
    pub invalid: u32,
    /// Events of no known shape.
    pub unknown: u32,
    /// Unicode scalar values of the first choice's answer.
    pub answer_chars: u64,
    /// The same of its reasoning.
    pub reasoning_chars: u64,
    /// Parallel answers.
    pub choices: u32,
    /// Tool calls; those over 128 are not told apart.
    pub tool_calls: u32,
}
