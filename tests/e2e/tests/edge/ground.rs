//! What the worker's tests stand on: the real parts, each of which can be ended and started by itself.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::Place;
use harness::collector::{self, Collector, SECRET_ENV};
use harness::http::{self, Answer};
use harness::mock;
use harness::ports::{self, Ports};
use harness::process::Process;
use harness::workerd::{self, Edge, KEY_ID};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use streamlag_wire::Record;
use streamlag_wire::sign::{self, Call};
use streamlag_wire::target::TargetConfig;

pub(crate) const SECRET: &str = "a secret of this test alone";
pub(crate) const PROMPT: &str = "Name a fruit that nobody else names";
const LIMIT: Duration = Duration::from_secs(30);

/// The parts, and what they were told.
pub(crate) struct Ground {
    place: Place,
    folder: PathBuf,
    pub(crate) ports: Ports,
    targets: Vec<TargetConfig>,
    edge: Edge,
    keys: Vec<(String, String)>,
    collector: Option<Process>,
    worker: Option<Process>,
    _mock: Process,
}

/// A target that asks the scripted server for this script.
pub(crate) fn scripted(id: &str, script: &str) -> Value {
    let model = match script.split_once("mock-") {
        Some(("", _)) => script.to_owned(),
        _ => format!("script:{script}"),
    };
    json!({
        "id": id, "dialect": "openai", "url": "http://@MOCK@/openai/v1/chat/completions", "model": model,
        "prompt": PROMPT,
    })
}

