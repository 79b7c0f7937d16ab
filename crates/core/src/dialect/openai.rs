//! OpenAI chat completions (and the older text completions), and what calls itself compatible: Azure,
//! OpenRouter, DeepSeek, Groq, xAI, vLLM, llama.cpp, Mistral, Moonshot, Zhipu, Perplexity, Snowflake …

use super::state::Said;
use super::{Emitter, Verdict, calls, error, usage};
use crate::framing::{Frame, Origin};
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let (mut known, mut choices, mut failure) = (false, None, None);
    let (mut report, mut own_times, mut response) = (None, None, None);
    for (name, value) in root.members() {
        match name {
            Word::Choices => {
                known = true;
                choices = Some(value);
            }
            Word::Object => known |= is_chunk(value.bytes()),
            Word::Error if error::is_told(value) => failure = Some(value),
            // Beside `choices: null`, in words of their own.
            Word::ErrorType if value.has_text() => failure = failure.or(Some(value)),
            Word::Usage if value.is_object() => report = Some(value),
            Word::XGroq => {
                let (usage, error) = (value.get(Word::Usage), value.get(Word::Error));
                report = report.or(usage.is_object().then_some(usage));
                failure = failure.or(error::is_told(error).then_some(error));
            }
            Word::Timings | Word::Metrics => own_times = Some(value),
            Word::Response => response = Some(value),
            _ => {}
        }
    }
    if !known {
        return Verdict::Foreign;
    }
    if let Some(failure) = failure {
        error::report(root, failure, to);
    }
    let mut verdict = Verdict::Event;
    let around = Around {
        said: to.state.said,
        failed: failure.is_some(),
        lone: matches!(frame.origin, Origin::First | Origin::Whole),
    };
    for (at, value) in choices.into_iter().flat_map(Value::items).enumerate() {
        let read = choice(at as u32, value, around, to);
        if read.whole {
            verdict = Verdict::Whole;
        }
        // Moonshot's older models report inside the choice.
        report = report.or(read.usage);
    }
    // Workers AI may say it in both shapes.
    if let (true, Some(response)) = (to.kinds.is_none(), response) {
        to.content(0, response);
    }
    if let Some(report) = report {
        to.usage(usage::read(report));
        queue_times(report, to);
    }
    if let Some(own_times) = own_times {
        timings(own_times, to);
    }
    verdict
}

/// Not `chat.completion` alone: Baidu calls its events that.
fn is_chunk(object: &[u8]) -> bool {
    object.starts_with(b"chat.completion.") || object.starts_with(b"text_completion")
}

/// What is known before a choice is read.
#[derive(Clone, Copy)]
struct Around {
    /// What was said before this event.
    said: Said,
    /// The event has told of a failure.
    failed: bool,
    /// The event may be all there is.
    lone: bool,
}

/// What a choice was, beside what it said.
struct Choice<'a> {
    /// A whole answer instead of a piece.
    whole: bool,
    usage: Option<Value<'a>>,
}

/// Reads one of n answers.
fn choice<'a>(at: u32, choice: Value<'a>, around: Around, to: &mut Emitter<'_>) -> Choice<'a> {
    let mut index = at;
    let mut read = Choice {
        whole: false,
        usage: None,
    };
    let (mut delta, mut text, mut message, mut reason) = (None, None, None, None);
    let mut failed = around.failed;
    for (name, value) in choice.members() {
        match name {
            Word::Index => index = value.count().map_or(at, |n| n as u32),
            Word::Delta => delta = Some(value),
            Word::Text => text = Some(value),
            Word::Message => message = Some(value),
            Word::FinishReason => reason = Some(value),
            Word::Usage => read.usage = Some(value),
            Word::Error if !failed && error::is_told(value) => {
                failed = true;
                error::report(choice, value, to);
            }
            _ => {}
        }
    }
    if let Some(delta) = delta.filter(|delta| delta.is_object() || message.is_none()) {
        read_delta(index, delta, to);
    } else if let Some(text) = text {
        to.content(index, text);
    } else if let Some(message) = message {
        let finished = reason.is_some_and(Value::is_some);
        read.whole = around.lone || finished;
        read.whole &= read_message(index, message, around.said, to);
    }
    if let Some(reason) = reason {
        to.finish(index, reason);
        if !failed && matches!(reason.word(), Word::Error | Word::NetworkError) {
            to.error("", "finish_reason_error", None);
        }
    }
    read
}

