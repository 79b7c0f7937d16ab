//! The shape of a record in JSON: what may be left out, what is written all the same, what is refused.

use serde_json::{Value, json};
use streamlag_wire::validate::{self, Invalid};
use streamlag_wire::{Record, Sketches};

const NOW: f64 = 1_790_000_000_000.0;

/// A record of an answer in three reads, as somebody without our code may write it.
fn posted() -> Value {
    json!({
        "schema": 1, "id": "0123456789abcdef0123456789abcdef", "vantage": "browser",
        "target": { "id": "t" }, "agent": "a/1", "started_at_ms": NOW, "outcome": "ok", "complete": true,
        "clock": { "name": "performance.now", "step_ms": 0.1 }, "timing": { "wait_ms": 0, "ttft_ms": 5 },
        // 1000 µs, not known, 16 µs later
        "chunks": { "after_us": "w+B.gB", "bytes": "CEG", "events": "ACC", "generated": "011" },
        "gaps": { "longest": {
            "at_us": "Cw+B", "gap_us": "gBC", "read": "CE", "event": "AC",
            "cause": { "words": ["upstream", "hidden"], "each": "AC" } } },
        "sketches": {
            "of": ["gaps", "somebody_elses"], "n": [3, 0], "sum_ms": [0.002, null], "min_ms": [0.001, null],
            "max_ms": [0.001, null], "p50_ms": [null, null], "p95_ms": [null, null], "p99_ms": [null, null],
            "relative_error": [0.01, 0.01], "level": [0, 0], "bins": ["8VE", ""] },
        "attempts": {
            "sent_us": "Aw+B", "ttft_us": ".C", "end_us": "C.", "status": "6aw+B",
            "error_class": { "words": ["rate_limited"], "each": "A." } },
        "attempts_seen": 2,
    })
}

fn read(value: Value) -> Result<Record, Invalid> {
    validate::record(value, NOW)
}

#[test]
fn columns_are_read_as_rows() {
    let record = read(posted()).unwrap();
    let at: Vec<_> = record.chunks.iter().map(|chunk| chunk.at_ms).collect();
    assert_eq!(at, [Some(1.0), None, Some(1.016)]);
    let rest: Vec<_> = record
        .chunks
        .iter()
        .map(|c| (c.bytes, c.events, c.generated))
        .collect();
    assert_eq!(rest, [(1, 0, false), (2, 1, true), (3, 1, true)]);
    let longest: Vec<_> = record
        .gaps
        .longest
        .iter()
        .map(|g| (g.at_ms, g.gap_ms, g.read, g.event, g.cause.as_str()))
        .collect();
    assert_eq!(
        longest,
        [
            (0.001, 0.016, 1, 0, "upstream"),
            (1.0, 0.001, 2, 1, "hidden")
        ]
    );
    let [first, second] = &record.attempts[..] else {
        panic!("two attempts")
    };
    assert_eq!(
        (first.sent_ms, first.ttft_ms, first.end_ms),
        (Some(0.0), None, Some(0.001))
    );
    assert_eq!(
        (first.status, first.error_class.as_deref()),
        (Some(429), Some("rate_limited"))
    );
    assert_eq!(
        (second.end_ms, second.status, second.error_class.as_deref()),
        (None, Some(1000), None)
    );
    let gaps = record.sketches.gaps.unwrap().to_sketch().unwrap();
    assert_eq!((gaps.count(), gaps.bins()), (3, &[(350, 2)][..]));
}

#[test]
fn what_was_not_observed_is_left_out_and_a_measured_zero_is_not() {
    let mut record = read(posted()).unwrap();
    record.timing.ttft_ms = None;
    let text = record.to_json().expect("it is JSON");
    let value: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(value["timing"], json!({ "wait_ms": 0 }));
    assert_eq!(value["counts"]["reads"], 0);
    assert_eq!(value["gaps"]["stall_ms"], 0);
    assert_eq!(value["http"]["retry_after_known"], false);
    assert_eq!(value["http"].get("status"), None);
    assert!(!text.contains("null,\"") && !text.contains(".0,"), "{text}");
    let again = read(value).unwrap();
    assert_eq!(again, record);
    // Null reads as left out.
    let mut with_null = posted();
    with_null["timing"]["ttft_ms"] = Value::Null;
    with_null["http"] = json!({ "status": null });
    assert_eq!(read(with_null).unwrap().timing, record.timing);
}

#[test]
fn an_entry_of_server_timing_without_a_duration_stays() {
    let mut value = posted();
    value["http"] = json!({ "server_timing": { "cache": null, "db": 0.0 } });
    let mut record = read(value).unwrap();
    let text: Value = serde_json::from_str(&record.to_json().expect("it is JSON")).unwrap();
    assert_eq!(
        text["http"]["server_timing"],
        json!({ "cache": null, "db": 0 })
    );
}

