//! `streamlag replay`, run as a user runs it.

mod input;
mod kinds;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// A folder of its own under the target directory, emptied.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target directory is writable");
    folder
}

fn streamlag(args: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_streamlag"))
        .arg("replay")
        .args(args)
        .output()
        .expect("the binary runs")
}

fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect()
}

/// What a case comes to.
fn replay(name: &str, case: &Value) -> Value {
    let mut case = case.clone();
    case["id"] = json!(name);
    let file = folder(&format!("case-{name}")).join("cases.jsonl");
    std::fs::write(&file, format!("{case}\n")).expect("the case is written");
    let output = streamlag(&[Path::new("--cases"), &file]);
    assert!(output.status.success(), "{output:?}");
    lines(&output).pop().expect("one result")
}

/// Replays a case and compares every field that is expected; flags are a part of those found.
fn check(name: &str, case: &Value, expect: &Value) {
    let got = replay(name, case);
    for (key, want) in expect.as_object().expect("expectations are fields") {
        let found = got.get(key).unwrap_or(&Value::Null);
        let same = match (key.as_str(), want, found) {
            ("flags", Value::Array(want), Value::Array(found)) => {
                want.iter().all(|flag| found.contains(flag))
            }
            ("no_flags", Value::Array(not), _) => {
                let found = got["flags"].as_array().expect("flags are a list");
                !not.iter().any(|flag| found.contains(flag))
            }
            (_, Value::Number(want), Value::Number(found)) => {
                let (want, found) = (want.as_f64(), found.as_f64());
                want.zip(found).is_some_and(|(a, b)| (a - b).abs() < 1e-6)
            }
            _ => *want == *found || numbers(want).is_some_and(|want| Some(want) == numbers(found)),
        };
        assert!(same, "{name}: {key} should be {want}, is {found}\n{got}");
    }
}

/// A list of numbers and nulls, whole or not.
fn numbers(value: &Value) -> Option<Vec<Option<f64>>> {
    let list = value.as_array()?;
    let number = |value: &Value| (value.is_null() || value.is_number()).then(|| value.as_f64());
    list.iter().map(number).collect()
}

fn chunk(delta: &str, finish: &str) -> String {
    format!(
        "data: {{\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":0,\"delta\":{{{delta}}},\"finish_reason\":{finish}}}]}}\n\n"
    )
}

fn text(text: &str) -> String {
    chunk(&format!("\"content\":\"{text}\""), "null")
}

fn end() -> String {
    chunk("", "\"stop\"") + "data: [DONE]\n\n"
}

/// A case of these reads, the clock saying this as each is delivered.
fn timed(reads: &[(f64, String)]) -> Value {
    let mut offset = 0;
    let mut splits: Vec<_> = reads
        .iter()
        .map(|(_, body)| {
            offset += body.len();
            offset
        })
        .collect();
    splits.pop();
    json!({
        "fmt": "openai",
        "framing": "sse",
        "text": reads.iter().map(|(_, body)| body.as_str()).collect::<String>(),
        "splits": splits,
        "at_ms": reads.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
    })
}

/// The same case with more fields.
fn with(mut case: Value, more: &Value) -> Value {
    for (key, value) in more.as_object().expect("fields") {
        case[key] = value.clone();
    }
    case
}
