//! IBM watsonx.ai text generation. Its chat is OpenAI's.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let results = root.get(Word::Results);
    let mut known = false;
    for (at, result) in results.items().enumerate() {
        let text = result.get(Word::GeneratedText);
        if !text.is_string() {
            continue;
        }
        known = true;
        to.content(at as u32, text);
        if result.get(Word::StopReason).word() != Word::NotFinished {
            to.finish(at as u32, result.get(Word::StopReason));
        }
        to.usage(Usage {
            // Told once, 0 afterwards.
            input: result.get(Word::InputTokenCount).count().filter(|n| *n > 0),
            output: result.get(Word::GeneratedTokenCount).count(),
            ..Usage::default()
        });
    }
    Verdict::known(known)
}
