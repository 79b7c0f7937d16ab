//! OpenAI responses, and who speaks it too: Azure, OpenRouter, DeepSeek, vLLM.

use super::parts::Part;
use super::state::{Channel, Said};
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
    let event_word = Word::of(event);
    if let Some((channel, text)) = text_of(event_word, event) {
        part_of(channel, text, root, to);
        return Verdict::Event;
    }
    match event_word {
        // An announcement: the name counts as generated with the first argument.
        Word::OutputItemAdded => {
            let index = root.get(Word::OutputIndex).count().unwrap_or_default() as u32;
            to.announce_tool(0, index, root.get(Word::Item).get(Word::Name));
        }
        Word::Created => to.begin_message(),
        Word::Completed | Word::Incomplete | Word::Failed | Word::Cancelled => {
            terminal(root.get(Word::Response), event, to);
            to.end(&lossy(kind));
        }
        _ => {}
    }
    Verdict::Event
}

/// A piece of a part, or at its end the whole of it, which is new only where no piece came before.
fn part_of(channel: Channel, text: Word, root: Value<'_>, to: &mut Emitter<'_>) {
    let (mut item, mut within, mut said) = (None, None, root.missing());
    for (name, value) in root.members() {
        match name {
            Word::OutputIndex => item = value.count().map(|n| n as u32),
            Word::ContentIndex | Word::SummaryIndex => within = value.count().map(|n| n as u32),
            _ if name == text => said = value,
            _ => {}
        }
    }
    let channel = match channel {
        Channel::Tool(_) => Channel::Tool(item.unwrap_or_default()),
        other => other,
    };
    let part = Part {
        channel,
        item,
        within,
    };
    // An empty piece is none.
    let known = said.has_text() && to.state.parts.note(part);
    if text == Word::Delta || !known {
        to.piece(0, channel, said);
    }
}

/// Which text an event has, and under which name: pieces as `delta`, what ends a part all of it.
fn text_of(word: Word, event: &[u8]) -> Option<(Channel, Word)> {
    // Which call it is, the event itself says.
    const TOOL: Channel = Channel::Tool(0);
    Some(match word {
        Word::OutputTextDelta => (Channel::Content, Word::Delta),
        Word::OutputTextDone => (Channel::Content, Word::Text),
        Word::RefusalDelta => (Channel::Refusal, Word::Delta),
        Word::RefusalDone => (Channel::Refusal, Word::Refusal),
        Word::ReasoningTextDelta | Word::ReasoningSummaryTextDelta => {
            (Channel::Reasoning, Word::Delta)
        }
        Word::ReasoningTextDone | Word::ReasoningSummaryTextDone => {
            (Channel::Reasoning, Word::Text)
        }
        Word::FunctionCallArgumentsDelta
        | Word::McpCallArgumentsDelta
        | Word::CustomToolCallInputDelta
        | Word::CodeInterpreterCallCodeDelta => (TOOL, Word::Delta),
        Word::FunctionCallArgumentsDone | Word::McpCallArgumentsDone => (TOOL, Word::Arguments),
        Word::CustomToolCallInputDone => (TOOL, Word::Input),
        Word::CodeInterpreterCallCodeDone => (TOOL, Word::Code),
        // New kinds of calls are to be expected.
        Word::Other if event.ends_with(b".delta") && event.windows(6).any(|w| w == b"_call_") => {
            (TOOL, Word::Delta)
        }
        _ => return None,
    })
}

/// The response as it ended: its status, its usage, and those kinds of text that did not come before.
fn terminal(response: Value<'_>, status: &[u8], to: &mut Emitter<'_>) {
    let said = to.state.said;
    for (at, item) in response.get(Word::Output).items().enumerate() {
        output(at as u32, item, said, to);
    }
    let failure = response.get(Word::Error);
    // `error` and `response.failed` report the same failure.
    if error::is_told(failure) && !to.state.has_failed {
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

fn output(index: u32, item: Value<'_>, said: Said, to: &mut Emitter<'_>) {
    for part in item.get(Word::Content).items() {
        match part.get(Word::Type).word() {
            Word::OutputText if !said.text => to.content(0, part.get(Word::Text)),
            Word::Refusal if !said.refusal => to.refusal(0, part.get(Word::Refusal)),
            Word::ReasoningText if !said.reasoning => to.reasoning(0, part.get(Word::Text)),
            _ => {}
        }
    }
    for part in item.get(Word::Summary).items().filter(|_| !said.reasoning) {
        to.reasoning(0, part.get(Word::Text));
    }
    if !said.arguments && item.get(Word::Type).bytes().ends_with(b"_call") {
        to.tool(0, index, item.get(Word::Name), item.get(Word::Arguments));
    }
}
