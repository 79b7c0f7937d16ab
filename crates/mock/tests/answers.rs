//! What comes back, as a client sees it.
#![allow(clippy::unwrap_used, reason = "a test may panic, its helpers too")]

mod support;

use std::io::{ErrorKind, Read, Write};

use reqwest::Method;
use serde_json::Value;
use streamlag_mock::{Options, Server};
use support::{
    ANTHROPIC, OLLAMA, OPENAI, ask, client, raw, read_until, send_raw, start, truth, url,
};

async fn text(asked: reqwest::RequestBuilder) -> (u16, String) {
    let response = asked.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

#[tokio::test]
async fn a_cut_stream_resets_the_connection() {
    let server = start();
    let mut stream = raw(&server);
    send_raw(&mut stream, "cut", "first=5,gap=20,n=5,cut_at=2");
    let mut received = Vec::new();
    let error = stream.read_to_end(&mut received).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    let truth = truth(&server, "cut").await;
    assert_eq!(truth["ending"], "cut");
    assert_eq!(truth["events"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn an_early_end_of_the_body_is_clean_and_has_no_terminal_event() {
    let server = start();
    let asked = ask(&server, OPENAI, "script:first=1,gap=1,n=5,eof_at=2");
    let (status, body) = text(asked.header("x-request-id", "eof")).await;
    assert_eq!(status, 200);
    assert_eq!(body.matches("data: ").count(), 3);
    assert!(!body.contains("[DONE]"));
    assert_eq!(truth(&server, "eof").await["ending"], "eof");
}

#[tokio::test]
async fn an_error_in_the_stream_ends_it() {
    let server = start();
    let asked = ask(&server, ANTHROPIC, "script:first=1,gap=1,n=5,error_at=2");
    let (status, body) = text(asked.header("x-request-id", "e1")).await;
    assert_eq!(status, 200);
    assert!(
        body.contains("event: error") && !body.contains("message_stop"),
        "{body}"
    );
    assert_eq!(truth(&server, "e1").await["ending"], "error");
}

#[tokio::test]
async fn a_429_carries_retry_after_and_the_providers_shape() {
    let server = start();
    let response = ask(&server, OPENAI, "mock-ratelimit").send().await.unwrap();
    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()["retry-after"], "2");
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["error"]["code"], "rate_limit_exceeded");
}

#[tokio::test]
async fn preflight_is_answered_and_every_answer_allows_any_origin() {
    let server = start();
    let client = client();
    let preflight = client
        .request(Method::OPTIONS, url(&server, OPENAI))
        .header("origin", "https://page.example")
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,content-type",
        )
        .send()
        .await
        .unwrap();
    assert_eq!(preflight.status(), 204);
    let allowed = &preflight.headers()["access-control-allow-headers"];
    assert_eq!(allowed, "authorization,content-type");

    for model in [
        "mock-quick",
        "mock-unauthorized",
        "mock-html",
        "no-such-model",
    ] {
        let response = ask(&server, OPENAI, model).send().await.unwrap();
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], "*", "{model}");
        assert_eq!(headers["timing-allow-origin"], "*", "{model}");
        let exposed = headers["access-control-expose-headers"].to_str().unwrap();
        assert!(exposed.contains("x-request-id") && exposed.contains("retry-after"));
    }
}

#[tokio::test]
async fn a_request_id_given_is_returned_and_an_unfit_one_is_replaced() {
    let server = start();
    let quick = || ask(&server, OLLAMA, "script:first=0,gap=0,n=1");
    let given = quick()
        .header("x-request-id", "abc-1")
        .send()
        .await
        .unwrap();
    assert_eq!(given.headers()["x-request-id"], "abc-1");
    let unfit = quick().header("x-request-id", "a b").send().await.unwrap();
    let drawn = unfit.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert!(drawn.starts_with("mock-"), "{drawn}");
    assert_eq!(truth(&server, &drawn).await["id"], drawn);
}

