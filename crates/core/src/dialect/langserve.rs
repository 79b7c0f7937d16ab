//! LangServe and LangGraph: the SSE event's name says what the data is; messages may come as pieces or as
//! snapshots of all that was said so far.

use super::{Emitter, Verdict};
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    match frame.name {
        b"messages/partial" | b"messages/complete" => {
            for message in root.items().filter(|message| is_answer(*message)) {
                to.snapshot(message.get("id").word(), message.get("content"));
            }
        }
        // A piece and what it belongs to.
        b"messages" => {
            let piece = root.items().next().unwrap_or(root);
            if !is_answer(piece) {
                return Verdict::known(piece.get("type").is_string());
            }
            read_piece(piece, to);
        }
        b"data" if root.is_string() => to.content(0, root),
        b"data" if is_answer(root) => read_piece(root, to),
        b"end" => to.end("end"),
        b"metadata" | b"messages/metadata" | b"values" | b"updates" | b"events" | b"debug"
        | b"custom" | b"tasks" | b"checkpoints" | b"feedback" => {}
        _ => return Verdict::Foreign,
    }
    Verdict::Event
}

fn is_answer(message: Value<'_>) -> bool {
    matches!(
        message.get("type").word(),
        b"ai" | b"AIMessageChunk" | b"AIMessage"
    )
}

fn read_piece(piece: Value<'_>, to: &mut Emitter<'_>) {
    let whole = piece.get("type").word() != b"AIMessageChunk";
    if whole && to.state.has_text {
        return;
    }
    super::openai::text_or_parts(0, piece.get("content"), to);
    let extra = piece.get("additional_kwargs");
    to.reasoning(0, extra.get("reasoning_content"));
    for call in piece.get("tool_call_chunks").items() {
        let index = call.get("index").count().unwrap_or_default() as u32;
        to.tool(0, index, call.get("name"), call.get("args"));
    }
}
