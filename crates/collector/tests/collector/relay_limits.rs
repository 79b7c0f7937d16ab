//! Requests that the relay does not make, and targets that it cannot reach.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::routing::post;
use reqwest::Response;
use serde_json::Value;

use crate::support::{Running, parts, target, upstream};

/// Class in the header, and the error in the body.
async fn failure(response: Response) -> (u16, String, Value) {
    let class = response.headers().get("x-streamlag-upstream");
    let class = class.map_or("", |class| class.to_str().unwrap()).to_owned();
    let (status, answer) = parts(response).await;
    (status, class, answer["error"].clone())
}

#[tokio::test]
async fn a_target_that_cannot_be_reached_gives_its_class() {
    let gone = upstream(Router::new()).await;
    let cases = [
        ("http://no-such-host.invalid/v1".to_owned(), "dns"),
        ("http://127.0.0.1:9/v1".to_owned(), "connect"),
        (format!("https://{gone}/v1"), "tls"),
    ];
    for (url, expected) in cases {
        let collector = Running::start(&target(&url, "")).await;
        let (status, class, error) = failure(collector.post("/relay/t", "{}").await).await;
        assert_eq!(
            (status, class.as_str(), &error["class"]),
            (502, expected, &expected.into())
        );
        assert_eq!(error["type"], "upstream_unreachable");
        assert!(error["message"].as_str().unwrap().contains("target \"t\""));
    }
}

#[tokio::test]
async fn a_key_that_is_missing_is_named_by_its_variable() {
    let toml = target("http://127.0.0.1:9/v1", "key_env = \"NOT_THERE\"");
    let collector = Running::start(&toml).await;
    let (status, class, error) = failure(collector.post("/relay/t", "{}").await).await;
    assert_eq!(
        (status, class.as_str(), &error["type"]),
        (503, "prober", &"missing_key".into())
    );
    assert!(error["message"].as_str().unwrap().contains("NOT_THERE"));
}

/// An upstream that counts.
async fn counting(asked: &Arc<AtomicU32>) -> std::net::SocketAddr {
    let asked = Arc::clone(asked);
    let count = move || async move { asked.fetch_add(1, Ordering::SeqCst).to_string() };
    upstream(Router::new().route("/v1", post(count))).await
}

#[tokio::test]
async fn the_hourly_cap_is_kept_and_says_when_to_come_back() {
    let asked = Arc::default();
    let address = counting(&asked).await;
    let toml = target(&format!("http://{address}/v1"), "max_requests_per_hour = 2");
    let collector = Running::start(&toml).await;
    for _ in 0..2 {
        assert_eq!(collector.post("/relay/t", "{}").await.status(), 200);
    }
    let response = collector.post("/relay/t", "{}").await;
    let retry_after: u64 = response.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1..=3601).contains(&retry_after));
    let (status, class, error) = failure(response).await;
    assert_eq!(
        (status, class.as_str(), &error["type"]),
        (429, "rate_limited", &"hourly_cap".into())
    );
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn bodies_that_are_no_json_or_too_large_go_nowhere() {
    let asked = Arc::default();
    let address = counting(&asked).await;
    let collector = Running::start(&target(&format!("http://{address}/v1"), "")).await;
    for (body, expected) in [
        ("{\"a\":".to_owned(), 400),
        ("[]".to_owned(), 400),
        (" ".repeat((1 << 20) + 1), 413),
    ] {
        let (status, _, error) = failure(collector.post("/relay/t", body).await).await;
        assert_eq!(status, expected);
        assert!(!error["message"].as_str().unwrap().is_empty());
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
