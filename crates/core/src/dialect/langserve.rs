//! LangServe and LangGraph: the SSE event's name says what the data is; messages may come as pieces or as
//! snapshots of all that was said so far.

use super::{Emitter, Verdict};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    // A subgraph's events have its name behind theirs.
    let name = frame.name.split(|byte| *byte == b'|').next();
    match name.map_or(Word::Other, Word::of) {
        Word::MessagesPartial | Word::MessagesComplete => {
            for message in root.items().filter(|message| is_answer(*message)) {
                to.snapshot(message.get(Word::Id).bytes(), message.get(Word::Content));
            }
        }
        // A piece and what it belongs to.
        Word::Messages => {
            let piece = root.items().next().unwrap_or(root);
            if !is_answer(piece) {
                return Verdict::known(piece.get(Word::Type).is_string());
            }
            read_piece(piece, to);
        }
        Word::Data if root.is_string() => to.content(0, root),
        Word::Data if is_answer(root) => read_piece(root, to),
        Word::End => to.end("end"),
        Word::Metadata
        | Word::MessagesMetadata
        | Word::Values
        | Word::Updates
        | Word::Events
        | Word::Debug
        | Word::Custom
        | Word::Tasks
        | Word::Checkpoints
        | Word::Feedback => {}
        _ => return Verdict::Foreign,
    }
    Verdict::Event
}

fn is_answer(message: Value<'_>) -> bool {
    matches!(
        message.get(Word::Type).word(),
        Word::Ai | Word::CamelAIMessageChunk | Word::AIMessage
    )
}

fn read_piece(piece: Value<'_>, to: &mut Emitter<'_>) {
    let whole = piece.get(Word::Type).word() != Word::CamelAIMessageChunk;
    if whole && to.state.said.text {
        return;
    }
    super::openai::text_or_parts(0, piece.get(Word::Content), to);
    let extra = piece.get(Word::AdditionalKwargs);
    to.reasoning(0, extra.get(Word::ReasoningContent));
    for call in piece.get(Word::ToolCallChunks).items() {
        let index = call.get(Word::Index).count().unwrap_or_default() as u32;
        to.tool(0, index, call.get(Word::Name), call.get(Word::Args));
    }
}
