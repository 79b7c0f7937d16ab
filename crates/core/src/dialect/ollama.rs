//! Ollama's own API: `/api/chat` and `/api/generate`.

use super::{Emitter, Verdict};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let message = root.get("message");
    let response = root.get("response");
    let done = root.get("done");
    if !done.is_bool() || !(message.is_object() || response.is_string()) {
        return Verdict::Foreign;
    }
    let had_text = to.state.has_text;
    to.reasoning(0, message.get("thinking"));
    to.reasoning(0, root.get("thinking"));
    to.content(0, message.get("content"));
    to.content(0, response);
    for call in message.get("tool_calls").items() {
        let function = call.get("function");
        to.whole_tool(0, function.get("name"), function.get("arguments"));
    }
    if !done.is_true() {
        return Verdict::Event;
    }
    to.finish(0, root.get("done_reason"));
    to.usage(Usage {
        // Absent when the prompt was cached: not known, not 0.
        input: root.get("prompt_eval_count").count(),
        output: root.get("eval_count").count(),
        ..Usage::default()
    });
    for name in [
        "total_duration",
        "load_duration",
        "prompt_eval_duration",
        "eval_duration",
    ] {
        to.server_timing(name, root.get(name), 1e6);
    }
    to.end("done:true");
    // A stream's last record has no text.
    if to.state.has_text && !had_text {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
