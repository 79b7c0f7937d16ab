//! What the fuzzer starts from: bodies as they occur, in the form in which a target takes its input.

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use harness::place::Place;
use serde_json::Value;
use std::fs;
use std::path::Path;

use super::Target;
use crate::wasm::files;

/// Our own bodies and cases, and those beside the checkout, where there are any.
const FOLDERS: [&str; 3] = [
    "crates/mock/tests/fixtures",
    "crates/replay/fixtures",
    "../shared/streams",
];
/// Bytes of a body that are kept: a fuzzer learns more from many short inputs.
const LONGEST: usize = 4000;

/// Writes them into the target's corpus and gives their number.
///
/// # Errors
/// When a file cannot be read or written.
pub(super) fn write(place: &Place, target: Target, name: &str) -> Result<usize> {
    let corpus = place.root().join("tests/fuzz/corpus").join(name);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot write {}", corpus.display()))?;
    let mut count = 0;
    for folder in FOLDERS.map(|folder| place.root().join(folder)) {
        if !folder.is_dir() {
            continue;
        }
        for path in files(&folder, |_| true)? {
            for body in bodies(&path)? {
                let body = body.get(..LONGEST).unwrap_or(&body);
                if let Some(input) = input(target, body) {
                    fs::write(corpus.join(format!("seed-{count:03}")), input)?;
                    count += 1;
                }
            }
        }
    }
    Ok(count)
}

/// The bodies in a file: of each case where it holds cases, else the file itself.
fn bodies(path: &Path) -> Result<Vec<Vec<u8>>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let ending = path.extension().and_then(|ending| ending.to_str());
    Ok(match ending {
        Some("sse" | "ndjson" | "json" | "bin") => vec![bytes],
        Some("jsonl") => String::from_utf8_lossy(&bytes)
            .lines()
            .filter_map(of_case)
            .collect(),
        _ => Vec::new(),
    })
}

fn of_case(line: &str) -> Option<Vec<u8>> {
    let case: Value = serde_json::from_str(line).ok()?;
    match (case["text"].as_str(), case["bytes_base64"].as_str()) {
        (Some(text), _) => Some(text.as_bytes().to_vec()),
        (_, Some(encoded)) => STANDARD.decode(encoded).ok(),
        _ => None,
    }
}

/// A body as a target's input; `None` where it is of another framing.
fn input(target: Target, body: &[u8]) -> Option<Vec<u8>> {
    if target == Target::Probe {
        return Some(told(body));
    }
    let first = body.trim_ascii_start().first().copied();
    let fits = match target {
        Target::AwsEventstream => first == Some(0),
        Target::JsonArray => matches!(first, Some(b'[' | b'{')),
        Target::Ndjson => first == Some(b'{'),
        Target::Sse | Target::Probe => !matches!(first, Some(0 | b'[' | b'{')),
    };
    // The dialect is detected; reads of 7 and of 13 bytes.
    fits.then(|| [&[0, 7, 13], body].concat())
}

/// A request, its headers, the body in reads, its end; some time between each.
fn told(body: &[u8]) -> Vec<u8> {
    const STEP: u8 = 20;
    let mut input = vec![1, STEP, 0, 2, STEP, 0];
    for read in body.chunks(255) {
        input.extend([18, STEP, read.len() as u8]);
        input.extend(read);
    }
    input.extend([4, STEP, 0]);
    input
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_goes_to_the_target_of_its_framing() {
        for (body, target, fits) in [
            (&b"data: x\n\n"[..], Target::Sse, true),
            (b"data: x\n\n", Target::Ndjson, false),
            (b" {\"a\":1}\n", Target::Ndjson, true),
            (b"[{}]", Target::JsonArray, true),
            (b"\0\0\0\x10", Target::AwsEventstream, true),
            (b"{}", Target::AwsEventstream, false),
        ] {
            assert_eq!(input(target, body).is_some(), fits, "{body:?}");
        }
        assert_eq!(input(Target::Sse, b"data").unwrap(), b"\0\x07\x0ddata");
    }

    #[test]
    fn a_probe_is_told_all_of_a_body() {
        let body = [b'x'; 300];
        assert_eq!(told(&body).len(), 6 + 3 + 255 + 3 + 45 + 3);
    }
}
