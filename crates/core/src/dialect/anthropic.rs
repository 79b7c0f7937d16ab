//! Anthropic messages.

use super::{Emitter, Verdict, error, usage};
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let index = root.get("index").count().unwrap_or_default() as u32;
    match root.get("type").word() {
        b"content_block_delta" => block_delta(index, root.get("delta"), to),
        b"content_block_start" => block_start(index, root.get("content_block"), to),
        b"content_block_stop" => {}
        b"message_start" => {
            to.begin_message();
            let mut usage = usage::read(root.get("message").get("usage"));
            // The output count is a placeholder until `message_delta` comes.
            usage.provisional = true;
            to.usage(usage);
        }
        b"message_delta" => {
            to.finish(0, root.get("delta").get("stop_reason"));
            to.usage(usage::read(root.get("usage")));
        }
        b"message_stop" => to.end("message_stop"),
        b"ping" => to.keep_alive(),
        b"error" if root.get("error").is_object() => error::report(root, root.get("error"), to),
        b"message" if root.get("content").is_array() => {
            whole(root, to);
            return Verdict::Whole;
        }
        other => {
            // New kinds of events and blocks are to be expected.
            return Verdict::known(
                other.starts_with(b"content_block_") || other.starts_with(b"message_"),
            );
        }
    }
    Verdict::Event
}

fn block_delta(index: u32, delta: Value<'_>, to: &mut Emitter<'_>) {
    match delta.get("type").word() {
        b"text_delta" => to.content(0, delta.get("text")),
        b"thinking_delta" => to.reasoning(0, delta.get("thinking")),
        b"input_json_delta" => to.tool(0, index, delta.get("name"), delta.get("partial_json")),
        // Signatures and citations are no text.
        _ => {}
    }
}

fn block_start(index: u32, block: Value<'_>, to: &mut Emitter<'_>) {
    match block.get("type").word() {
        b"text" => to.content(0, block.get("text")),
        b"thinking" => to.reasoning(0, block.get("thinking")),
        kind if kind.ends_with(b"tool_use") => {
            to.tool(0, index, block.get("name"), block.get("partial_json"))
        }
        // Redacted thinking is opaque; results of server tools are not generated.
        _ => {}
    }
}

fn whole(root: Value<'_>, to: &mut Emitter<'_>) {
    for (index, block) in root.get("content").items().enumerate() {
        block_start(index as u32, block, to);
        if block.get("type").word().ends_with(b"tool_use") {
            to.tool(0, index as u32, block.missing(), block.get("input"));
        }
    }
    to.finish(0, root.get("stop_reason"));
    to.usage(usage::read(root.get("usage")));
}
