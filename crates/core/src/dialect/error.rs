//! Errors inside a stream. They look much alike everywhere: `{"error": {…}}`, `{"error": "…"}`, an error
//! object without the wrapping, a `type` of `error`.

use super::Emitter;
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};

/// Reads an event that is nothing but an error.
pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> bool {
    let named = frame.name == b"error" || frame.origin == Origin::Aside;
    let error = root.get("error");
    if error.is_some() {
        report(root, error, to);
    } else if named || root.get("type").word() == b"error" || root.get("object").word() == b"error"
    {
        report(root, root, to);
    } else {
        return false;
    }
    true
}

/// Reports `error`: an object, or a bare message with its words beside it in `root`.
pub(super) fn report(root: Value<'_>, error: Value<'_>, to: &mut Emitter<'_>) {
    let (mut kind, mut detail, mut code) = (&b""[..], &b""[..], None);
    let words = if error.is_object() { error } else { root };
    for (name, value) in words.members() {
        match name {
            b"type" if value.word() != b"error" => kind = value.word(),
            b"error_type" => kind = value.word(),
            b"status" if value.is_string() => detail = value.word(),
            b"code" if value.is_string() => {
                // Some write their numbers as strings.
                code = code.or_else(|| std::str::from_utf8(value.raw()).ok()?.parse().ok());
                detail = value.word();
            }
            b"code" | b"status" | b"status_code" | b"http_status_code" | b"http_status" => {
                code = value.count().and_then(|n| u16::try_from(n).ok()).or(code);
            }
            _ => {}
        }
    }
    to.error(&lossy(kind), &lossy(detail), code);
}
