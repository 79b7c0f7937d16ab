//! OpenAI responses, and who speaks it too: Azure, OpenRouter, DeepSeek, vLLM.

use super::{Emitter, Verdict, error, usage};
use crate::framing::Frame;
use crate::json::{Value, lossy};
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let kind = root.get(Word::Type).bytes();
    if kind == b"keepalive" {
        to.keep_alive();
        return Verdict::Event;
    }
    let Some(event) = kind.strip_prefix(b"response.") else {
        if root.get(Word::Object).word() != Word::Response || !root.get(Word::Output).is_array() {
            return Verdict::Foreign;
        }
        terminal(root, root.get(Word::Status).bytes(), to);
        return Verdict::Whole;
    };
    let index = root.get(Word::OutputIndex).count().unwrap_or_default() as u32;
    let (delta, nothing) = (root.get(Word::Delta), root.missing());
    match Word::of(event) {
        Word::OutputTextDelta => to.content(0, delta),
        Word::RefusalDelta => to.refusal(0, delta),
        Word::ReasoningTextDelta | Word::ReasoningSummaryTextDelta => to.reasoning(0, delta),
        Word::FunctionCallArgumentsDelta
        | Word::McpCallArgumentsDelta
        | Word::CustomToolCallInputDelta
        | Word::CodeInterpreterCallCodeDelta => {
            to.tool(0, index, nothing, delta);
        }
        // What ends an item repeats all of it; it is new only where no piece came before.
        Word::OutputTextDone if !to.state.has_text => to.content(0, root.get(Word::Text)),
        Word::FunctionCallArgumentsDone if !to.state.has_arguments => {
            to.tool(0, index, nothing, root.get(Word::Arguments));
        }
        // An announcement: the name counts as generated with the first argument.
        Word::OutputItemAdded => to.announce_tool(0, index, root.get(Word::Item).get(Word::Name)),
        Word::Created => to.begin_message(),
        Word::Completed | Word::Incomplete | Word::Failed | Word::Cancelled => {
            terminal(root.get(Word::Response), event, to);
            to.end(&lossy(kind));
        }
        _ => {}
    }
    Verdict::Event
}

/// The response as it ended: its status, its usage, and its text if none came in pieces.
fn terminal(response: Value<'_>, status: &[u8], to: &mut Emitter<'_>) {
    if !to.state.has_text && !to.state.has_arguments {
        for (at, item) in response.get(Word::Output).items().enumerate() {
            output(at as u32, item, to);
        }
    }
    let failure = response.get(Word::Error);
    // `error` and `response.failed` report the same failure.
    if failure.is_some() && !to.state.has_failed {
        error::report(response, failure, to);
    } else if status == b"failed" {
        to.fail_again();
    }
    let reason = response.get(Word::IncompleteDetails).get(Word::Reason);
    if reason.word() == Word::ContentFilter {
        to.error("content_filter", "", None);
    }
    to.finish_word(0, &lossy(status));
    to.usage(usage::read(response.get(Word::Usage)));
    super::openai::timings(response.get(Word::Metrics), to);
}

fn output(index: u32, item: Value<'_>, to: &mut Emitter<'_>) {
    for part in item.get(Word::Content).items() {
        match part.get(Word::Type).word() {
            Word::OutputText => to.content(0, part.get(Word::Text)),
            Word::Refusal => to.refusal(0, part.get(Word::Refusal)),
            Word::ReasoningText => to.reasoning(0, part.get(Word::Text)),
            _ => {}
        }
    }
    for part in item.get(Word::Summary).items() {
        to.reasoning(0, part.get(Word::Text));
    }
    if item.get(Word::Type).bytes().ends_with(b"_call") {
        to.tool(0, index, item.get(Word::Name), item.get(Word::Arguments));
    }
}
