//! Ollama's own API: `/api/chat` and `/api/generate`.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let message = root.get(Word::Message);
    let response = root.get(Word::Response);
    let done = root.get(Word::Done);
    if !done.is_bool() || !(message.is_object() || response.is_string()) {
        return Verdict::Foreign;
    }
    let had_text = to.state.said.text;
    to.reasoning(0, message.get(Word::Thinking));
    to.reasoning(0, root.get(Word::Thinking));
    to.content(0, message.get(Word::Content));
    to.content(0, response);
    for call in message.get(Word::ToolCalls).items() {
        let function = call.get(Word::Function);
        to.whole_tool(0, function.get(Word::Name), function.get(Word::Arguments));
    }
    if !done.is_true() {
        return Verdict::Event;
    }
    to.finish(0, root.get(Word::DoneReason));
    to.usage(Usage {
        // Absent when the prompt was cached: not known, not 0.
        input: root.get(Word::PromptEvalCount).count(),
        output: root.get(Word::EvalCount).count(),
        ..Usage::default()
    });
    const DURATIONS: [Word; 4] = [
        Word::TotalDuration,
        Word::LoadDuration,
        Word::PromptEvalDuration,
        Word::EvalDuration,
    ];
    to.server_timings(root, &DURATIONS, 1e6);
    to.end("done:true");
    // A stream's last record has no text.
    if to.state.said.text && !had_text {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
