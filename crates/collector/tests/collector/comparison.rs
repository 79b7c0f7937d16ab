//! Groups, percentiles, and when none is claimed.

use std::time::Duration;

use serde_json::{Value, json};
use streamlag_wire::{Record, SketchJson, Sketches};

use crate::support::{Running, now_ms, record, record_with};

async fn groups(collector: &Running, query: &str) -> Vec<Value> {
    let (status, answer) = collector.get(&format!("/v1/comparison{query}")).await;
    assert_eq!(status, 200);
    assert!(answer["generated_at_ms"].as_u64().unwrap() <= now_ms());
    answer["groups"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_median_waits_for_twenty_successes_and_shows_the_raw_values_until_then() {
    let collector = Running::start("").await;
    let posted: Vec<_> = (1..=19).map(record).collect();
    collector.post_records(&json!(posted)).await;
    let failures = (100..110).map(|n| {
        record_with(
            n,
            json!({ "outcome": "error", "error_class": "server", "timing": { "ttft_ms": 1 } }),
        )
    });
    collector
        .post_records(&json!(failures.collect::<Vec<_>>()))
        .await;
    let [group] = &groups(&collector, "").await[..] else {
        panic!("one group")
    };
    assert_eq!((&group["n"], &group["n_ok"]), (&json!(29), &json!(19)));
    assert_eq!(group["outcomes"], json!({ "ok": 19, "error": 10 }));
    assert_eq!(group["error_classes"], json!({ "server": 10 }));
    let ttft = &group["metrics"]["ttft_ms"];
    assert_eq!((&ttft["n"], &ttft["p50"]), (&json!(19), &json!(null)));
    assert_eq!(ttft["few"].as_array().unwrap().len(), 19);

    collector.post_records(&record(20)).await;
    let ttft = &groups(&collector, "").await[0]["metrics"]["ttft_ms"];
    assert_eq!(
        ttft,
        &json!({ "n": 20, "p50": 10.5, "p95": null, "p99": null, "max": 20.0, "few": [] })
    );
}

#[tokio::test]
async fn ninety_five_and_ninety_nine_wait_for_more() {
    let collector = Running::start("").await;
    let posted: Vec<_> = (0..301).map(record).collect();
    collector.post_records(&json!(posted)).await;
    let ttft = &groups(&collector, "").await[0]["metrics"]["ttft_ms"];
    assert_eq!(
        ttft,
        &json!({ "n": 301, "p50": 150.0, "p95": 285.0, "p99": 297.0, "max": 300.0, "few": [] })
    );
    assert_eq!(
        groups(&collector, "").await[0]["metrics"]["ttfo_ms"]["n"],
        0
    );
}

#[tokio::test]
async fn vantage_region_and_target_are_never_mixed() {
    let collector = Running::start("").await;
    let edge = |n, region: &str| record_with(n, json!({ "vantage": "edge", "region": region }));
    let other = record_with(4, json!({ "target": { "id": "other" } }));
    collector
        .post_records(&json!([record(1), edge(2, "weur"), edge(3, "apac"), other]))
        .await;
    let names: Vec<_> = groups(&collector, "")
        .await
        .iter()
        .map(|group| {
            (
                group["target"].clone(),
                group["vantage"].clone(),
                group["region"].clone(),
            )
        })
        .collect();
    let expected = [
        ("other", "browser", None),
        ("steady", "browser", None),
        ("steady", "edge", Some("apac")),
        ("steady", "edge", Some("weur")),
    ];
    assert_eq!(
        names,
        expected.map(|(t, v, r)| (json!(t), json!(v), json!(r)))
    );
    assert_eq!(groups(&collector, "?target=other").await.len(), 1);
}

#[tokio::test]
async fn only_the_window_counts_and_the_newest_come_first() {
    let collector = Running::start("").await;
    let ago = |n: u64, ms: u64| record_with(n, json!({ "started_at_ms": now_ms() - ms }));
    collector
        .post_records(&json!([ago(1, 60_000), ago(2, 7_200_000), ago(3, 1_000)]))
        .await;
    let few =
        async |query: &str| groups(&collector, query).await[0]["metrics"]["ttft_ms"]["few"].clone();
    assert_eq!(few("?window_ms=3600000").await, json!([3.0, 1.0]));
    assert_eq!(few("").await, json!([3.0, 1.0, 2.0]));
    assert_eq!(collector.get("/v1/comparison?window_ms=x").await.0, 400);
}

#[tokio::test]
async fn durations_of_a_machine_that_slept_are_left_out_and_counted() {
    let collector = Running::start("").await;
    let slept = record_with(2, json!({ "flags": ["single_burst", "suspended"] }));
    collector.post_records(&json!([record(1), slept])).await;
    let group = &groups(&collector, "").await[0];
    assert_eq!(
        (&group["n_ok"], &group["excluded"]),
        (&json!(2), &json!({ "suspended": 1 }))
    );
    assert_eq!(group["metrics"]["ttft_ms"]["few"], json!([1.0]));
}

#[tokio::test]
async fn a_gap_of_a_reader_that_was_held_up_is_no_gap_of_the_stream() {
    let collector = Running::start("").await;
    let gaps = |n, trusted| {
        let gaps = json!({ "trusted": trusted });
        let max = SketchJson {
            n: 1,
            max_ms: Some(40.5),
            ..SketchJson::default()
        };
        let sketches = Sketches {
            gaps: Some(max),
            ..Sketches::default()
        };
        record_with(n, json!({ "gaps": gaps, "sketches": columns(sketches) }))
    };
    collector
        .post_records(&json!([gaps(1, true), gaps(2, false)]))
        .await;
    let longest = &groups(&collector, "").await[0]["metrics"]["longest_gap_ms"];
    assert_eq!(longest["few"], json!([40.5]));
}

#[tokio::test]
async fn the_render_lag_of_a_record_is_the_median_of_its_own_frames_however_few() {
    let mut sketch = streamlag_core::Sketch::default();
    for ms in [8, 10, 90] {
        sketch.add(Duration::from_millis(ms));
    }
    let lag = columns(Sketches {
        lag_latest: Some(SketchJson::from(&sketch)),
        ..Sketches::default()
    });
    let mut hostile = lag.clone();
    hostile["level"] = json!([255]);
    let collector = Running::start("").await;
    let posted = [lag, hostile].map(|sketches| json!({ "sketches": sketches }));
    let [painted, hostile] = &posted;
    let posted = json!([
        record_with(1, painted.clone()),
        record_with(2, hostile.clone())
    ]);
    let (_, answer) = collector.post_records(&posted).await;
    assert_eq!(answer["accepted"], 1);
    assert_eq!(answer["rejected"][0]["field"], "sketches");
    let metrics = &groups(&collector, "").await[0]["metrics"];
    let few = metrics["render_lag_latest_ms"]["few"].as_array().unwrap();
    let [lag] = &few[..] else {
        panic!("one record has a lag: {few:?}")
    };
    assert!((lag.as_f64().unwrap() - 10.0).abs() < 0.2, "{lag}");
    assert_eq!(metrics["render_lag_earliest_ms"]["n"], 0);
}

/// Sketches as a record has them.
fn columns(sketches: Sketches) -> Value {
    let mut record: Record = serde_json::from_value(record(0)).unwrap();
    record.sketches = sketches;
    serde_json::to_value(record).unwrap()["sketches"].clone()
}
