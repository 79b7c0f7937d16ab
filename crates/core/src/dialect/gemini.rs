//! Gemini and Vertex AI, as SSE or as one JSON array.

use super::{Emitter, Verdict, error};
use crate::delta::Usage;
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    // Code Assist wraps each event.
    let inner = root.get("response");
    let root = if inner.is_object() { inner } else { root };
    let candidates = root.get("candidates");
    let feedback = root.get("promptFeedback");
    let metadata = root.get("usageMetadata");
    if !candidates.is_array() && !feedback.is_object() && !metadata.is_object() {
        return Verdict::Foreign;
    }
    let mut finished = false;
    for (at, candidate) in candidates.items().enumerate() {
        let choice = candidate
            .get("index")
            .count()
            .map_or(at as u32, |n| n as u32);
        for part in candidate.get("content").get("parts").items() {
            read_part(choice, part, to);
        }
        let reason = candidate.get("finishReason");
        finished |= reason.is_some();
        to.finish(choice, reason);
    }
    let failure = root.get("error");
    let blocked = feedback.get("blockReason");
    if failure.is_some() {
        error::report(root, failure, to);
    } else if blocked.is_some() {
        to.error("content_filter", &lossy(blocked.raw()), None);
    }
    usage(metadata, to);
    // A streamed answer is at least announced as one or comes in an array.
    let bare = matches!(frame.origin, Origin::First | Origin::Whole);
    if bare && finished {
        Verdict::Whole
    } else {
        Verdict::Event
    }
}

fn read_part(choice: u32, part: Value<'_>, to: &mut Emitter<'_>) {
    let text = part.get("text");
    if part.get("thought").is_true() {
        to.reasoning(choice, text);
    } else {
        to.content(choice, text);
    }
    let call = part.get("functionCall");
    if call.is_object() {
        to.whole_tool(choice, call.get("name"), call.get("args"));
    }
}

fn usage(metadata: Value<'_>, to: &mut Emitter<'_>) {
    let count = |name| metadata.get(name).count();
    let (answer, thoughts) = (count("candidatesTokenCount"), count("thoughtsTokenCount"));
    to.usage(Usage {
        input: count("promptTokenCount"),
        // The candidates' count leaves the thoughts out.
        output: match (answer, thoughts) {
            (None, None) => None,
            (answer, thoughts) => answer.unwrap_or(0).checked_add(thoughts.unwrap_or(0)),
        },
        reasoning: thoughts,
        cached: count("cachedContentTokenCount"),
        total: count("totalTokenCount"),
        provisional: false,
    });
}
