//! The AI SDK's UI message stream, version 1.

use super::{Emitter, Verdict};
use crate::framing::Frame;
use crate::json::Value;

pub(super) fn read(_: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    let nothing = root.missing();
    match root.get("type").word() {
        b"text-delta" => to.content(0, root.get("delta")),
        b"reasoning-delta" => to.reasoning(0, root.get("delta")),
        b"tool-input-start" => {
            let (index, _) = to.state.call(root.get("toolCallId").word(), false);
            to.tool(0, index, root.get("toolName"), nothing);
        }
        b"tool-input-delta" => {
            let (index, _) = to.state.call(root.get("toolCallId").word(), true);
            to.tool(0, index, nothing, root.get("inputTextDelta"));
        }
        // Repeats the input as a whole; new only where it did not come in pieces.
        b"tool-input-available" => {
            let (index, has_input) = to.state.call(root.get("toolCallId").word(), true);
            if !has_input {
                to.tool(0, index, root.get("toolName"), root.get("input"));
            }
        }
        b"start-step" => to.checkpoint(),
        b"reset-step" => to.restart(),
        b"finish" => {
            to.finish(0, root.get("finishReason"));
            to.end("finish");
        }
        b"error" if root.get("errorText").is_some() => to.error("", "", None),
        b"abort" => to.error("abort", "", None),
        b"start" | b"finish-step" | b"text-start" | b"text-end" | b"reasoning-start"
        | b"reasoning-end" | b"file" | b"reasoning-file" | b"custom" | b"message-metadata" => {}
        other => {
            let families: [&[u8]; 3] = [b"tool-", b"source-", b"data-"];
            return Verdict::known(
                families.iter().any(|family| other.starts_with(family))
                    && !other.starts_with(b"tool-call-")
                    && !other.starts_with(b"tool-plan-"),
            );
        }
    }
    Verdict::Event
}
