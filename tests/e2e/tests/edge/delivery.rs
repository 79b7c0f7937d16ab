//! What was measured reaches the collector, whatever happens on the way.

use harness::workerd::Edge;
use serde_json::{Value, json};

use crate::ground::{Ground, scripted};

#[tokio::test]
async fn nothing_is_lost_while_the_collector_is_away() {
    let mut ground = Ground::new("away", Edge::default(), &[scripted("quick", "mock-quick")]).await;
    ground.stop_collector();
    let mut results: Vec<Value> = Vec::new();
    for _ in 0..3 {
        results.push(ground.probe("quick").await);
    }
    // The rows outlive the runtime, and the alarm that delivers them needs no call.
    ground.kill_worker();
    ground.start_worker().await;
    results.push(ground.probe("quick").await);
    for result in &results {
        assert_eq!(
            (&result["outcome"], &result["delivered"]),
            (&json!("ok"), &json!(false))
        );
    }
    ground.start_collector().await;
    for result in &results {
        let record = ground.arrives(result["record_id"].as_str().unwrap()).await;
        assert_eq!(record.outcome, "ok");
    }
    let stored = ground.collector().records("target=quick").await.unwrap();
    assert_eq!(stored.len(), results.len());
    let outboxes = ground.signed("/schedule", "").await.json();
    for outbox in outboxes["results"].as_array().unwrap() {
        let counts = ["waiting", "dropped", "refused"].map(|name| outbox[name].as_u64());
        assert_eq!(counts, [Some(0); 3], "{outbox}");
    }
}
