//! Cohere chat, version 2.

use super::{Emitter, Verdict, usage};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::{Value, lossy};

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let delta = root.get("delta");
    let message = delta.get("message");
    let index = root.get("index").count().unwrap_or_default() as u32;
    match root.get("type").word() {
        b"content-start" | b"content-delta" => content(message.get("content"), to),
        b"tool-plan-delta" => to.reasoning(0, message.get("tool_plan")),
        b"tool-call-start" | b"tool-call-delta" => {
            let function = message.get("tool_calls").get("function");
            to.tool(0, index, function.get("name"), function.get("arguments"));
        }
        b"message-start" => to.begin_message(),
        b"message-end" => {
            finish(delta, to);
            to.end("message-end");
        }
        b"content-end" | b"tool-call-end" | b"citation-start" | b"citation-end" | b"debug" => {}
        _ => return whole(root, to),
    }
    Verdict::Event
}

fn content(content: Value<'_>, to: &mut Emitter<'_>) {
    to.reasoning(0, content.get("thinking"));
    to.content(0, content.get("text"));
}

fn finish(from: Value<'_>, to: &mut Emitter<'_>) {
    let reason = from.get("finish_reason");
    to.finish(0, reason);
    // `error` is a text; the reason may say it alone.
    if from.get("error").is_some() || reason.word().starts_with(b"ERROR") {
        to.error("", &lossy(reason.word()), None);
    }
    // What is billed differs from what was read and written; whether the output count holds the thinking
    // is not documented.
    let tokens = usage::read(from.get("usage").get("tokens"));
    to.usage(Usage {
        input: tokens.input,
        output: tokens.output,
        ..Usage::default()
    });
}

fn whole(root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let message = root.get("message");
    if !message.get("content").is_array() || !root.get("finish_reason").is_string() {
        return Verdict::Foreign;
    }
    for part in message.get("content").items() {
        content(part, to);
    }
    for call in message.get("tool_calls").items() {
        let function = call.get("function");
        to.whole_tool(0, function.get("name"), function.get("arguments"));
    }
    finish(root, to);
    Verdict::Whole
}
