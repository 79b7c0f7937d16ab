//! Anthropic messages.

use super::{Emitter, Verdict, error, usage};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let index = root.get(Word::Index).count().unwrap_or_default() as u32;
    match root.get(Word::Type).word() {
        Word::ContentBlockDelta => block_delta(index, root.get(Word::Delta), to),
        Word::ContentBlockStart => block_start(index, root.get(Word::ContentBlock), to),
        Word::ContentBlockStop => {}
        Word::MessageStart => {
            to.begin_message();
            let mut usage = usage::read(root.get(Word::Message).get(Word::Usage));
            // The output count is a placeholder until `message_delta` comes.
            usage.provisional = true;
            to.usage(usage);
        }
        Word::MessageDelta => {
            to.finish(0, root.get(Word::Delta).get(Word::StopReason));
            to.usage(usage::read(root.get(Word::Usage)));
        }
        Word::MessageStop => to.end("message_stop"),
        Word::Ping => to.keep_alive(),
        Word::Error if root.get(Word::Error).is_object() => {
            error::report(root, root.get(Word::Error), to)
        }
        Word::Message if root.get(Word::Content).is_array() => {
            whole(root, to);
            return Verdict::Whole;
        }
        _ => {
            // New kinds of events and blocks are to be expected.
            let kind = root.get(Word::Type).bytes();
            return Verdict::known(
                kind.starts_with(b"content_block_") || kind.starts_with(b"message_"),
            );
        }
    }
    Verdict::Event
}

fn block_delta(index: u32, delta: Value<'_>, to: &mut Emitter<'_>) {
    match delta.get(Word::Type).word() {
        Word::TextDelta => to.content(0, delta.get(Word::Text)),
        Word::ThinkingDelta => to.reasoning(0, delta.get(Word::Thinking)),
        Word::InputJsonDelta => to.tool(
            0,
            index,
            delta.get(Word::Name),
            delta.get(Word::PartialJson),
        ),
        // Signatures and citations are no text.
        _ => {}
    }
}

fn block_start(index: u32, block: Value<'_>, to: &mut Emitter<'_>) {
    match block.get(Word::Type).word() {
        Word::Text => to.content(0, block.get(Word::Text)),
        Word::Thinking => to.reasoning(0, block.get(Word::Thinking)),
        Word::ToolUse | Word::ServerToolUse | Word::McpToolUse => {
            to.tool(
                0,
                index,
                block.get(Word::Name),
                block.get(Word::PartialJson),
            );
        }
        // Redacted thinking is opaque; results of server tools are not generated.
        _ => {}
    }
}

fn whole(root: Value<'_>, to: &mut Emitter<'_>) {
    for (index, block) in root.get(Word::Content).items().enumerate() {
        block_start(index as u32, block, to);
        let input = block.get(Word::Input);
        to.tool(0, index as u32, block.missing(), input);
    }
    to.finish(0, root.get(Word::StopReason));
    to.usage(usage::read(root.get(Word::Usage)));
}
