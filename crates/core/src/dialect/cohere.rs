//! Cohere chat, version 2.

use super::{Emitter, Verdict, error, usage};
use crate::delta::Usage;
use crate::framing::Frame;
use crate::json::{Value, lossy};
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let delta = root.get(Word::Delta);
    let message = delta.get(Word::Message);
    let index = root.get(Word::Index).count().unwrap_or_default() as u32;
    match root.get(Word::Type).word() {
        Word::DashContentStart | Word::DashContentDelta => content(message.get(Word::Content), to),
        Word::DashToolPlanDelta => to.reasoning(0, message.get(Word::ToolPlan)),
        Word::DashToolCallStart | Word::DashToolCallDelta => {
            let function = message.get(Word::ToolCalls).get(Word::Function);
            to.tool(
                0,
                index,
                function.get(Word::Name),
                function.get(Word::Arguments),
            );
        }
        Word::DashMessageStart => to.begin_message(),
        Word::DashMessageEnd => {
            finish(delta, to);
            to.end("message-end");
        }
        Word::DashContentEnd
        | Word::DashToolCallEnd
        | Word::DashCitationStart
        | Word::DashCitationEnd
        | Word::Debug => {}
        _ => return whole(root, to),
    }
    Verdict::Event
}

fn content(content: Value<'_>, to: &mut Emitter<'_>) {
    to.reasoning(0, content.get(Word::Thinking));
    to.content(0, content.get(Word::Text));
}

fn finish(from: Value<'_>, to: &mut Emitter<'_>) {
    let reason = from.get(Word::FinishReason);
    to.finish(0, reason);
    // `error` is a text; the reason may say it alone.
    if error::is_told(from.get(Word::Error)) || reason.bytes().starts_with(b"ERROR") {
        to.error("", &lossy(reason.bytes()), None);
    }
    // What is billed differs from what was read and written; whether the output count holds the thinking
    // is not documented.
    let tokens = usage::read(from.get(Word::Usage).get(Word::Tokens));
    to.usage(Usage {
        input: tokens.input,
        output: tokens.output,
        ..Usage::default()
    });
}

fn whole(root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let message = root.get(Word::Message);
    if !message.get(Word::Content).is_array() || !root.get(Word::FinishReason).is_string() {
        return Verdict::Foreign;
    }
    for part in message.get(Word::Content).items() {
        content(part, to);
    }
    for call in message.get(Word::ToolCalls).items() {
        let function = call.get(Word::Function);
        to.whole_tool(0, function.get(Word::Name), function.get(Word::Arguments));
    }
    finish(root, to);
    Verdict::Whole
}
