//! Our own recordings: each is named after what it is.
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a failure of the test"
)]
#![allow(missing_docs, reason = "a test")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use streamlag_replay::{Hint, body, case};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths
}

#[test]
fn each_body_is_read_as_the_family_in_its_name() {
    for path in fixtures() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "cases.jsonl" {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let line = body(name, bytes.as_slice(), Hint::default()).unwrap();
        let result: Value = serde_json::from_str(&line).unwrap();
        if name.starts_with("no-stream") {
            assert!(
                !result["error_class"].is_null() && result["ttft_ms"].is_null(),
                "{line}"
            );
            continue;
        }
        let family = name.split(['.', '-']).next();
        assert_eq!(result["dialect"].as_str(), family, "{name}: {line}");
        let text = result["answer"].as_str().unwrap();
        let generated = !text.is_empty() || name.contains("damage");
        assert!(generated, "{name}: {line}");
        let broken = ["overloaded", "cut", "throttled"];
        let whole = !broken.iter().any(|word| name.contains(word));
        assert_eq!(result["complete"], whole, "{name}: {line}");
    }
}

#[test]
fn each_case_can_be_replayed() {
    let path = fixtures()
        .into_iter()
        .find(|path| path.ends_with("cases.jsonl"));
    let cases = std::fs::read_to_string(path.unwrap()).unwrap();
    for line in cases.lines() {
        let result: Value = serde_json::from_str(&case(line).unwrap()).unwrap();
        let input: Value = serde_json::from_str(line).unwrap();
        assert_eq!(result["id"], input["id"]);
    }
}

#[test]
fn what_is_no_case_is_named() {
    for (line, said) in [
        ("{", "is no case: "),
        ("{}", "has no `id`"),
        (
            "{\"id\":\"a\",\"now_utc\":\"noon\"}",
            "`now_utc`: noon is no RFC 3339 time",
        ),
        (
            "{\"id\":\"a\",\"text\":\"\",\"bytes_base64\":\"\"}",
            "are both given",
        ),
        (
            "{\"id\":\"a\",\"text\":\"abc\",\"splits\":[9]}",
            "`splits`: 9 lies outside 0..3",
        ),
        (
            "{\"id\":\"a\",\"scenario\":[{\"t\":0,\"ev\":\"request\"},{\"t\":1,\"ev\":\"nap\"}]}",
            "step 1 (\"nap\"): `end_mode`: nap is no end that is known",
        ),
    ] {
        let error = case(line).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
