//! OpenAI responses, and who speaks it too: Azure, OpenRouter, DeepSeek, vLLM.

use super::{Emitter, Verdict, error, usage};
use crate::framing::Frame;
use crate::json::{Value, lossy};

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let kind = root.get("type").word();
    if kind == b"keepalive" {
        to.keep_alive();
        return Verdict::Event;
    }
    let Some(event) = kind.strip_prefix(b"response.") else {
        if root.get("object").word() != b"response" || !root.get("output").is_array() {
            return Verdict::Foreign;
        }
        terminal(root, root.get("status").word(), to);
        return Verdict::Whole;
    };
    let index = root.get("output_index").count().unwrap_or_default() as u32;
    let (delta, nothing) = (root.get("delta"), root.missing());
    match event {
        b"output_text.delta" => to.content(0, delta),
        b"refusal.delta" => to.refusal(0, delta),
        b"reasoning_text.delta" | b"reasoning_summary_text.delta" => to.reasoning(0, delta),
        b"function_call_arguments.delta"
        | b"mcp_call_arguments.delta"
        | b"custom_tool_call_input.delta"
        | b"code_interpreter_call_code.delta" => {
            to.tool(0, index, nothing, delta);
        }
        // What ends an item repeats all of it; it is new only where no piece came before.
        b"output_text.done" if !to.state.has_text => to.content(0, root.get("text")),
        b"function_call_arguments.done" if !to.state.has_arguments => {
            to.tool(0, index, nothing, root.get("arguments"));
        }
        // An announcement: the name counts as generated with the first argument.
        b"output_item.added" => to.announce_tool(0, index, root.get("item").get("name")),
        b"created" => to.begin_message(),
        b"completed" | b"incomplete" | b"failed" | b"cancelled" => {
            terminal(root.get("response"), event, to);
            to.end(&lossy(kind));
        }
        _ => {}
    }
    Verdict::Event
}

/// The response as it ended: its status, its usage, and its text if none came in pieces.
fn terminal(response: Value<'_>, status: &[u8], to: &mut Emitter<'_>) {
    if !to.state.has_text && !to.state.has_arguments {
        for (at, item) in response.get("output").items().enumerate() {
            output(at as u32, item, to);
        }
    }
    let failure = response.get("error");
    // `error` and `response.failed` report the same failure.
    if failure.is_some() && !to.state.has_failed {
        error::report(response, failure, to);
    } else if status == b"failed" {
        to.fail_again();
    }
    let reason = response.get("incomplete_details").get("reason");
    if reason.word() == b"content_filter" {
        to.error("content_filter", "", None);
    }
    to.finish_word(0, &lossy(status));
    to.usage(usage::read(response.get("usage")));
    super::openai::request_metrics(response.get("metrics"), to);
}

fn output(index: u32, item: Value<'_>, to: &mut Emitter<'_>) {
    for part in item.get("content").items() {
        match part.get("type").word() {
            b"output_text" => to.content(0, part.get("text")),
            b"refusal" => to.refusal(0, part.get("refusal")),
            b"reasoning_text" => to.reasoning(0, part.get("text")),
            _ => {}
        }
    }
    for part in item.get("summary").items() {
        to.reasoning(0, part.get("text"));
    }
    if item.get("type").word().ends_with(b"_call") {
        to.tool(0, index, item.get("name"), item.get("arguments"));
    }
}
