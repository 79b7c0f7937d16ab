//! Cases by the kind of fault that they would show, each with its right answer.
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a failure of the test"
)]
#![allow(missing_docs, reason = "a test")]

use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use streamlag_replay::case;

/// Expected times are written in whole or half milliseconds.
const TOLERANCE_MS: f64 = 0.51;

#[test]
fn every_case_of_every_kind_has_its_right_answer() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files() {
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let input: Value = serde_json::from_str(line).unwrap();
            let result: Value = serde_json::from_str(&case(line).unwrap()).unwrap();
            count += 1;
            for difference in differences(input["expect"].as_object().unwrap(), &result) {
                wrong.push(format!("{}: {difference}", input["id"]));
            }
        }
    }
    assert!(count >= 500, "only {count} cases are left");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_wrong_answer_is_seen() {
    let line = r#"{"id":"x","text":"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n","at_ms":[40]}"#;
    let result: Value = serde_json::from_str(&case(line).unwrap()).unwrap();
    for (expect, differ) in [
        (r#"{"answer":"a","ttft_ms":40,"seq":["empty|content"]}"#, 0),
        (r#"{"answer":"b","ttft_ms":41,"seq":["empty"]}"#, 3),
        (r#"{"complete":true,"tpot_ms":1,"flags":["hidden"]}"#, 3),
        (
            r#"{"kinds":{"content":2},"finish":"stop","gaps_ms":[0]}"#,
            3,
        ),
        (r#"{"flags_not":["no_wall_clock"],"usage":{"in":1}}"#, 2),
    ] {
        let expect: Value = serde_json::from_str(expect).unwrap();
        let found = differences(expect.as_object().unwrap(), &result);
        assert_eq!(found.len(), differ, "{found:?}");
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kinds");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn differences(expect: &Map<String, Value>, result: &Value) -> Vec<String> {
    let differs = |(key, want): (&String, &Value)| {
        let got = result.get(key).unwrap_or(&Value::Null);
        let right = match key.as_str() {
            "flags" => strings(want).all(|flag| strings(got).any(|other| other == flag)),
            "flags_not" => {
                let flags = &result["flags"];
                strings(want).all(|flag| strings(flags).all(|other| other != flag))
            }
            "seq" => alike(want, got, &|want, got| {
                want.split('|').any(|kind| kind == got)
            }),
            "no_negative" => !negative(result),
            "min_gap_not_zero" => !numbers(&result["gaps_ms"]).any(|gap| gap == 0.0),
            "max_tps_finite" => numbers(&result["tps"]).all(|rate| rate < 1e9),
            _ => alike(want, got, &|want, got| want == got),
        };
        (!right).then(|| format!("{key} is {got} and not {want}"))
    };
    expect.iter().filter_map(differs).collect()
}

/// Whether `got` is what was wanted: numbers nearly, objects as far as they are given.
fn alike(want: &Value, got: &Value, text: &dyn Fn(&str, &str) -> bool) -> bool {
    match (want, got) {
        (Value::String(want), Value::String(got)) => text(want, got),
        (Value::Number(want), Value::Number(got)) => {
            let apart = want.as_f64().unwrap() - got.as_f64().unwrap();
            apart.abs() <= TOLERANCE_MS
        }
        (Value::Array(want), Value::Array(got)) => {
            let same = |(want, got)| alike(want, got, text);
            want.len() == got.len() && want.iter().zip(got).all(same)
        }
        (Value::Object(want), Value::Object(_)) => want
            .iter()
            .all(|(key, want)| alike(want, got.get(key).unwrap_or(&Value::Null), text)),
        _ => want == got,
    }
}

fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The numbers of a value, or of a list of them.
fn numbers(value: &Value) -> impl Iterator<Item = f64> {
    let one = value.as_f64();
    let list = value.as_array().into_iter().flatten();
    one.into_iter().chain(list.filter_map(Value::as_f64))
}

fn negative(result: &Value) -> bool {
    let fields = result.as_object().unwrap().values();
    fields.flat_map(numbers).any(|number| number < 0.0)
}