impl Ground {
    /// Starts the parts. `@MOCK@` in a URL stands for the scripted server, `@DOWN@` for a host where nobody listens.
    pub(crate) async fn new(name: &str, edge: Edge, targets: &[Value]) -> Self {
        let place = Place::find().unwrap();
        let folder = place.run(&format!("edge-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let ports = Ports::free().unwrap();
        let text = Value::from(targets.to_vec()).to_string();
        let text = text.replace("@MOCK@", &format!("127.0.0.1:{}", ports.mock));
        let text = text.replace("@DOWN@", &format!("127.0.0.1:{}", ports::free().unwrap()));
        let targets: Vec<TargetConfig> = serde_json::from_str(&text).unwrap();
        let mock = mock::start(&place, &folder, ports.mock).await.unwrap();
        let mut ground = Self {
            place,
            folder,
            ports,
            targets,
            edge,
            keys: vec![(SECRET_ENV.to_owned(), SECRET.to_owned())],
            collector: None,
            worker: None,
            _mock: mock,
        };
        ground.configure();
        ground.start_collector().await;
        ground.start_worker().await;
        ground
    }

    fn configure(&self) {
        let mut config = toml::Table::new();
        let mut part = |name: &str, value: Value| {
            config.insert(name.to_owned(), toml::Value::try_from(value).unwrap());
        };
        let Ports {
            collector, worker, ..
        } = self.ports;
        let store = self.folder.join("streamlag.db");
        part(
            "collector",
            json!({ "listen": format!("127.0.0.1:{collector}"), "store": store }),
        );
        let url = format!("http://127.0.0.1:{worker}");
        part(
            "edge",
            json!({ "url": url, "key_id": KEY_ID, "secret_env": SECRET_ENV }),
        );
        config.insert(
            "target".to_owned(),
            toml::Value::try_from(&self.targets).unwrap(),
        );
        std::fs::write(self.folder.join("streamlag.toml"), config.to_string()).unwrap();
    }

    pub(crate) async fn start_collector(&mut self) {
        let config = self.folder.join("streamlag.toml");
        let port = self.ports.collector;
        let started = collector::start(&self.place, &self.folder, &config, &self.keys, port);
        self.collector = Some(started.await.unwrap());
    }

    pub(crate) fn stop_collector(&mut self) {
        self.collector = None;
    }

    pub(crate) async fn start_worker(&mut self) {
        let Self {
            place,
            folder,
            ports,
            edge,
            targets,
            keys,
            ..
        } = self;
        let started = workerd::start(place, folder, ports, edge, targets, keys).await;
        self.worker = Some(started.unwrap());
    }

    /// As a crash would: nothing is finished, nothing is said.
    pub(crate) fn kill_worker(&mut self) {
        let worker = self.worker.take().unwrap();
        let id = Pid::from_raw(i32::try_from(worker.id()).unwrap()).unwrap();
        kill_process(id, Signal::KILL).unwrap();
    }

    /// All that the worker has said since it was last started.
    pub(crate) fn worker_log(&self) -> String {
        std::fs::read_to_string(self.worker.as_ref().unwrap().log()).unwrap()
    }

    pub(crate) fn collector(&self) -> Collector {
        Collector::new(format!("http://127.0.0.1:{}", self.ports.collector))
    }

    /// The ids of the requests that reached the scripted server.
    pub(crate) async fn asked(&self) -> Vec<String> {
        let url = format!("http://127.0.0.1:{}/truth?limit=1000", self.ports.mock);
        let list = http::get_json(&url).await.unwrap();
        let ids = list.as_array().unwrap().iter();
        ids.map(|truth| truth["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The text that the scripted server answers, asked without the worker.
    pub(crate) async fn answer(&self, model: &str) -> String {
        let url = format!(
            "http://127.0.0.1:{}/openai/v1/chat/completions",
            self.ports.mock
        );
        let body = json!({ "model": model, "stream": true, "messages": [] }).to_string();
        let stream = http::post(&url, &[], &body).await.unwrap().text();
        let events = stream
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        let texts = events.filter_map(|event| {
            let event: Value = serde_json::from_str(event).ok()?;
            Some(event["choices"][0]["delta"]["content"].as_str()?.to_owned())
        });
        texts.collect()
    }

    /// A call to the worker with these headers.
    pub(crate) async fn call(
        &self,
        path: &str,
        headers: &[(String, String)],
        body: &str,
    ) -> Answer {
        let url = format!("http://127.0.0.1:{}{path}", self.ports.worker);
        http::post(&url, headers, body).await.unwrap()
    }

    /// A call to the worker, signed as it must be.
    pub(crate) async fn signed(&self, path: &str, body: &str) -> Answer {
        self.call(path, &signature(path, body, 0), body).await
    }

    /// Probes from one region and gives that region's result.
    pub(crate) async fn probe(&self, target: &str) -> Value {
        let answer = self
            .signed(&format!("/probe/{target}"), r#"{"regions":["weur"]}"#)
            .await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let results = answer.json()["results"].clone();
        assert_eq!(results.as_array().unwrap().len(), 1);
        results[0].clone()
    }

    /// The stored record of a result.
    pub(crate) async fn record(&self, result: &Value) -> Record {
        let id = result["record_id"].as_str().unwrap();
        let stored = self.collector().record(id).await.unwrap();
        stored.unwrap_or_else(|| panic!("no record {id}: {result}"))
    }

    /// Waits until the record of this id is stored.
    pub(crate) async fn arrives(&self, id: &str) -> Record {
        let mut found = None;
        eventually("a record is stored", async || {
            found = self.collector().record(id).await.unwrap();
            found.is_some()
        })
        .await;
        found.unwrap()
    }
}

/// Polls until it is so.
pub(crate) async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let start = std::time::Instant::now();
    while !is_so().await {
        assert!(start.elapsed() < LIMIT, "waited {LIMIT:?} until {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The headers of a signed call, by a clock that is so many seconds off.
pub(crate) fn signature(path: &str, body: &str, off_s: u64) -> Vec<(String, String)> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let timestamp_s = now.as_secs() - off_s;
    let nonce = format!("nonce-{}", now.as_nanos());
    let call = Call {
        method: "POST",
        path,
        timestamp_s,
        nonce: &nonce,
        body: body.as_bytes(),
    };
    let code = sign::sign(SECRET.as_bytes(), &call);
    [
        (sign::KEY, KEY_ID.to_owned()),
        (sign::TIMESTAMP, timestamp_s.to_string()),
        (sign::NONCE, nonce.clone()),
        (sign::SIGNATURE, code),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}
