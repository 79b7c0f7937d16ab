//! OpenAI chat completions (and the older text completions), and what calls itself compatible: Azure,
//! OpenRouter, DeepSeek, Groq, xAI, vLLM, llama.cpp, Mistral, Moonshot, Zhipu, Perplexity, Snowflake …

use super::{Emitter, Verdict, error, usage};
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let (mut known, mut choices, mut failure) = (false, None, None);
    let (mut report, mut own_times, mut response) = (None, None, None);
    for (name, value) in root.members() {
        match name {
            b"choices" => {
                known = true;
                choices = Some(value);
            }
            b"object" => known |= is_chunk(value.word()),
            b"error" if value.is_some() => failure = Some(value),
            b"usage" if value.is_object() => report = Some(value),
            b"x_groq" if value.get("usage").is_object() => {
                report = report.or(Some(value.get("usage")));
            }
            b"timings" | b"metrics" => own_times = Some(value),
            b"response" => response = Some(value),
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
        request_metrics(own_times, to);
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
            b"index" => index = value.count().map_or(at, |n| n as u32),
            b"delta" => delta = Some(value),
            b"text" => text = Some(value),
            b"message" => message = Some(value),
            b"finish_reason" => reason = Some(value),
            b"usage" => read.usage = Some(value),
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
        if !failed && matches!(reason.word(), b"error" | b"network_error") {
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
            b"content" => text_or_parts(choice, value, to),
            // Two spellings; who sends both sends the same text twice.
            b"reasoning_content" | b"reasoning" if !reasoned && value.has_text() => {
                reasoned = true;
                to.reasoning(choice, value);
            }
            b"reasoning_details" => details = Some(value),
            b"refusal" => to.refusal(choice, value),
            b"tool_calls" => tool_calls(choice, value, to),
            b"function_call" => to.tool(choice, 0, value.get("name"), value.get("arguments")),
            _ => {}
        }
    }
    // OpenRouter gives the same text as `reasoning` too; Snowflake gives it here only.
    if let (false, Some(details)) = (reasoned, details) {
        for detail in details.items() {
            to.reasoning(choice, detail.get("text"));
            to.reasoning(choice, detail.get("summary"));
        }
    }
}

/// Text, or Mistral's typed parts.
pub(super) fn text_or_parts(choice: u32, content: Value<'_>, to: &mut Emitter<'_>) {
    to.content(choice, content);
    for part in content.items() {
        to.content(choice, part);
        to.content(choice, part.get("text"));
        let thinking = part.get("thinking");
        to.reasoning(choice, thinking);
        for thought in thinking.items() {
            to.reasoning(choice, thought.get("text"));
        }
    }
}

fn tool_calls(choice: u32, calls: Value<'_>, to: &mut Emitter<'_>) {
    for (at, call) in calls.items().enumerate() {
        let index = call.get("index").count().map_or(at as u32, |n| n as u32);
        let function = call.get("function");
        to.tool(
            choice,
            index,
            function.get("name"),
            function.get("arguments"),
        );
        let custom = call.get("custom");
        to.tool(choice, index, custom.get("name"), custom.get("input"));
    }
}

/// llama.cpp's own timings.
pub(super) fn timings(timings: Value<'_>, to: &mut Emitter<'_>) {
    for name in ["prompt_ms", "predicted_ms"] {
        to.server_timing(name, timings.get(name), 1.0);
    }
}

/// vLLM's own timings.
pub(super) fn request_metrics(metrics: Value<'_>, to: &mut Emitter<'_>) {
    for name in [
        "time_to_first_token_ms",
        "generation_time_ms",
        "queue_time_ms",
        "mean_itl_ms",
    ] {
        to.server_timing(name, metrics.get(name), 1.0);
    }
}

/// Groq's own timings, in seconds.
fn queue_times(usage: Value<'_>, to: &mut Emitter<'_>) {
    for name in ["queue_time", "prompt_time", "completion_time", "total_time"] {
        to.server_timing(name, usage.get(name), 0.001);
    }
}
