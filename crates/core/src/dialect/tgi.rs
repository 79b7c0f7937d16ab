//! Hugging Face's text-generation-inference: one token a frame; the last one repeats the whole text.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let token = root.get(Word::Token);
    let details = root.get(Word::Details);
    let text = root.get(Word::GeneratedText);
    if !token.get(Word::Text).is_string() {
        if token.is_some() || !text.is_string() {
            return Verdict::Foreign;
        }
        to.content(0, text);
        end(details, to);
        return Verdict::Whole;
    }
    if !token.get(Word::Special).is_true() {
        to.content(0, token.get(Word::Text));
    }
    end(details, to);
    if text.is_string() && !details.get(Word::FinishReason).is_some() {
        to.finish_word(0, "generated_text");
    }
    Verdict::Event
}

fn end(details: Value<'_>, to: &mut Emitter<'_>) {
    to.finish(0, details.get(Word::FinishReason));
    // Part of the last token's frame, not a report of its own.
    to.usage_aside(Usage {
        output: details.get(Word::GeneratedTokens).count(),
        ..Usage::default()
    });
}