#[test]
fn lists_may_be_left_out() {
    let mut value = posted();
    for list in ["chunks", "gaps", "sketches", "attempts"] {
        value.as_object_mut().unwrap().remove(list);
    }
    let record = read(value).unwrap();
    assert!(
        record.chunks.is_empty() && record.gaps.longest.is_empty() && record.attempts.is_empty()
    );
    assert_eq!(record.sketches, Sketches::default());
}

/// Where the change is made, what to, and which words the refusal has.
#[test]
fn bad_columns_are_refused_with_what_where_and_what_to_do() {
    let many = "C".repeat(33);
    for (at, to, field, words) in [
        (
            "/chunks/bytes",
            json!("CE"),
            "chunks",
            "the column bytes has 2 entries and after_us has 3: give every column one a row",
        ),
        (
            "/chunks/bytes",
            json!("CED"),
            "chunks",
            "the column bytes has the number -1, which is negative",
        ),
        (
            "/chunks/bytes",
            json!("CE."),
            "chunks",
            "every row needs a number",
        ),
        (
            "/chunks/bytes",
            json!("C E"),
            "chunks",
            "has ' ' where a digit of base64 VLQ is due (A-Z a-z 0-9 + /)",
        ),
        (
            "/chunks/bytes",
            json!("CEg"),
            "chunks",
            "ends in the middle of a number",
        ),
        (
            "/chunks/bytes",
            json!("CE/////////////"),
            "chunks",
            "too large",
        ),
        ("/chunks/bytes", json!("CEggggggI"), "chunks", "too large"),
        (
            "/chunks/bytes",
            json!([1, 2, 3]),
            "chunks.bytes",
            "expected a string",
        ),
        (
            "/chunks/events",
            json!("CEggggC"),
            "chunks",
            "the column events has the number",
        ),
        (
            "/chunks/after_us",
            json!("CDC"),
            "chunks",
            "the column after_us has the number -1, which is negative",
        ),
        (
            "/chunks/generated",
            json!("01x"),
            "chunks",
            "'x': write 1 for a read with generated text, else 0",
        ),
        (
            "/chunks/generated",
            json!("01"),
            "chunks",
            "the column generated has 2 entries",
        ),
        (
            "/gaps/longest/gap_us",
            json!("D"),
            "gaps.longest",
            "gap_us has the number -1",
        ),
        (
            "/gaps/longest/read",
            json!("C"),
            "gaps.longest",
            "the column read has 1 entries",
        ),
        (
            "/gaps/longest/cause/each",
            json!("AE"),
            "gaps.longest",
            "cause.each names word 2, and cause.words has 2: count from 0",
        ),
        (
            "/gaps/longest/cause/each",
            json!("A."),
            "gaps.longest",
            "upstream where nothing else explains it",
        ),
        (
            "/attempts/status",
            json!("6aggggC"),
            "attempts",
            "the column status has the number",
        ),
        (
            "/attempts/end_us",
            json!("C"),
            "attempts",
            "the column end_us has 1 entries",
        ),
        (
            "/sketches/n",
            json!([3]),
            "sketches",
            "the column n has 1 entries and of has 2",
        ),
        ("/sketches/n", json!([-3, 0]), "sketches.n[0]", "negative"),
        (
            "/sketches/n",
            json!([1, 0]),
            "sketches",
            "the sketch of gaps is none: its counts sum up to n at most",
        ),
        (
            "/sketches/level",
            json!([255, 0]),
            "sketches",
            "the sketch of gaps is none",
        ),
        (
            "/sketches/min_ms",
            json!([null, null]),
            "sketches",
            "the sketch of gaps is none",
        ),
        (
            "/sketches/max_ms",
            json!(["NaN", null]),
            "sketches",
            "expected f64",
        ),
        (
            "/sketches/bins",
            json!(["8V-", ""]),
            "sketches",
            "the sketch of gaps: the column bins has '-'",
        ),
        (
            "/sketches/bins",
            json!(["8V.", ""]),
            "sketches",
            "write −k for k bins that count nothing",
        ),
        (
            "/sketches/of",
            json!(["gaps", "gaps"]),
            "sketches",
            "is there twice",
        ),
    ] {
        let mut value = posted();
        *value.pointer_mut(at).unwrap_or_else(|| panic!("{at}")) = to.clone();
        let invalid = read(value).expect_err(&format!("{at} {to}"));
        assert!(
            invalid.field.starts_with(field) && invalid.reason.contains(words),
            "{at} {to}: {invalid}"
        );
    }
    let mut value = posted();
    value["chunks"] =
        json!({ "after_us": many, "bytes": many, "events": many, "generated": "1".repeat(33) });
    assert_eq!(
        read(value).unwrap_err().to_string(),
        "chunks: has 33 rows; give the first 32 at most"
    );
}
