//! Baidu's ERNIE.

use super::{Emitter, Verdict, usage};
use crate::framing::{Frame, Origin};
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let code = root.get(Word::ErrorCode);
    if code.is_some() && code.digits() != Some(0) {
        to.error(word_for(code.digits()), "", None);
        return Verdict::Event;
    }
    let (result, end) = (root.get(Word::Result), root.get(Word::IsEnd));
    if !result.is_string() || !(end.is_bool() || root.get(Word::NeedClearHistory).is_bool()) {
        return Verdict::Foreign;
    }
    to.content(0, result);
    let call = root.get(Word::FunctionCall);
    if call.is_object() {
        to.tool(0, 0, call.get(Word::Name), call.get(Word::Arguments));
    }
    to.usage(usage::read(root.get(Word::Usage)));
    if end.is_true() || !end.is_bool() {
        to.finish(0, root.get(Word::FinishReason));
    }
    if end.is_true() {
        to.end("is_end:true");
    }
    let bare = matches!(frame.origin, Origin::First | Origin::Whole);
    if bare && !end.is_bool() {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}

/// Its numbers in the words that others use.
fn word_for(code: Option<u64>) -> &'static str {
    match code {
        Some(4 | 18 | 336_501..=336_510) => "rate_limit_error",
        Some(17 | 19) => "insufficient_quota",
        Some(2 | 336_100) => "overloaded_error",
        Some(6 | 13..=15 | 110 | 111 | 336_101) => "authentication_error",
        Some(3 | 100 | 336_001..=336_099 | 336_103..=336_199) => "invalid_request_error",
        _ => "server_error",
    }
}
