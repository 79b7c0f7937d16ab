//! Writer's text completions. Only where the caller names it: a lone `value` may be anything. Its chat is
//! OpenAI's.

use super::{Emitter, Verdict};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let value = root.get(Word::Value);
    to.content(0, value);
    Verdict::known(value.is_string())
}
