//! Token counts under all the names that providers have for them.

use crate::delta::Usage;
use crate::json::Value;

/// Reads a usage object as its provider defines it. Missing and null are `None`.
pub(super) fn read(value: Value<'_>) -> Usage {
    let mut usage = Usage::default();
    for (name, value) in value.members() {
        let field = match name {
            b"prompt_tokens" | b"input_tokens" | b"inputTokens" => &mut usage.input,
            b"completion_tokens" | b"output_tokens" | b"outputTokens" => &mut usage.output,
            b"total_tokens" | b"totalTokens" => &mut usage.total,
            b"reasoning_tokens" => &mut usage.reasoning,
            b"cached_tokens"
            | b"prompt_cache_hit_tokens"
            | b"cache_read_input_tokens"
            | b"cacheReadInputTokens" => &mut usage.cached,
            b"completion_tokens_details" | b"output_tokens_details" => {
                usage.reasoning = value.get("reasoning_tokens").count().or(usage.reasoning);
                continue;
            }
            b"prompt_tokens_details" | b"input_tokens_details" => {
                usage.cached = value.get("cached_tokens").count().or(usage.cached);
                continue;
            }
            _ => continue,
        };
        *field = value.count().or(*field);
    }
    usage
}
