//! OpenAI chat completions (and the older text completions), and what calls itself compatible: Azure,
//! OpenRouter, DeepSeek, Groq, xAI, vLLM, llama.cpp, Mistral, Moonshot, Zhipu, Perplexity, Snowflake …

use super::{Emitter, Verdict, error, usage};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let (mut known, mut choices, mut failure) = (false, None, None);
    let (mut report, mut own_times, mut response) = (None, None, None);
    for (name, value) in root.members() {
        match name {
            Word::Choices => {
                known = true;
                choices = Some(value);
            }
            Word::Object => known |= is_chunk(value.bytes()),
            Word::Error if value.is_some() => failure = Some(value),
            Word::Usage if value.is_object() => report = Some(value),
            Word::XGroq if value.get(Word::Usage).is_object() => {
                report = report.or(Some(value.get(Word::Usage)));
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
    for (at, value) in choices.into_iter().flat_map(Value::items).enumerate() {
        let read = choice(at as u32, value, failure.is_some(), to);
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

/// What a choice was, beside what it said.
struct Choice<'a> {
    /// A whole answer instead of a piece.
    whole: bool,
    usage: Option<Value<'a>>,
}

/// Reads one of n answers.
fn choice<'a>(at: u32, choice: Value<'a>, failed: bool, to: &mut Emitter<'_>) -> Choice<'a> {
    let mut index = at;
    let mut read = Choice {
        whole: false,
        usage: None,
    };
    let (mut delta, mut text, mut message, mut reason) = (None, None, None, None);
    for (name, value) in choice.members() {
        match name {
            Word::Index => index = value.count().map_or(at, |n| n as u32),
            Word::Delta => delta = Some(value),
            Word::Text => text = Some(value),
            Word::Message => message = Some(value),
            Word::FinishReason => reason = Some(value),
            Word::Usage => read.usage = Some(value),
            _ => {}
        }
    }
    if let Some(delta) = delta {
        read_delta(index, delta, to);
    } else if let Some(text) = text {
        to.content(index, text);
    } else if let Some(message) = message
        && !to.state.has_text
    {
        // Perplexity repeats the message so far beside each delta; without any delta it is the answer.
        read.whole = message.is_object();
        read_delta(index, message, to);
    }
    if let Some(reason) = reason {
        to.finish(index, reason);
        if !failed && matches!(reason.word(), Word::Error | Word::NetworkError) {
            to.error("", "finish_reason_error", None);
        }
    }
    read
}

fn read_delta(choice: u32, delta: Value<'_>, to: &mut Emitter<'_>) {
    let mut reasoned = false;
    let mut details = None;
    for (name, value) in delta.members() {
        match name {
            Word::Content => text_or_parts(choice, value, to),
            // Two spellings; who sends both sends the same text twice.
            Word::ReasoningContent | Word::Reasoning if !reasoned && value.has_text() => {
                reasoned = true;
                to.reasoning(choice, value);
            }
            Word::ReasoningDetails => details = Some(value),
            Word::Refusal => to.refusal(choice, value),
            Word::ToolCalls => tool_calls(choice, value, to),
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
        to.content(choice, part.get(Word::Text));
        let thinking = part.get(Word::Thinking);
        to.reasoning(choice, thinking);
        for thought in thinking.items() {
            to.reasoning(choice, thought.get(Word::Text));
        }
    }
}

fn tool_calls(choice: u32, calls: Value<'_>, to: &mut Emitter<'_>) {
    for (at, call) in calls.items().enumerate() {
        let index = call
            .get(Word::Index)
            .count()
            .map_or(at as u32, |n| n as u32);
        let function = call.get(Word::Function);
        to.tool(
            choice,
            index,
            function.get(Word::Name),
            function.get(Word::Arguments),
        );
        let custom = call.get(Word::Custom);
        to.tool(
            choice,
            index,
            custom.get(Word::Name),
            custom.get(Word::Input),
        );
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
