//! A running server and the few ways in which the tests talk to it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use streamlag_mock::{Options, Server};

/// Long enough for a busy machine; nothing is asserted about it.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server on a free port, with the fixtures as captures.
pub(crate) fn start() -> Server {
    let captures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    Server::start(Options {
        listen: "127.0.0.1:0".to_owned(),
        captures: Some(captures),
    })
    .unwrap()
}

pub(crate) fn url(server: &Server, path: &str) -> String {
    format!("http://{}{path}", server.address())
}

/// A client. Built together with the rest of the workspace it has TLS, and TLS without a provider is none.
pub(crate) fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}

/// A streaming chat request for a model.
pub(crate) fn ask(server: &Server, path: &str, model: &str) -> reqwest::RequestBuilder {
    let body = json!({
        "model": model, "stream": true,
        "messages": [{ "role": "user", "content": "Count to three." }],
    });
    client().post(url(server, path)).json(&body)
}

pub(crate) const OPENAI: &str = "/openai/v1/chat/completions";
pub(crate) const ANTHROPIC: &str = "/anthropic/v1/messages";
pub(crate) const OLLAMA: &str = "/ollama/api/chat";

/// What the server says about itself.
pub(crate) async fn get(server: &Server, path: &str) -> Value {
    client()
        .get(url(server, path))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap()
}

/// The truth about a request, once it has ended.
pub(crate) async fn truth(server: &Server, id: &str) -> Value {
    truth_when(server, id, |truth| truth["ending"].is_string()).await
}

/// The truth about a request, once it is as wanted.
pub(crate) async fn truth_when(
    server: &Server,
    id: &str,
    wanted: impl Fn(&Value) -> bool,
) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let truth = get(server, &format!("/truth/{id}")).await;
        if wanted(&truth) {
            return truth;
        }
        assert!(Instant::now() < deadline, "still {truth}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A connection without a client library in the way.
pub(crate) fn raw(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends a request with a script in its URL over a raw connection.
pub(crate) fn send_raw(stream: &mut TcpStream, id: &str, script: &str) {
    let head = format!(
        "POST {OPENAI}?script={script} HTTP/1.1\r\nhost: x\r\nx-request-id: {id}\r\ncontent-length: 0\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
}

/// Reads until the text ends as wanted.
pub(crate) fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = Vec::new();
    let mut piece = [0; 4096];
    while !text.ends_with(end.as_bytes()) {
        let n = stream.read(&mut piece).unwrap();
        assert!(n > 0, "closed after {:?}", String::from_utf8_lossy(&text));
        text.extend_from_slice(&piece[..n]);
    }
    String::from_utf8(text).unwrap()
}
