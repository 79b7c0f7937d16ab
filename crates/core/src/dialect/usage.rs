//! Token counts under all the names that providers have for them.

use crate::delta::Usage;
use crate::json::Value;
use crate::words::Word;

/// Reads a usage object as its provider defines it. Missing and null are `None`.
pub(super) fn read(value: Value<'_>) -> Usage {
    let mut usage = Usage::default();
    for (name, value) in value.members() {
        let (field, count) = match name {
            Word::PromptTokens | Word::InputTokens | Word::CamelInputTokens => {
                (&mut usage.input, value)
            }
            Word::CompletionTokens | Word::OutputTokens | Word::CamelOutputTokens => {
                (&mut usage.output, value)
            }
            Word::TotalTokens | Word::CamelTotalTokens => (&mut usage.total, value),
            Word::ReasoningTokens => (&mut usage.reasoning, value),
            Word::CompletionTokensDetails | Word::OutputTokensDetails => {
                (&mut usage.reasoning, value.get(Word::ReasoningTokens))
            }
            Word::CachedTokens
            | Word::PromptCacheHitTokens
            | Word::CacheReadInputTokens
            | Word::CamelCacheReadInputTokens => (&mut usage.cached, value),
            Word::PromptTokensDetails | Word::InputTokensDetails => {
                (&mut usage.cached, value.get(Word::CachedTokens))
            }
            _ => continue,
        };
        *field = count.count().or_else(|| whole(count)).or(*field);
    }
    usage
}

/// A count by a writer that knows no integers: `12.0`.
fn whole(value: Value<'_>) -> Option<u64> {
    const EXACT: f64 = (1u64 << 53) as f64;
    let number = value.number()?;
    ((0.0..EXACT).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}
