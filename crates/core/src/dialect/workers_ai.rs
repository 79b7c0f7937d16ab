//! Cloudflare Workers AI's own shape; where it sends OpenAI's `choices` too, those are read.

use super::{Emitter, Verdict, usage};
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let whole = root.get("result");
    let body = if whole.is_object() { whole } else { root };
    let response = body.get("response");
    if !response.is_string() {
        return Verdict::Foreign;
    }
    to.content(0, response);
    for call in body.get("tool_calls").items() {
        to.whole_tool(0, call.get("name"), call.get("arguments"));
    }
    to.usage(usage::read(body.get("usage")));
    if whole.is_object() {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}
