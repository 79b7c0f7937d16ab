//! Cloudflare Workers AI's own shape; where it sends OpenAI's `choices` too, those are read.

use super::{Emitter, Verdict, usage};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let whole = root.get(Word::Result);
    let body = if whole.is_object() { whole } else { root };
    let response = body.get(Word::Response);
    let calls = body.get(Word::ToolCalls);
    if response.number().is_some() {
        // A token of digits alone comes without its quotes.
        to.plain_content(response.raw());
    } else if response.is_string() || calls.items().next().is_some() {
        to.content(0, response);
    } else {
        return Verdict::Foreign;
    }
    for call in calls.items() {
        to.whole_tool(0, call.get(Word::Name), call.get(Word::Arguments));
    }
    to.usage(usage::read(body.get(Word::Usage)));
    if whole.is_object() {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
