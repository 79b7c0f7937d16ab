//! Plain text in SSE data, as Replicate sends it: no JSON, so every blank and line feed is content.

use super::Emitter;
use crate::delta::EventKinds;
use crate::framing::Frame;
use crate::json::Json;
use crate::scan::trim;

/// Reads one event; false if its name is none of this dialect's.
pub(super) fn read(frame: &Frame<'_>, to: &mut Emitter<'_>) -> bool {
    match frame.name {
        b"" | b"message" if trim(frame.data) == b"[DONE]" => to.end("[DONE]"),
        b"output" | b"" | b"message" => to.plain_content(frame.data),
        b"error" => to.error("", "", None),
        b"logs" => {}
        b"done" => {
            done(frame.data, to);
            to.end("done");
        }
        _ => return false,
    }
    if to.kinds.is_none() {
        to.mark(EventKinds::EMPTY);
    }
    true
}

/// `{}`, or a reason why it is done too early.
fn done(data: &[u8], to: &mut Emitter<'_>) {
    let mut json = Json::default();
    let Some(doc) = json.read(data) else {
        return;
    };
    let reason = doc.root().get("reason");
    to.finish(0, reason);
    if !to.state.has_failed && reason.word() == b"error" {
        to.error("", "", None);
    }
}
