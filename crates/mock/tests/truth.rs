//! The truth log says what was sent, in the order in which it was sent.
#![allow(clippy::unwrap_used, reason = "a test may panic, its helpers too")]

mod support;

use serde_json::Value;
use support::{
    ANTHROPIC, OLLAMA, OPENAI, ask, get, raw, read_until, send_raw, start, truth, truth_when,
};

fn kinds(truth: &Value) -> Vec<&str> {
    let events = truth["events"].as_array().unwrap();
    events.iter().map(|e| e["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn it_agrees_with_the_schedule_in_the_order_of_writes() {
    let server = start();
    let response = ask(&server, OPENAI, "script:headers=2,first=10,gap=4,n=3")
        .header("x-request-id", "t1")
        .send()
        .await
        .unwrap();
    let body = response.text().await.unwrap();
    let truth = truth(&server, "t1").await;

    assert_eq!(
        kinds(&truth),
        [
            "role", "content", "content", "content", "finish", "usage", "done"
        ]
    );
    let events = truth["events"].as_array().unwrap();
    let scheduled: Vec<_> = events
        .iter()
        .map(|e| e["scheduled_us"].as_u64().unwrap())
        .collect();
    assert_eq!(
        scheduled,
        [2_000, 10_000, 14_000, 18_000, 22_000, 22_000, 22_000]
    );
    let mut before = truth["headers_us"].as_u64().unwrap();
    assert!(before >= truth["headers_scheduled_us"].as_u64().unwrap());
    for event in events {
        let at = |name: &str| event[name].as_u64().unwrap();
        assert!(at("scheduled_us") <= at("began_us"), "{event}");
        assert!(at("began_us") <= at("written_us"), "{event}");
        assert!(
            before <= at("written_us"),
            "{event} was written before its predecessor"
        );
        before = at("written_us");
    }
    assert!(truth["ended_us"].as_u64().unwrap() >= before);
    assert_eq!(truth["ending"], "complete");
    let bytes: u64 = events.iter().map(|e| e["bytes"].as_u64().unwrap()).sum();
    assert_eq!(bytes, body.len() as u64);
}

#[tokio::test]
async fn every_dialect_is_logged_and_counted_in_the_timing_error() {
    let server = start();
    for path in [OPENAI, ANTHROPIC, OLLAMA] {
        let response = ask(&server, path, "script:first=1,gap=1,n=2,reasoning=1");
        let response = response.header("x-request-id", path).send().await.unwrap();
        response.bytes().await.unwrap();
    }
    let mut events = 0;
    for path in [
        "openai/v1/chat/completions",
        "anthropic/v1/messages",
        "ollama/api/chat",
    ] {
        let truth = truth(&server, &format!("%2F{}", path.replace('/', "%2f"))).await;
        assert!(kinds(&truth).contains(&"reasoning"), "{truth}");
        events += kinds(&truth).len() as u64;
    }
    let error = get(&server, "/truth/error").await;
    assert_eq!(error["n"].as_u64(), Some(events));
    assert!(error["p50_us"].as_u64() <= error["p99_us"].as_u64());
    assert!(error["p99_us"].as_u64() <= error["max_us"].as_u64());
    assert_eq!(server.timing_error().n as u64, events);
}

#[tokio::test]
async fn a_burst_is_one_write() {
    let server = start();
    let asked = ask(&server, OPENAI, "script:first=5,gap=5,n=6,burst=3,no_role");
    asked
        .header("x-request-id", "b")
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    let truth = truth(&server, "b").await;
    let written: Vec<_> = (0..6)
        .map(|i| truth["events"][i]["written_us"].as_u64())
        .collect();
    assert!(
        written[0] == written[2] && written[3] == written[5],
        "{written:?}"
    );
    assert!(written[2] < written[3]);
}

#[tokio::test]
async fn a_client_that_goes_is_noticed_while_nothing_is_sent() {
    let server = start();
    let mut stream = raw(&server);
    send_raw(&mut stream, "gone", "first=0,gap=0,n=1,tail=3000000");
    read_until(&mut stream, "\n\n\r\n");
    truth_when(&server, "gone", |t| {
        t["events"].as_array().is_some_and(|e| e.len() == 2)
    })
    .await;
    drop(stream);
    let truth = truth(&server, "gone").await;
    assert_eq!(truth["ending"], "client_gone");
    assert_eq!(kinds(&truth), ["role", "content"]);
}

#[tokio::test]
async fn a_hang_sends_nothing_until_the_client_goes() {
    let server = start();
    let mut stream = raw(&server);
    send_raw(&mut stream, "hung", "hang");
    truth_when(&server, "hung", |t| t["id"] == "hung").await;
    drop(stream);
    let truth = truth(&server, "hung").await;
    assert_eq!(truth["ending"], "client_gone");
    assert_eq!(truth["headers_us"], Value::Null);
    assert_eq!(kinds(&truth).len(), 0);
}

#[tokio::test]
async fn the_list_is_newest_first_and_holds_measured_requests_only() {
    let server = start();
    for id in ["one", "two", "three"] {
        let asked = ask(&server, OPENAI, "script:first=0,gap=0,n=1").header("x-request-id", id);
        asked.send().await.unwrap().bytes().await.unwrap();
    }
    let list = get(&server, "/truth?limit=2").await;
    let ids: Vec<_> = list
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["three", "two"]);
    let missing = get(&server, "/truth/nobody").await;
    assert!(
        missing["error"]["message"]
            .as_str()
            .unwrap()
            .contains("nobody")
    );
}
