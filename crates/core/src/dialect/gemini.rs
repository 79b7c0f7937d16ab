//! Gemini and Vertex AI, as SSE or as one JSON array.

use super::{Emitter, Verdict, error};
use crate::delta::Usage;
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};
use crate::words::Word;

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    // Code Assist wraps each event.
    let inner = root.get(Word::Response);
    let root = if inner.is_object() { inner } else { root };
    let candidates = root.get(Word::Candidates);
    let feedback = root.get(Word::CamelPromptFeedback);
    let metadata = root.get(Word::CamelUsageMetadata);
    if !candidates.is_array() && !feedback.is_object() && !metadata.is_object() {
        return Verdict::Foreign;
    }
    let mut finished = false;
    for (at, candidate) in candidates.items().enumerate() {
        let choice = candidate
            .get(Word::Index)
            .count()
            .map_or(at as u32, |n| n as u32);
        for part in candidate.get(Word::Content).get(Word::Parts).items() {
            read_part(choice, part, to);
        }
        let reason = candidate.get(Word::CamelFinishReason);
        if is_told(reason) {
            finished = true;
            to.finish(choice, reason);
            if reason.count().is_some_and(is_filter) {
                to.error_aside("content_filter");
            }
        }
    }
    let failure = root.get(Word::Error);
    let blocked = feedback.get(Word::CamelBlockReason);
    if error::is_told(failure) {
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

/// Null and FINISH_REASON_UNSPECIFIED are no reason.
fn is_told(reason: Value<'_>) -> bool {
    reason.is_some() && reason.count() != Some(0) && reason.bytes() != b"FINISH_REASON_UNSPECIFIED"
}

/// Reasons that are written as numbers and are a filter's in both of Google's APIs.
const fn is_filter(reason: u64) -> bool {
    matches!(reason, 3 | 4 | 7 | 8)
}

fn read_part(choice: u32, part: Value<'_>, to: &mut Emitter<'_>) {
    let text = part.get(Word::Text);
    if part.get(Word::Thought).is_true() {
        to.reasoning(choice, text);
    } else {
        to.content(choice, text);
    }
    let call = part.get(Word::CamelFunctionCall);
    if call.get(Word::Name).has_text() {
        to.whole_tool(choice, call.get(Word::Name), call.get(Word::Args));
    }
    // Arguments in pieces: a name, then its values, then an empty call.
    for piece in call.get(Word::CamelPartialArgs).items() {
        to.more_of_whole_tool(choice, piece.get(Word::CamelStringValue));
    }
}

fn usage(metadata: Value<'_>, to: &mut Emitter<'_>) {
    let count = |name| metadata.get(name).count();
    let (answer, thoughts) = (
        count(Word::CamelCandidatesTokenCount),
        count(Word::CamelThoughtsTokenCount),
    );
    to.usage(Usage {
        input: count(Word::CamelPromptTokenCount),
        // The candidates' count leaves the thoughts out.
        output: match (answer, thoughts) {
            (None, None) => None,
            (answer, thoughts) => answer.unwrap_or(0).checked_add(thoughts.unwrap_or(0)),
        },
        reasoning: thoughts,
        cached: count(Word::CamelCachedContentTokenCount),
        total: count(Word::CamelTotalTokenCount),
        provisional: false,
    });
}
