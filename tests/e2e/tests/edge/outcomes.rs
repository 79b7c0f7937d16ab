//! Each way in which a target can end has its own outcome and class.

use harness::workerd::Edge;
use serde_json::{Value, json};

use crate::ground::{Ground, scripted};

/// A target's id and script, and the outcome, class and phase of its record.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
    Option<&'static str>,
);

const CASES: [Case; 13] = [
    ("quick", "mock-quick", "ok", None, None),
    ("reasoning", "mock-reasoning", "ok", None, None),
    (
        "unauthorized",
        "mock-unauthorized",
        "error",
        Some("auth"),
        None,
    ),
    (
        "ratelimit",
        "mock-ratelimit",
        "error",
        Some("rate_limited"),
        None,
    ),
    (
        "overloaded",
        "mock-overloaded",
        "error",
        Some("overloaded"),
        None,
    ),
    ("error", "mock-error", "error", Some("server"), None),
    ("html", "mock-html", "error", Some("not_a_stream"), None),
    ("cut", "mock-cut", "truncated", Some("reset"), None),
    ("eof", "mock-eof", "truncated", Some("truncated"), None),
    (
        "hang",
        "mock-hang",
        "timeout",
        Some("timeout"),
        Some("connect"),
    ),
    (
        "late",
        "headers=10,first=60000,no_role",
        "timeout",
        Some("timeout"),
        Some("first_byte"),
    ),
    (
        "silent",
        "first=20,gap=10,stall=3:60000",
        "timeout",
        Some("timeout"),
        Some("between_chunks"),
    ),
    ("down", "", "error", Some("network"), None),
];

fn target((id, script, ..): Case) -> Value {
    let mut target = scripted(id, script);
    if id == "down" {
        target["url"] = json!("http://@DOWN@/openai/v1/chat/completions");
    }
    if ["hang", "late", "silent"].contains(&id) {
        for (limit, ms) in [
            ("connect", 700),
            ("first_byte", 1_400),
            ("between_chunks", 700),
        ] {
            target[format!("{limit}_timeout_ms")] = json!(ms);
        }
    }
    target
}

#[tokio::test]
async fn every_ending_has_its_own_outcome_and_class() {
    let ground = Ground::new("outcomes", Edge::default(), &CASES.map(target)).await;
    for (id, _, outcome, class, phase) in CASES {
        let result = ground.probe(id).await;
        assert_eq!(
            (&result["region"], &result["delivered"]),
            (&json!("weur"), &json!(true)),
            "{id}"
        );
        let record = ground.record(&result).await;
        assert_eq!(record.outcome, outcome, "{id}");
        assert_eq!(record.error_class.as_deref(), class, "{id}");
        assert_eq!(record.timeout_phase.as_deref(), phase, "{id}");
        assert_eq!(result["outcome"], json!(record.outcome), "{id}");
        assert_eq!(result["ttft_ms"], json!(record.timing.ttft_ms), "{id}");
        assert_eq!(record.region.as_deref(), Some("weur"));
        assert_eq!(
            (record.clock.name.as_str(), record.clock.step_ms),
            ("worker.date_now", Some(1.0))
        );
        assert_eq!(record.colo, None, "no place is made up");
    }
}

#[tokio::test]
async fn a_record_holds_what_the_target_said() {
    let quick = scripted("quick", "mock-quick");
    let ratelimit = scripted("ratelimit", "mock-ratelimit");
    let ground = Ground::new("said", Edge::default(), &[quick, ratelimit]).await;
    let result = ground.probe("quick").await;
    let record = ground.record(&result).await;
    // 100 ms by the script; the clock's step is 1 ms.
    assert!(
        record.timing.ttft_ms.unwrap() >= 99.0,
        "{:?}",
        record.timing
    );
    assert!(record.timing.wait_ms.is_some());
    assert_eq!(
        (record.counts.content, record.tokens.source.as_str()),
        (6, "usage")
    );
    assert_eq!(record.warmth.as_deref(), Some("cold"));
    assert_eq!(
        ground.asked().await,
        [record.id],
        "the record's id is in the target's log"
    );
    let warm = ground.record(&ground.probe("quick").await).await;
    assert_eq!(warm.warmth.as_deref(), Some("warm"));
    let limited = ground.record(&ground.probe("ratelimit").await).await;
    assert_eq!(
        (limited.http.status, limited.http.retry_after_ms),
        (Some(429), Some(2_000.0))
    );
}

#[tokio::test]
async fn every_region_probes_when_none_is_named() {
    let ground = Ground::new(
        "regions",
        Edge::default(),
        &[scripted("quick", "mock-quick")],
    )
    .await;
    let answer = ground.collector().edge_probe("quick").await.unwrap();
    let results = answer["results"].as_array().unwrap();
    let regions: Vec<_> = results
        .iter()
        .map(|result| result["region"].as_str())
        .collect();
    assert_eq!(regions, [Some("weur"), Some("enam"), Some("apac")]);
    for result in results {
        assert_eq!(
            ground.record(result).await.region.as_deref(),
            result["region"].as_str()
        );
    }
}
