//! Hugging Face's text-generation-inference: one token a frame; the last one repeats the whole text.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let token = root.get(Word::Token);
    if !token.get(Word::Text).is_string() {
        return Verdict::Foreign;
    }
    if !token.get(Word::Special).is_true() {
        to.content(0, token.get(Word::Text));
    }
    let details = root.get(Word::Details);
    to.finish(0, details.get(Word::FinishReason));
    // Part of the last token's frame, not a report of its own.
    to.usage_aside(Usage {
        output: details.get(Word::GeneratedTokens).count(),
        ..Usage::default()
    });
    if root.get(Word::GeneratedText).is_string() && !details.get(Word::FinishReason).is_some() {
        to.finish_word(0, "generated_text");
    }
    Verdict::Event
}
