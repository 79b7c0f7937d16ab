//! Errors inside a stream. They look much alike everywhere: `{"error": {…}}`, `{"error": "…"}`, an error
//! object without the wrapping, a `type` of `error`.

use super::Emitter;
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};
use crate::words::Word;

/// Reads an event that is nothing but an error.
pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> bool {
    let error = root.get(Word::Error);
    let says_so = |key| root.get(key).word() == Word::Error;
    if error.is_some() {
        report(root, error, to);
    } else if frame.word() == Word::Error
        || frame.origin == Origin::Aside
        || says_so(Word::Type)
        || says_so(Word::Object)
    {
        report(root, root, to);
    } else {
        return false;
    }
    true
}

/// Reports `error`: an object, or a bare message with its words beside it in `root`.
pub(super) fn report(root: Value<'_>, error: Value<'_>, to: &mut Emitter<'_>) {
    let (mut kind, mut detail, mut code) = (root.missing(), root.missing(), None);
    let words = if error.is_object() { error } else { root };
    for (name, value) in words.members() {
        match name {
            Word::Type if value.word() == Word::Error => {}
            Word::Type | Word::ErrorType => kind = value,
            Word::Code
            | Word::Status
            | Word::StatusCode
            | Word::HttpStatusCode
            | Word::HttpStatus => {
                if value.is_string() {
                    detail = value;
                }
                // Some write their numbers as strings.
                code = value.digits().and_then(|n| u16::try_from(n).ok()).or(code);
            }
            _ => {}
        }
    }
    to.error(&lossy(kind.bytes()), &lossy(detail.bytes()), code);
}
