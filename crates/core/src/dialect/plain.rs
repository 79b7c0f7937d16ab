//! Plain text in SSE data, as Replicate sends it: no JSON, so every blank and line feed is content.

use super::Emitter;
use crate::delta::EventKinds;
use crate::framing::Frame;
use crate::json::Json;
use crate::scan::trim;
use crate::words::Word;

/// Reads one event; false if its name is none of this dialect's.
pub(super) fn read(frame: &Frame<'_>, to: &mut Emitter<'_>) -> bool {
    match frame.word() {
        Word::Output => to.plain_content(frame.data),
        Word::Error => to.error("", "", None),
        Word::Logs => {}
        Word::Done => {
            done(frame.data, to);
            to.end("done");
        }
        Word::Message => unnamed(frame.data, to),
        _ if frame.name.is_empty() => unnamed(frame.data, to),
        _ => return false,
    }
    if to.kinds.is_none() {
        to.mark(EventKinds::EMPTY);
    }
    true
}

fn unnamed(data: &[u8], to: &mut Emitter<'_>) {
    if trim(data) == b"[DONE]" {
        to.end("[DONE]");
    } else {
        to.plain_content(data);
    }
}

/// `{}`, or a reason why it is done too early.
fn done(data: &[u8], to: &mut Emitter<'_>) {
    let mut json = Json::default();
    let Some(doc) = json.read(data) else {
        return;
    };
    let reason = doc.root().get(Word::Reason);
    to.finish(0, reason);
    if !to.state.has_failed && reason.word() == Word::Error {
        to.error("", "", None);
    }
}
