//! Cloudflare Workers AI's own shape; where it sends OpenAI's `choices` too, those are read.

use super::{Emitter, Verdict, usage};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let whole = root.get(Word::Result);
    let body = if whole.is_object() { whole } else { root };
    let response = body.get(Word::Response);
    if !response.is_string() {
        return Verdict::Foreign;
    }
    to.content(0, response);
    for call in body.get(Word::ToolCalls).items() {
        to.whole_tool(0, call.get(Word::Name), call.get(Word::Arguments));
    }
    to.usage(usage::read(body.get(Word::Usage)));
    if whole.is_object() {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
