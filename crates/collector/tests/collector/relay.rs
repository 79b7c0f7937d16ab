//! Bytes through the relay.

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use futures_util::stream::unfold;
use tokio::sync::{mpsc, oneshot};

use crate::support::{Running, parts, soon, target, upstream};

/// What the upstream does with one request: sends these chunks, then ends. Dropped with the request.
struct Script {
    chunks: mpsc::Receiver<Result<Bytes, std::io::Error>>,
    _gone: oneshot::Sender<Infallible>,
}

/// The test's end of a script.
struct Hand {
    send: mpsc::Sender<Result<Bytes, std::io::Error>>,
    gone: oneshot::Receiver<Infallible>,
}

/// An upstream that takes one request and follows the test's hand.
async fn by_hand() -> (std::net::SocketAddr, Hand) {
    let (send, chunks) = mpsc::channel(1);
    let (kept, gone) = oneshot::channel();
    let script = Script {
        chunks,
        _gone: kept,
    };
    let (give, take) = mpsc::channel(1);
    give.send(script).await.unwrap();
    let take = std::sync::Arc::new(tokio::sync::Mutex::new(take));
    let answer = |State(take): State<
        std::sync::Arc<tokio::sync::Mutex<mpsc::Receiver<Script>>>,
    >| async move {
        let script = take.lock().await.recv().await.unwrap();
        let chunks = unfold(script, |mut script| async move {
            let chunk = script.chunks.recv().await?;
            Some((chunk, script))
        });
        Response::builder()
            .header("content-type", "text/event-stream")
            .body(Body::from_stream(chunks))
            .unwrap()
    };
    let router = Router::new()
        .route("/v1/chat", post(answer))
        .with_state(take);
    (upstream(router).await, Hand { send, gone })
}

#[tokio::test]
async fn each_chunk_arrives_unchanged_before_the_next_is_sent() {
    let (address, hand) = by_hand().await;
    let collector = Running::start(&target(&format!("http://{address}/v1/chat"), "")).await;
    let mut response = soon(collector.post("/relay/t", "{}")).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let chunks: [&[u8]; 6] = [
        b"data: {\"a\":1}\r\n\r\n",
        // A character split between two chunks, then bytes that are no text.
        b"data: \xe2\x82",
        b"\xac\n\n",
        b"\xff\x00\xfe",
        b"x",
        b": keep-alive\n\n",
    ];
    for chunk in chunks {
        hand.send.send(Ok(Bytes::from_static(chunk))).await.unwrap();
        // Only after this has come through does the upstream get its next chunk: anything that held
        // back until there is more would wait here for ever.
        assert_eq!(soon(response.chunk()).await.unwrap().unwrap(), chunk);
    }
    drop(hand.send);
    assert_eq!(soon(response.chunk()).await.unwrap(), None);
}

#[tokio::test]
async fn a_stream_that_is_cut_arrives_as_cut_and_not_as_ended() {
    let (address, hand) = by_hand().await;
    let collector = Running::start(&target(&format!("http://{address}/v1/chat"), "")).await;
    let mut response = soon(collector.post("/relay/t", "{}")).await;
    hand.send
        .send(Ok(Bytes::from_static(b"data: half")))
        .await
        .unwrap();
    assert_eq!(soon(response.chunk()).await.unwrap().unwrap(), "data: half");
    let cut = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    hand.send.send(Err(cut)).await.unwrap();
    assert!(soon(response.chunk()).await.is_err());
}

#[tokio::test]
async fn a_caller_that_goes_takes_the_request_with_it() {
    let (address, hand) = by_hand().await;
    let collector = Running::start(&target(&format!("http://{address}/v1/chat"), "")).await;
    let mut response = soon(collector.post("/relay/t", "{}")).await;
    hand.send
        .send(Ok(Bytes::from_static(b"data: 1\n\n")))
        .await
        .unwrap();
    soon(response.chunk()).await.unwrap();
    drop(response);
    assert!(soon(hand.gone).await.is_err());
}

#[tokio::test]
async fn a_caller_that_goes_before_the_headers_takes_the_request_with_it() {
    let (asked, is_asked) = oneshot::channel();
    let (kept, gone) = oneshot::channel::<Infallible>();
    let once = std::sync::Arc::new(std::sync::Mutex::new(Some((asked, kept))));
    let hang = move || async move {
        let (asked, _kept) = once.lock().unwrap().take().unwrap();
        asked.send(()).unwrap();
        std::future::pending::<()>().await;
    };
    let address = upstream(Router::new().route("/v1/chat", post(hang))).await;
    let collector = Running::start(&target(&format!("http://{address}/v1/chat"), "")).await;
    let request = collector
        .client
        .post(collector.url("/relay/t"))
        .body("{}")
        .send();
    let calling = tokio::spawn(request);
    soon(is_asked).await.unwrap();
    calling.abort();
    assert!(soon(gone).await.is_err());
}

#[tokio::test]
async fn an_sdk_can_append_its_path_and_no_other() {
    let echo = |body: String| async move { body };
    let address = upstream(Router::new().route("/openai/v1/chat/completions", post(echo))).await;
    let url = format!("http://{address}/openai/v1/chat/completions");
    let collector = Running::start(&target(&url, "max_tokens = 9")).await;
    let body = r#"{"max_tokens":5000,"model":"dear","stream":true}"#;
    for path in [
        "/relay/t",
        "/relay/t/",
        "/relay/t/chat/completions",
        "/relay/t/v1/chat/completions",
    ] {
        let (status, asked) = parts(collector.post(path, body).await).await;
        assert_eq!(status, 200, "{path}");
        assert_eq!(
            asked,
            serde_json::json!({ "max_tokens": 9, "model": "m", "stream": true }),
            "{path}"
        );
    }
    for path in ["/relay/t/embeddings", "/relay/t/completion", "/relay/other"] {
        assert_eq!(
            parts(collector.post(path, body).await).await.0,
            404,
            "{path}"
        );
    }
}
