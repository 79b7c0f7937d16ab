//! The objects wake themselves, and every slot makes one record.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::workerd::Edge;
use streamlag_worker::schedule::{Plan, record_id};

use crate::ground::{Ground, eventually, scripted};

fn edge(regions: &[&str], interval_s: u32) -> Edge {
    Edge {
        regions: regions.iter().map(|&region| region.to_owned()).collect(),
        interval_s,
        schedule: vec!["it".to_owned()],
        ..Edge::default()
    }
}

fn now_ms() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

#[tokio::test]
async fn every_region_makes_one_record_a_slot() {
    let target = scripted("it", "mock-quick");
    let ground = Ground::new("slots", edge(&["weur", "oc"], 1), &[target]).await;
    let plan = Plan::every(1).unwrap();
    let first = plan.slot_at(now_ms());
    // Asked for twice: the alarms are set once.
    for _ in 0..2 {
        assert_eq!(ground.signed("/schedule", "").await.status, 200);
    }
    eventually("four slots are probed", async || {
        ground.collector().records("target=it").await.unwrap().len() >= 8
    })
    .await;
    let records = ground.collector().records("target=it").await.unwrap();
    let slots = first..=plan.slot_at(now_ms());
    for region in ["weur", "oc"] {
        let object = format!("region:{region}:g1");
        let known: BTreeSet<String> = slots
            .clone()
            .map(|slot| record_id(&object, "it", slot))
            .collect();
        let stored = records
            .iter()
            .filter(|record| record.region.as_deref() == Some(region));
        let ids: Vec<&String> = stored.map(|record| &record.id).collect();
        assert!(ids.len() >= 2, "{region}: {}", ids.len());
        assert!(
            ids.iter().all(|id| known.contains(*id)),
            "{region}: a record of no slot"
        );
    }
    let asked = ground.asked().await;
    let once: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(once.len(), asked.len(), "a slot was probed twice");
}

#[tokio::test]
async fn a_probe_that_was_killed_is_repeated_and_recorded_once() {
    let plan = Plan::every(30).unwrap();
    // Well inside a slot: the restart must not fall into the next one.
    let slot = loop {
        let now = now_ms();
        let slot = plan.slot_at(now);
        if (slot * 30_000 + 3_500..slot * 30_000 + 14_000).contains(&now) {
            break slot;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let target = scripted("it", "first=2000,gap=10,n=6");
    let mut ground = Ground::new("killed", edge(&["weur"], 30), &[target]).await;
    assert_eq!(ground.signed("/schedule", "").await.status, 200);
    eventually("the probe is under way", async || {
        !ground.asked().await.is_empty()
    })
    .await;
    ground.kill_worker();
    ground.start_worker().await;
    let id = record_id("region:weur:g1", "it", slot);
    let record = ground.arrives(&id).await;
    assert_eq!(record.outcome, "ok");
    assert_eq!(
        ground.asked().await,
        [id.clone(), id],
        "asked twice for the one slot"
    );
    let stored = ground.collector().records("target=it").await.unwrap();
    assert_eq!(stored.len(), 1);
}
