//! Bedrock's ConverseStream: binary messages named in their headers, or the same payloads wrapped in an
//! object of that one name. InvokeModel's `chunk` messages hold another dialect's event in base64.

use super::{Emitter, Verdict, usage};
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};
use crate::words::Word;

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    if frame.origin == Origin::Exception {
        exception(&lossy(frame.name), root, to);
        return Verdict::Event;
    }
    if event(frame.word(), root, to) {
        return Verdict::Event;
    }
    let mut members = root.members();
    let (Some((name, payload)), None) = (members.next(), members.next()) else {
        return Verdict::Foreign;
    };
    match name {
        Word::CamelThrottlingException
        | Word::CamelInternalServerException
        | Word::CamelModelStreamErrorException
        | Word::CamelModelTimeoutException
        | Word::CamelModelNotReadyException
        | Word::CamelServiceUnavailableException
        | Word::CamelValidationException => {
            exception(name.as_str(), payload, to);
            return Verdict::Event;
        }
        _ => {}
    }
    Verdict::known(payload.is_object() && event(name, payload, to))
}

fn event(name: Word, payload: Value<'_>, to: &mut Emitter<'_>) -> bool {
    let index = payload
        .get(Word::CamelContentBlockIndex)
        .count()
        .unwrap_or_default() as u32;
    match name {
        Word::CamelContentBlockDelta => {
            let delta = payload.get(Word::Delta);
            to.content(0, delta.get(Word::Text));
            to.reasoning(0, delta.get(Word::CamelReasoningContent).get(Word::Text));
            to.tool(
                0,
                index,
                payload.missing(),
                delta.get(Word::CamelToolUse).get(Word::Input),
            );
        }
        Word::CamelContentBlockStart => {
            let tool = payload.get(Word::Start).get(Word::CamelToolUse);
            to.tool(0, index, tool.get(Word::Name), payload.missing());
        }
        Word::CamelContentBlockStop => {}
        Word::CamelMessageStart => to.begin_message(),
        Word::CamelMessageStop => to.finish(0, payload.get(Word::CamelStopReason)),
        Word::Metadata => {
            let report = payload.get(Word::Usage);
            if !report.is_object() {
                return false;
            }
            to.usage(usage::read(report));
            to.server_timings(payload.get(Word::Metrics), &[Word::CamelLatencyMs], 1.0);
            to.end("metadata");
        }
        _ => return false,
    }
    true
}

fn exception(name: &str, payload: Value<'_>, to: &mut Emitter<'_>) {
    let code = payload.get(Word::CamelOriginalStatusCode).count();
    to.error(name, "", code.and_then(|n| u16::try_from(n).ok()));
}

/// What an InvokeModel `chunk` holds: the event of the model's own dialect.
pub(super) fn inner(frame: &Frame<'_>, root: Value<'_>) -> Option<Vec<u8>> {
    let chunk = if frame.name == b"chunk" {
        root
    } else if frame.data.starts_with(b"{\"chunk\"") {
        root.get(Word::Chunk)
    } else {
        return None;
    };
    base64(chunk.get(Word::Bytes).bytes())
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.iter().take_while(|b| **b != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Some(out)
}
