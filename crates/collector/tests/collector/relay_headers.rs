//! What the relay passes on, in both directions.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use http::{HeaderMap, StatusCode};
use reqwest::Method;

use crate::support::{KEY, Running, target, upstream};

type Seen = Arc<Mutex<Vec<HeaderMap>>>;

/// An upstream that remembers what it was sent and answers with every kind of header.
async fn talkative(seen: &Seen) -> std::net::SocketAddr {
    async fn answer(State(seen): State<Seen>, headers: HeaderMap) -> impl IntoResponse {
        seen.lock().unwrap().push(headers);
        let headers = [
            ("x-request-id", "req-1"),
            ("x-ratelimit-remaining-requests", "7"),
            ("retry-after", "3"),
            ("server-timing", "prefill;dur=5"),
            ("set-cookie", "a=b"),
            ("x-streamlag-id", "theirs"),
            ("access-control-allow-origin", "https://theirs.example"),
            ("x-hop", "1"),
            ("connection", "x-hop"),
        ];
        (StatusCode::TOO_MANY_REQUESTS, headers, "slow down")
    }
    upstream(
        Router::new()
            .route("/v1", post(answer))
            .with_state(Arc::clone(seen)),
    )
    .await
}

#[tokio::test]
async fn the_target_gets_the_key_and_the_trace_and_nothing_that_was_meant_for_this_host() {
    let seen = Seen::default();
    let address = talkative(&seen).await;
    let toml = target(&format!("http://{address}/v1"), "key_env = \"THE_KEY\"");
    let collector = Running::start(&toml).await;
    let request = collector
        .client
        .post(collector.url("/relay/t"))
        .header("cookie", "session=1")
        .header("authorization", "Bearer of-the-caller")
        .header("x-api-key", "of-the-caller")
        .header("x-forwarded-for", "10.0.0.1")
        .header("accept-encoding", "gzip, br")
        .header("content-type", "text/plain")
        .header("x-request-id", "mine")
        .header(
            "traceparent",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        )
        .body("{}");
    let response = request.send().await.unwrap();
    let relay_id = response.headers()["x-streamlag-id"]
        .to_str()
        .unwrap()
        .to_owned();

    let sent = seen.lock().unwrap()[0].clone();
    assert_eq!(sent["authorization"], format!("Bearer {KEY}"));
    assert_eq!(sent["x-request-id"], "mine");
    assert!(sent["traceparent"].to_str().unwrap().starts_with("00-0af7"));
    assert_eq!(sent["accept-encoding"], "identity");
    assert_eq!(sent["content-type"], "application/json");
    for name in [
        "cookie",
        "x-api-key",
        "x-forwarded-for",
        "origin",
        "referer",
    ] {
        assert!(!sent.contains_key(name), "{name}");
    }
    // Without an id of the caller's, the relay's own ties the sides together.
    let response = collector.post("/relay/t", "{}").await;
    let own = seen.lock().unwrap()[1]["x-request-id"].clone();
    assert_eq!(own, response.headers()["x-streamlag-id"]);
    assert_ne!(own, relay_id.as_str());
}

#[tokio::test]
async fn the_caller_gets_what_the_target_said_and_never_the_key() {
    let address = talkative(&Seen::default()).await;
    let toml = target(&format!("http://{address}/v1"), "key_env = \"THE_KEY\"");
    let collector = Running::start(&toml).await;
    let page = "http://localhost:1234";
    let request = collector
        .client
        .post(collector.url("/relay/t"))
        .header("origin", page);
    let response = request.body("{}").send().await.unwrap();
    assert_eq!(response.status(), 429);
    let headers = response.headers().clone();
    assert_eq!(headers["x-request-id"], "req-1");
    assert_eq!(headers["retry-after"], "3");
    let timings: Vec<_> = headers.get_all("server-timing").iter().collect();
    assert_eq!(timings[0], "prefill;dur=5");
    assert!(timings[1].to_str().unwrap().starts_with("upstream;dur="));
    assert_eq!(
        headers
            .get_all("access-control-allow-origin")
            .iter()
            .collect::<Vec<_>>(),
        [page]
    );
    assert_eq!(headers["timing-allow-origin"], "*");
    assert_eq!(headers["x-streamlag-id"].len(), 32);
    for name in ["set-cookie", "x-hop", "x-streamlag-upstream"] {
        assert!(!headers.contains_key(name), "{name}");
    }
    let exposed = headers["access-control-expose-headers"].to_str().unwrap();
    for name in [
        "server-timing",
        "x-request-id",
        "retry-after",
        "x-streamlag-id",
        "x-ratelimit-remaining-requests",
    ] {
        assert!(
            exposed.split(", ").any(|exposed| exposed == name),
            "{name}: {exposed}"
        );
    }
    assert!(!format!("{headers:?}").contains(KEY));
    assert_eq!(response.text().await.unwrap(), "slow down");
}

#[tokio::test]
async fn a_redirect_is_followed_by_nobody() {
    let followed = Arc::new(Mutex::new(0));
    let count = Arc::clone(&followed);
    let elsewhere = move || async move { *count.lock().unwrap() += 1 };
    let redirect = || async { (StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")]) };
    let router = Router::new()
        .route("/v1", post(redirect))
        .route("/elsewhere", get(elsewhere.clone()).post(elsewhere));
    let address = upstream(router).await;
    let collector = Running::start(&target(&format!("http://{address}/v1"), "")).await;
    let response = collector.post("/relay/t", "{}").await;
    assert_eq!(response.status(), 307);
    assert!(!response.headers().contains_key("location"));
    assert_eq!(*followed.lock().unwrap(), 0);
}

#[tokio::test]
async fn foreign_pages_are_stopped_before_anything_is_sent() {
    let seen = Seen::default();
    let address = talkative(&seen).await;
    let listed = "[collector]\norigins = [\"https://app.example\"]\n".to_owned();
    let collector = Running::start(&(listed + &target(&format!("http://{address}/v1"), ""))).await;
    let ask = async |method: Method, origin: &str| {
        let request = collector.client.request(method, collector.url("/relay/t"));
        request
            .header("origin", origin)
            .body("{}")
            .send()
            .await
            .unwrap()
    };
    for origin in ["https://evil.example", "null"] {
        assert_eq!(ask(Method::POST, origin).await.status(), 403);
        let preflight = ask(Method::OPTIONS, origin).await;
        assert!(
            !preflight
                .headers()
                .contains_key("access-control-allow-origin")
        );
    }
    assert!(seen.lock().unwrap().is_empty());
    let preflight = ask(Method::OPTIONS, "https://app.example").await;
    assert_eq!(
        preflight.headers()["access-control-allow-origin"],
        "https://app.example"
    );
    assert_eq!(ask(Method::POST, "https://app.example").await.status(), 429);
    assert_eq!(seen.lock().unwrap().len(), 1);
}
