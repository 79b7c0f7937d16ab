//! A running collector, records to post, and an upstream that does what a test tells it to.

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use reqwest::{Client, Response};
use serde_json::{Value, json};
use streamlag_collector::config::{self, Secrets};
use streamlag_collector::{Options, ServeError, Server};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The value of the secret `THE_KEY`, with which every test collector is started.
pub(crate) const KEY: &str = "sk-never-to-be-seen";
/// The value of the secret `EDGE_SECRET`.
pub(crate) const EDGE_SECRET: &str = "shared-with-the-worker";

/// A collector on a free port.
pub(crate) struct Running {
    pub(crate) base: String,
    pub(crate) client: Client,
    pub(crate) db: PathBuf,
    folder: Option<TempDir>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    /// With that `streamlag.toml`, in a folder of its own.
    pub(crate) async fn start(toml: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("records.db");
        let mut running = Self::start_on(toml, &db).await;
        running.folder = Some(folder);
        running
    }

    /// On a database that is there or not.
    pub(crate) async fn start_on(toml: &str, db: &Path) -> Self {
        let server = Server::bind(options(toml, db)).await.unwrap();
        let base = format!("http://{}", server.address());
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self {
            base,
            client: client(),
            db: db.to_owned(),
            folder: None,
            stop,
            task,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(crate) async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> Response {
        self.client
            .post(self.url(path))
            .body(body)
            .send()
            .await
            .unwrap()
    }

    pub(crate) async fn post_records(&self, body: &Value) -> (u16, Value) {
        parts(self.post("/v1/records", body.to_string()).await).await
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        parts(self.client.get(self.url(path)).send().await.unwrap()).await
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) async fn stop(self) -> Option<TempDir> {
        let _ = self.stop.send(());
        self.task.await.unwrap().unwrap();
        self.folder
    }
}

pub(crate) fn options(toml: &str, db: &Path) -> Options {
    Options {
        config: config::parse(toml, Path::new("streamlag.toml")).unwrap(),
        listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
        db: Some(db.to_owned()),
        secrets: Secrets::fixed([("THE_KEY", KEY), ("EDGE_SECRET", EDGE_SECRET)]),
    }
}

pub(crate) fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let redirects = reqwest::redirect::Policy::none();
    Client::builder()
        .no_proxy()
        .redirect(redirects)
        .build()
        .unwrap()
}

/// Status and JSON of an answer.
pub(crate) async fn parts(response: Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let json = serde_json::from_str(&text);
    (
        status,
        json.unwrap_or_else(|error| panic!("{error}: {status} {text}")),
    )
}

pub(crate) fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    now.as_millis().try_into().unwrap()
}

/// The id of record number `n`.
pub(crate) fn id(n: u64) -> String {
    format!("{n:032x}")
}

/// A valid record that started now; its ttft is `n` ms.
pub(crate) fn record(n: u64) -> Value {
    json!({
        "schema": 1, "id": id(n), "vantage": "browser", "target": { "id": "steady" }, "agent": "test/1",
        "started_at_ms": now_ms(), "outcome": "ok", "complete": true,
        "clock": { "name": "performance.now", "step_ms": 0.1 },
        "timing": { "wait_ms": 0.5, "ttft_ms": n, "total_ms": n + 100 },
    })
}

/// A record with some of its top fields replaced.
pub(crate) fn record_with(n: u64, fields: Value) -> Value {
    let mut record = record(n);
    for (name, value) in fields.as_object().unwrap() {
        record[name] = value.clone();
    }
    record
}

/// `streamlag.toml` with one target named `t`.
pub(crate) fn target(url: &str, more: &str) -> String {
    format!(
        "[[target]]\nid = \"t\"\ndialect = \"openai\"\nmodel = \"m\"\nurl = \"{url}\"\n{more}\n"
    )
}

/// A server on a free port of this machine; it ends with the test's runtime.
pub(crate) async fn upstream(router: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(axum::serve(listener, router).into_future());
    address
}

/// What must happen, happens; where it does not, the test fails instead of hanging.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    let patience = Duration::from_secs(60);
    tokio::time::timeout(patience, future)
        .await
        .expect("it never happened")
}
