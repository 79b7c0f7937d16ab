//! IBM watsonx.ai text generation. Its chat is OpenAI's.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let results = root.get("results");
    let mut known = false;
    for (at, result) in results.items().enumerate() {
        let text = result.get("generated_text");
        if !text.is_string() {
            continue;
        }
        known = true;
        to.content(at as u32, text);
        if result.get("stop_reason").word() != b"not_finished" {
            to.finish(at as u32, result.get("stop_reason"));
        }
        to.usage(Usage {
            // Told once, 0 afterwards.
            input: result.get("input_token_count").count().filter(|n| *n > 0),
            output: result.get("generated_token_count").count(),
            ..Usage::default()
        });
    }
    Verdict::known(known)
}
