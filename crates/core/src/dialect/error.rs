//! Errors inside a stream. They look much alike everywhere: `{"error": {…}}`, `{"error": "…"}`, an error
//! object without the wrapping, a `type` of `error`.

use super::Emitter;
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};
use crate::words::Word;

/// Reads an event that is nothing but an error.
pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> bool {
    let root = if root.is_array() {
        // Google's way of saying it, where a list was asked for.
        root.items().next().unwrap_or(root)
    } else {
        root
    };
    let error = root.get(Word::Error);
    let first = root.get(Word::Errors).items().next();
    let says_so = |key| root.get(key).word() == Word::Error;
    if is_told(error) {
        report(root, error, to);
    } else if let Some(first) = first {
        report(root, first, to);
    } else if frame.word() == Word::Error
        || frame.origin == Origin::Aside
        || says_so(Word::Type)
        || says_so(Word::Object)
        || root.get(Word::ErrorType).has_text()
    {
        report(root, root, to);
    } else {
        return false;
    }
    true
}

/// Whether that is an error at all: "", `false` and `{}` say that there is none.
pub(super) fn is_told(error: Value<'_>) -> bool {
    error.has_text()
        || error.is_true()
        || error.members().next().is_some()
        || error.items().next().is_some()
        || error.count().is_some_and(|code| code > 0)
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
                code = number(value).or(code);
            }
            _ => {}
        }
    }
    // Some write the number outside.
    let code = code.or_else(|| number(root.get(Word::StatusCode)));
    to.error(&lossy(kind.bytes()), &lossy(detail.bytes()), code);
}

fn number(value: Value<'_>) -> Option<u16> {
    u16::try_from(value.digits()?).ok()
}
