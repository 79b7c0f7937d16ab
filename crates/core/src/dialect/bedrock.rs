//! Bedrock's ConverseStream: binary messages named in their headers, or the same payloads wrapped in an
//! object of that one name. InvokeModel's `chunk` messages hold another dialect's event in base64.

use super::{Emitter, Verdict, usage};
use crate::framing::{Frame, Origin};
use crate::json::{Value, lossy};

pub(super) fn read(frame: &Frame<'_>, root: Value<'_>, to: &mut Emitter<'_>) -> Verdict {
    if frame.origin == Origin::Exception {
        exception(frame.name, root, to);
        return Verdict::Event;
    }
    if event(frame.name, root, to) {
        return Verdict::Event;
    }
    let mut members = root.members();
    let (Some((name, payload)), None) = (members.next(), members.next()) else {
        return Verdict::Foreign;
    };
    if name.ends_with(b"Exception") {
        exception(name, payload, to);
        return Verdict::Event;
    }
    Verdict::known(payload.is_object() && event(name, payload, to))
}

fn event(name: &[u8], payload: Value<'_>, to: &mut Emitter<'_>) -> bool {
    let index = payload.get("contentBlockIndex").count().unwrap_or_default() as u32;
    match name {
        b"contentBlockDelta" => {
            let delta = payload.get("delta");
            to.content(0, delta.get("text"));
            to.reasoning(0, delta.get("reasoningContent").get("text"));
            to.tool(
                0,
                index,
                payload.missing(),
                delta.get("toolUse").get("input"),
            );
        }
        b"contentBlockStart" => {
            let tool = payload.get("start").get("toolUse");
            to.tool(0, index, tool.get("name"), payload.missing());
        }
        b"contentBlockStop" => {}
        b"messageStart" => to.begin_message(),
        b"messageStop" => to.finish(0, payload.get("stopReason")),
        b"metadata" => {
            let report = payload.get("usage");
            if !report.is_object() {
                return false;
            }
            to.usage(usage::read(report));
            to.server_timing("latencyMs", payload.get("metrics").get("latencyMs"), 1.0);
            to.end("metadata");
        }
        _ => return false,
    }
    true
}

fn exception(name: &[u8], payload: Value<'_>, to: &mut Emitter<'_>) {
    let code = payload.get("originalStatusCode").count();
    to.error(&lossy(name), "", code.and_then(|n| u16::try_from(n).ok()));
}

/// What an InvokeModel `chunk` holds: the event of the model's own dialect.
pub(super) fn inner(frame: &Frame<'_>, root: Value<'_>) -> Option<Vec<u8>> {
    let chunk = if frame.name == b"chunk" {
        root
    } else if frame.data.starts_with(b"{\"chunk\"") {
        root.get("chunk")
    } else {
        return None;
    };
    base64(chunk.get("bytes").word())
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