#[tokio::test]
async fn an_unknown_model_is_told_the_presets_in_the_providers_shape() {
    let server = start();
    for (path, pointer) in [
        (OPENAI, "/error/message"),
        (ANTHROPIC, "/error/message"),
        (OLLAMA, "/error"),
    ] {
        let response = ask(&server, path, "gpt-9").send().await.unwrap();
        assert_eq!(response.status(), 404);
        let body: Value = response.json().await.unwrap();
        let message = body.pointer(pointer).and_then(Value::as_str).unwrap();
        assert!(
            message.contains("gpt-9") && message.contains("mock-steady"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_wrong_script_is_refused_by_its_item() {
    let server = start();
    let (status, body) = text(ask(&server, OPENAI, "script:first=300,gap=soon")).await;
    assert_eq!(status, 400);
    assert!(body.contains("gap=soon"), "{body}");
    let (status, body) = text(ask(
        &server,
        &format!("{OPENAI}?script=fist%3D3"),
        "mock-quick",
    ))
    .await;
    assert_eq!(status, 400);
    assert!(
        body.contains("fist=3") && body.contains("first=MS"),
        "{body}"
    );
}

#[tokio::test]
async fn a_request_that_does_not_ask_for_a_stream_gets_one_whole_answer() {
    let server = start();
    let client = client();
    for (path, pointer) in [
        (OPENAI, "/choices/0/message/content"),
        (ANTHROPIC, "/content/0/text"),
    ] {
        let body = serde_json::json!({ "model": "script:first=1,gap=1,n=3", "messages": [] });
        let response = client
            .post(url(&server, path))
            .json(&body)
            .send()
            .await
            .unwrap();
        assert_eq!(response.headers()["content-type"], "application/json");
        let body: Value = response.json().await.unwrap();
        assert_eq!(
            body.pointer(pointer).and_then(Value::as_str),
            Some("The river rises"),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_page_and_a_status_can_be_combined_as_gateways_do() {
    let server = start();
    let response = ask(&server, OPENAI, "script:status=502,html")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 502);
    assert!(
        response.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/html")
    );
    assert!(
        response
            .text()
            .await
            .unwrap()
            .starts_with("<!doctype html>")
    );
}

#[tokio::test]
async fn a_connection_serves_request_after_request_even_pipelined() {
    let server = start();
    let mut stream = raw(&server);
    send_raw(&mut stream, "k1", "first=5,gap=1,n=1");
    send_raw(&mut stream, "k2", "first=5,gap=1,n=2");
    read_until(&mut stream, "0\r\n\r\n");
    assert_eq!(truth(&server, "k1").await["ending"], "complete");
    assert_eq!(truth(&server, "k2").await["ending"], "complete");
}

#[test]
fn a_chunked_request_body_is_read() {
    let server = start();
    let mut stream = raw(&server);
    let body = r#"{"model":"script:first=0,gap=0,n=1","stream":true}"#;
    let (a, b) = body.split_at(20);
    let request = format!(
        "POST {OPENAI} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{a}\r\n{:x}\r\n{b}\r\n0\r\n\r\n",
        a.len(),
        b.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    assert!(read_until(&mut stream, "0\r\n\r\n").contains("data: [DONE]"));
}

#[test]
fn what_is_not_http_gets_a_sentence_and_the_door() {
    let server = start();
    let mut stream = raw(&server);
    stream.write_all(b"\x16\x03\x01 hello\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 400") && answer.contains("not HTTP/1.1"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_replayed_capture_is_byte_for_byte_the_file() {
    let server = start();
    let cases = [
        ("plain.sse", "text/event-stream; charset=utf-8", 4),
        ("sub/crlf.sse", "text/event-stream; charset=utf-8", 2),
        ("lines.ndjson", "application/x-ndjson", 2),
    ];
    for (file, content_type, frames) in cases {
        let path = format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        for query in ["pace=1", "pace=0&chunk=7"] {
            let id = format!("{}-{}", file.replace('/', "-"), query.len());
            let asked = client().get(url(&server, &format!("/replay/{file}?{query}")));
            let response = asked.header("x-request-id", &id).send().await.unwrap();
            assert_eq!(response.headers()["content-type"], content_type);
            assert_eq!(response.bytes().await.unwrap(), bytes, "{file}?{query}");
            let events = truth(&server, &id).await["events"]
                .as_array()
                .unwrap()
                .len();
            let expected = if query == "pace=1" {
                frames
            } else {
                bytes.len().div_ceil(7)
            };
            assert_eq!(events, expected, "{file}?{query}");
        }
    }
}

#[tokio::test]
async fn nothing_outside_the_folder_of_captures_is_served() {
    let server = start();
    for path in [
        "%2e%2e/answers.rs",
        "sub/%2E%2E/%2e%2e/answers.rs",
        "%2Fetc%2Fpasswd",
        "sub",
        "none.sse",
    ] {
        let mut stream = raw(&server);
        let request =
            format!("GET /replay/{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
}

#[test]
fn a_taken_port_is_one_sentence_with_the_remedy() {
    let server = start();
    let again = Server::start(Options {
        listen: server.address().to_string(),
        captures: None,
    });
    let sentence = again.unwrap_err().to_string();
    assert!(
        sentence.contains("is in use") && sentence.contains("--listen"),
        "{sentence}"
    );
}

#[test]
fn a_stopped_server_ends_its_streams_and_frees_its_port() {
    let server = start();
    let mut stream = raw(&server);
    send_raw(&mut stream, "s", "first=0,gap=0,n=1,tail=3000000");
    read_until(&mut stream, "\n\n\r\n");
    let address = server.address();
    server.stop();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest); // ends, cleanly or not
    drop(stream);
    std::net::TcpListener::bind(address).unwrap();
}
