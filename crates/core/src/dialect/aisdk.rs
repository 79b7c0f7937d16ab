//! The AI SDK's UI message stream, version 1.

use super::{Emitter, Verdict};
use crate::framing::Frame;
use crate::json::Value;
use crate::words::Word;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let nothing = root.missing();
    match root.get(Word::Type).word() {
        Word::DashTextDelta => to.content(0, root.get(Word::Delta)),
        Word::DashReasoningDelta => to.reasoning(0, root.get(Word::Delta)),
        Word::DashToolInputStart => {
            let (index, _) = to
                .state
                .call(root.get(Word::CamelToolCallId).bytes(), false);
            to.tool(0, index, root.get(Word::CamelToolName), nothing);
        }
        Word::DashToolInputDelta => {
            let piece = root.get(Word::CamelInputTextDelta);
            let id = root.get(Word::CamelToolCallId).bytes();
            let (index, _) = to.state.call(id, piece.has_text());
            to.tool(0, index, nothing, piece);
        }
        // Repeats the input as a whole; new only where it did not come in pieces.
        Word::DashToolInputAvailable => {
            let (index, has_input) = to.state.call(root.get(Word::CamelToolCallId).bytes(), true);
            if !has_input {
                to.tool(
                    0,
                    index,
                    root.get(Word::CamelToolName),
                    root.get(Word::Input),
                );
            }
        }
        Word::DashStartStep => to.checkpoint(),
        Word::DashResetStep => to.restart(),
        Word::Finish => {
            to.finish(0, root.get(Word::CamelFinishReason));
            to.end("finish");
        }
        Word::Error if root.get(Word::CamelErrorText).is_some() => to.error("", "", None),
        Word::Abort => to.error("abort", "", None),
        Word::Start
        | Word::DashFinishStep
        | Word::DashTextStart
        | Word::DashTextEnd
        | Word::DashReasoningStart
        | Word::DashReasoningEnd
        | Word::File
        | Word::DashReasoningFile
        | Word::Custom
        | Word::DashMessageMetadata => {}
        // The other families' kinds begin alike, but theirs are all known words.
        Word::Other => {
            let kind = root.get(Word::Type).bytes();
            let families: [&[u8]; 3] = [b"tool-", b"source-", b"data-"];
            return Verdict::known(families.iter().any(|family| kind.starts_with(family)));
        }
        _ => return Verdict::Foreign,
    }
    Verdict::Event
}
