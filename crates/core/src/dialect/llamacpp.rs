//! llama.cpp's own `/completion`. Its chat is OpenAI's.

use super::{Emitter, Verdict, openai};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let (content, stop) = (root.get("content"), root.get("stop"));
    if !content.is_string() || !stop.is_bool() {
        return Verdict::Foreign;
    }
    let had_text = to.state.has_text;
    to.content(0, content);
    if !stop.is_true() {
        return Verdict::Event;
    }
    let kind = root.get("stop_type");
    if kind.has_text() {
        to.finish(0, kind);
    } else if root.get("stopped_limit").is_true() {
        to.finish_word(0, "limit");
    } else {
        to.finish_word(0, "stop");
    }
    to.usage(Usage {
        input: root.get("tokens_evaluated").count(),
        output: root.get("tokens_predicted").count(),
        ..Usage::default()
    });
    openai::timings(root.get("timings"), to);
    to.end("stop:true");
    // A stream's last frame has no text.
    if to.state.has_text && !had_text {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
