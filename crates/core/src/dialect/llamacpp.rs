//! llama.cpp's own `/completion`. Its chat is OpenAI's.

use super::{Emitter, Verdict, openai};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let (content, stop) = (root.get(Word::Content), root.get(Word::Stop));
    if !content.is_string() || !stop.is_bool() {
        return Verdict::Foreign;
    }
    let had_text = to.state.said.text;
    to.content(0, content);
    if !stop.is_true() {
        return Verdict::Event;
    }
    let kind = root.get(Word::StopType);
    if kind.has_text() {
        to.finish(0, kind);
    } else if root.get(Word::StoppedLimit).is_true() {
        to.finish_word(0, "limit");
    } else {
        to.finish_word(0, "stop");
    }
    to.usage(Usage {
        input: root.get(Word::TokensEvaluated).count(),
        output: root.get(Word::TokensPredicted).count(),
        ..Usage::default()
    });
    openai::timings(root.get(Word::Timings), to);
    to.end("stop:true");
    // A stream's last frame has no text.
    if to.state.said.text && !had_text {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
