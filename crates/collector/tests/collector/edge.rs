//! The worker: what it must prove, and what is asked of it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::post;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use streamlag_wire::sign::{self, Call};
use tokio::sync::Mutex;

use crate::support::{EDGE_SECRET, Running, now_ms, parts, record, record_with, target, upstream};

const PATH: &str = "/v1/records";

fn toml(url: &str) -> String {
    let edge =
        format!("[edge]\nurl = \"{url}\"\nkey_id = \"demo\"\nsecret_env = \"EDGE_SECRET\"\n");
    edge + &target("http://127.0.0.1:9/v1", "")
}

fn edge_record(n: u64) -> String {
    record_with(n, json!({ "vantage": "edge", "region": "weur" })).to_string()
}

/// Posts a body with a signature over it, or over something else.
async fn post_signed(
    collector: &Running,
    body: &str,
    nonce: &str,
    age_s: u64,
    secret: &str,
) -> (u16, Value) {
    let timestamp_s = now_ms() / 1000 - age_s;
    let call = Call {
        method: "POST",
        path: PATH,
        timestamp_s,
        nonce,
        body: body.as_bytes(),
    };
    let request = collector
        .client
        .post(collector.url(PATH))
        .header(sign::KEY, "demo")
        .header(sign::TIMESTAMP, timestamp_s)
        .header(sign::NONCE, nonce)
        .header(sign::SIGNATURE, sign::sign(secret.as_bytes(), &call))
        .body(body.to_owned());
    parts(request.send().await.unwrap()).await
}

#[tokio::test]
async fn only_the_worker_speaks_for_the_edge() {
    let collector = Running::start(&toml("http://127.0.0.1:9")).await;
    let unsigned = parts(collector.post(PATH, edge_record(1)).await).await;
    assert_eq!(unsigned.0, 401);
    assert!(
        unsigned.1["error"]["message"]
            .as_str()
            .unwrap()
            .contains("x-streamlag-signature")
    );
    let forged = post_signed(&collector, &edge_record(1), "nonce-0001", 0, "guess").await;
    assert_eq!(forged.0, 401);
    let stale = post_signed(&collector, &edge_record(1), "nonce-0002", 400, EDGE_SECRET).await;
    assert_eq!(stale.0, 401);
    assert!(
        stale.1["error"]["message"]
            .as_str()
            .unwrap()
            .contains("clock")
    );
    assert_eq!(collector.get("/v1/records").await.1, json!([]));

    let signed = post_signed(&collector, &edge_record(1), "nonce-0003", 0, EDGE_SECRET).await;
    assert_eq!((signed.0, &signed.1["accepted"]), (200, &json!(1)));
    let replayed = post_signed(&collector, &edge_record(1), "nonce-0003", 0, EDGE_SECRET).await;
    assert_eq!(replayed.0, 401);
    assert!(
        replayed.1["error"]["message"]
            .as_str()
            .unwrap()
            .contains("nonce")
    );
    // A retry is signed anew, and changes nothing.
    let retried = post_signed(&collector, &edge_record(1), "nonce-0004", 0, EDGE_SECRET).await;
    assert_eq!((retried.0, &retried.1["duplicate"]), (200, &json!(1)));
}

#[tokio::test]
async fn others_need_no_signature_and_may_not_smuggle_edge_records_in() {
    let collector = Running::start(&toml("http://127.0.0.1:9")).await;
    assert_eq!(collector.post_records(&record(1)).await.0, 200);
    let mixed = format!("[{},{}]", record(2), edge_record(3));
    assert_eq!(collector.post(PATH, mixed).await.status(), 401);
    assert_eq!(
        collector
            .get("/v1/records")
            .await
            .1
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn without_a_configured_worker_nobody_has_to_sign() {
    let collector = Running::start("").await;
    assert_eq!(collector.post(PATH, edge_record(1)).await.status(), 200);
}

type Seen = Arc<Mutex<Vec<(String, String)>>>;

/// A worker that checks the signature as the real one does.
async fn worker(seen: Seen) -> Router {
    async fn probe(
        State(seen): State<Seen>,
        Path(id): Path<String>,
        headers: HeaderMap,
        body: String,
    ) -> (StatusCode, String) {
        let header = |name: &str| headers[name].to_str().unwrap().to_owned();
        let timestamp_s = header(sign::TIMESTAMP).parse().unwrap();
        let path = format!("/probe/{id}");
        let nonce = header(sign::NONCE);
        let call = Call {
            method: "POST",
            path: &path,
            timestamp_s,
            nonce: &nonce,
            body: body.as_bytes(),
        };
        let verified = sign::verify(
            EDGE_SECRET.as_bytes(),
            &call,
            &header(sign::SIGNATURE),
            now_ms() / 1000,
        );
        assert_eq!((verified, header(sign::KEY).as_str()), (Ok(()), "demo"));
        seen.lock().await.push((id, body));
        (
            StatusCode::OK,
            json!({ "results": [{ "region": "weur" }] }).to_string(),
        )
    }
    Router::new()
        .route("/probe/{id}", post(probe))
        .with_state(seen)
}

#[tokio::test]
async fn a_probe_is_signed_and_its_answer_passed_on() {
    let seen = Seen::default();
    let address = upstream(worker(Arc::clone(&seen)).await).await;
    let collector = Running::start(&toml(&format!("http://{address}/"))).await;
    let body = r#"{"regions":["weur"]}"#;
    let answer = parts(collector.post("/v1/edge/probe/t", body).await).await;
    assert_eq!(answer, (200, json!({ "results": [{ "region": "weur" }] })));
    assert_eq!(*seen.lock().await, [("t".to_owned(), body.to_owned())]);

    assert_eq!(
        collector.post("/v1/edge/probe/unknown", "").await.status(),
        404
    );
    let foreign = collector.client.post(collector.url("/v1/edge/probe/t"));
    let foreign = foreign
        .header("origin", "https://evil.example")
        .send()
        .await
        .unwrap();
    assert_eq!(foreign.status(), 403);
    assert_eq!(seen.lock().await.len(), 1);
}

#[tokio::test]
async fn a_worker_that_is_missing_down_or_something_else_is_said_in_words() {
    let message = async |collector: &Running| {
        let (status, answer) = parts(collector.post("/v1/edge/probe/t", "").await).await;
        (
            status,
            answer["error"]["message"].as_str().unwrap().to_owned(),
        )
    };
    let without = Running::start(&target("http://127.0.0.1:9/v1", "")).await;
    let (status, text) = message(&without).await;
    assert!(status == 503 && text.contains("[edge]"), "{status} {text}");
    let down = Running::start(&toml("http://127.0.0.1:9")).await;
    let (status, text) = message(&down).await;
    assert!(status == 502 && text.contains("refused"), "{status} {text}");
    let html = upstream(Router::new().fallback(|| async { "<html>" })).await;
    let html = Running::start(&toml(&format!("http://{html}"))).await;
    let (status, text) = message(&html).await;
    assert!(
        status == 502 && text.contains("not JSON"),
        "{status} {text}"
    );
}
