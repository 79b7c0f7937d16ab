//! Hugging Face's text-generation-inference: one token a frame; the last one repeats the whole text.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let token = root.get("token");
    if !token.get("text").is_string() {
        return Verdict::Foreign;
    }
    if !token.get("special").is_true() {
        to.content(0, token.get("text"));
    }
    let details = root.get("details");
    to.finish(0, details.get("finish_reason"));
    // Part of the last token's frame, not a report of its own.
    to.usage_aside(Usage {
        output: details.get("generated_tokens").count(),
        ..Usage::default()
    });
    if root.get("generated_text").is_string() && !details.get("finish_reason").is_some() {
        to.finish_word(0, "generated_text");
    }
    Verdict::Event
}