/// A message without a delta is the answer, or as much of it as there is so far; after deltas it repeats
/// them. (Perplexity repeats the message so far beside each delta, too.) Says whether it was the answer.
fn read_message(choice: u32, message: Value<'_>, said: Said, to: &mut Emitter<'_>) -> bool {
    let content = message.get(Word::Content);
    if said.anything() {
        if to.state.by_messages && choice == 0 {
            to.snapshot(b"message", content);
        }
        return false;
    }
    read_delta(choice, message, to);
    if choice == 0 {
        to.state.by_messages = true;
        to.note_snapshot(b"message", content);
    }
    message.is_object()
}

fn read_delta(choice: u32, delta: Value<'_>, to: &mut Emitter<'_>) {
    let mut reasoned = false;
    let mut details = None;
    for (name, value) in delta.members() {
        match name {
            Word::Content => text_or_parts(choice, value, to),
            // Many spellings; who sends two of them sends the same text twice.
            Word::ReasoningContent | Word::Reasoning | Word::ReasoningText | Word::Thinking
                if !reasoned && value.has_text() =>
            {
                reasoned = true;
                to.reasoning(choice, value);
            }
            Word::ReasoningDetails => details = Some(value),
            Word::Refusal => to.refusal(choice, value),
            Word::ToolCalls => calls::read(choice, value, to),
            Word::FunctionCall => {
                to.tool(choice, 0, value.get(Word::Name), value.get(Word::Arguments))
            }
            _ => {}
        }
    }
    // OpenRouter gives the same text as `reasoning` too; Snowflake gives it here only.
    if let (false, Some(details)) = (reasoned, details) {
        for detail in details.items() {
            to.reasoning(choice, detail.get(Word::Text));
            to.reasoning(choice, detail.get(Word::Summary));
        }
    }
}

/// Text, or Mistral's typed parts.
pub(super) fn text_or_parts(choice: u32, content: Value<'_>, to: &mut Emitter<'_>) {
    to.content(choice, content);
    for part in content.items() {
        to.content(choice, part);
        let text = part.get(Word::Text);
        match part.get(Word::Type).word() {
            Word::Reasoning | Word::Thinking => to.reasoning(choice, text),
            _ => to.content(choice, text),
        }
        for of in [Word::Thinking, Word::Reasoning, Word::Summary] {
            let thinking = part.get(of);
            to.reasoning(choice, thinking);
            for thought in thinking.items() {
                to.reasoning(choice, thought.get(Word::Text));
            }
        }
    }
}

/// llama.cpp's and vLLM's own timings.
pub(super) fn timings(timings: Value<'_>, to: &mut Emitter<'_>) {
    const NAMES: [Word; 6] = [
        Word::PromptMs,
        Word::PredictedMs,
        Word::TimeToFirstTokenMs,
        Word::GenerationTimeMs,
        Word::QueueTimeMs,
        Word::MeanItlMs,
    ];
    to.server_timings(timings, &NAMES, 1.0);
}

/// Groq's own timings, in seconds.
fn queue_times(usage: Value<'_>, to: &mut Emitter<'_>) {
    const NAMES: [Word; 4] = [
        Word::QueueTime,
        Word::PromptTime,
        Word::CompletionTime,
        Word::TotalTime,
    ];
    to.server_timings(usage, &NAMES, 0.001);
}
