//! `streamlag probe` against the scripted server and a collector, all through the binary's own face.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test may panic, its helpers too"
)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use streamlag_mock::Server;

const UNKNOWN_COLLECTOR: &str = "http://127.0.0.1:9"; // the discard port: nothing listens there

/// A scripted server and a configuration whose targets are its presets.
struct Bench {
    server: Server,
    folder: PathBuf,
}

impl Bench {
    fn new(name: &str) -> Self {
        let server = Server::start(streamlag_mock::Options {
            listen: "127.0.0.1:0".to_owned(),
            captures: None,
        })
        .unwrap();
        let folder = std::env::temp_dir().join(format!("streamlag-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self { server, folder }
    }

    /// A target of the scripted server; `more` is further lines of its configuration.
    fn target(&self, dialect: &str, model: &str, more: &str) {
        let path = match dialect {
            "anthropic" => "anthropic/v1/messages",
            "ollama" => "ollama/api/chat",
            _ => "openai/v1/chat/completions",
        };
        let url = format!("http://{}/{path}", self.server.address());
        self.configure(&format!(
            "[[target]]\nid = \"t\"\ndialect = \"{dialect}\"\nurl = \"{url}\"\nmodel = \"{model}\"\n{more}\n"
        ));
    }

    fn configure(&self, text: &str) {
        std::fs::write(self.folder.join("streamlag.toml"), text).unwrap();
    }

    fn probe(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_streamlag"));
        command.current_dir(&self.folder).arg("probe").args(args);
        command.env_remove("STREAMLAG_TEST_KEY").output().unwrap()
    }

    /// Probes target `t` once and gives its record; the collector is nowhere.
    fn record(&self) -> (Value, Option<i32>) {
        let output = self.probe(&["t", "--json", "--collector", UNKNOWN_COLLECTOR]);
        let text = String::from_utf8(output.stdout).unwrap();
        let record = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{text:?}: {e}"));
        (record, output.status.code())
    }

    /// Checks outcome, class and exit code of one request.
    fn check(&self, outcome: &str, class: Option<&str>, code: i32) -> Value {
        let (record, exit) = self.record();
        assert_eq!(record["outcome"], outcome, "{record}");
        assert_eq!(record["error_class"].as_str(), class, "{record}");
        assert_eq!(exit, Some(code));
        record
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_answer_is_measured_in_every_dialect_with_the_servers_own_counts() {
    let bench = Bench::new("dialects");
    for dialect in ["openai", "anthropic", "ollama"] {
        bench.target(
            dialect,
            "script:first=20,gap=5,reasoning=2,n=4,tokens=3",
            "",
        );
        let record = bench.check("ok", None, 3);
        assert_eq!(record["vantage"], "server");
        assert_eq!(record["counts"]["content"], 4, "{dialect}");
        assert_eq!(record["counts"]["reasoning"], 2, "{dialect}");
        assert_eq!(record["tokens"]["output"], 18, "{dialect}");
        assert_eq!(record["clock"]["name"], "instant");
        assert!(record["clock"]["step_ms"].as_f64().unwrap() > 0.0);
        let ms = |name: &str| record["timing"][name].as_f64().unwrap();
        assert!(ms("ttft_ms") <= ms("ttfo_ms") && ms("ttfo_ms") <= ms("total_ms"));
        assert!(record["parse_ms"].as_f64().is_some() && record["own_cost_ms"].as_f64().is_some());
    }
}

#[test]
fn the_record_names_the_request_in_the_servers_truth_log() {
    let bench = Bench::new("truth");
    bench.target("openai", "mock-quick", "");
    let (record, _) = bench.record();
    assert_eq!(record["http"]["request_id"], record["id"]);
    // The answer cannot have been seen before its first byte was handed to the network.
    let url = format!(
        "{}/truth/{}",
        bench.server.address(),
        record["id"].as_str().unwrap()
    );
    let truth = get(&url);
    let began = truth["events"].as_array().unwrap().iter();
    let first = began.clone().find(|e| e["kind"] == "content").unwrap();
    let began_ms = first["began_us"].as_f64().unwrap() / 1e3;
    assert!(record["timing"]["ttft_ms"].as_f64().unwrap() >= began_ms);
}

/// A plain `GET`, for a server that closes when asked to.
fn get(url: &str) -> Value {
    use std::io::{Read, Write};
    let (address, path) = url.split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn no_text_of_prompt_or_answer_is_in_the_record() {
    let bench = Bench::new("text");
    bench.target(
        "openai",
        "script:first=5,gap=1,n=30",
        "prompt = \"Tell me about zebras.\"",
    );
    let (record, _) = bench.record();
    let text = record.to_string();
    for word in ["zebra", "river", "bridge", "Tell me"] {
        assert!(!text.contains(word), "{word} is in {text}");
    }
    assert_eq!(record["prompt_chars"], 21);
}

#[test]
fn what_goes_wrong_has_its_outcome_and_class() {
    let bench = Bench::new("wrong");
    for (model, outcome, class) in [
        ("mock-ratelimit", "error", "rate_limited"),
        ("mock-unauthorized", "error", "auth"),
        ("mock-overloaded", "error", "overloaded"),
        ("mock-html", "error", "not_a_stream"),
        ("script:first=5,gap=5,n=5,error_at=2", "error", "server"),
        (
            "script:first=5,gap=5,n=5,eof_at=2",
            "truncated",
            "truncated",
        ),
        ("script:first=5,gap=20,n=5,cut_at=2", "truncated", "reset"),
    ] {
        bench.target("openai", model, "");
        bench.check(outcome, Some(class), 1);
    }
}

#[test]
fn each_time_limit_is_told_apart() {
    let bench = Bench::new("limits");
    bench.target("openai", "mock-hang", "first_byte_timeout_ms = 100");
    let record = bench.check("timeout", Some("timeout"), 1);
    assert_eq!(record["timeout_phase"], "first_byte");
    let stall = "script:first=5,gap=5,n=5,stall=2:60000";
    bench.target("openai", stall, "between_chunks_timeout_ms = 100");
    let record = bench.check("timeout", Some("timeout"), 1);
    assert_eq!(record["timeout_phase"], "between_chunks");
    assert_eq!(record["counts"]["content"], 2);
    // The system takes the connection, and then nobody speaks TLS.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/v1", silent.local_addr().unwrap());
    bench.configure(&format!(
        "[[target]]\nid = \"t\"\ndialect = \"openai\"\nurl = \"{url}\"\nconnect_timeout_ms = 100\n"
    ));
    let record = bench.check("timeout", Some("timeout"), 1);
    assert_eq!(record["timeout_phase"], "connect");
}

#[test]
fn a_target_that_cannot_be_reached_has_its_class() {
    let bench = Bench::new("unreachable");
    let target =
        |url: &str| format!("[[target]]\nid = \"t\"\ndialect = \"openai\"\nurl = \"{url}\"\n");
    bench.configure(&target("http://127.0.0.1:9/v1"));
    bench.check("error", Some("connect"), 1);
    bench.configure(&target("http://no-such-host.invalid/v1"));
    bench.check("error", Some("dns"), 1);
    bench.configure(&target(&format!("https://{}/v1", bench.server.address())));
    let record = bench.check("error", Some("tls"), 1);
    assert_eq!(record["timing"]["ttfb_ms"], Value::Null);
    assert_eq!(record["http"]["status"], Value::Null);
}

#[test]
fn a_second_request_reuses_the_connection_and_says_so() {
    let bench = Bench::new("reuse");
    bench.target("openai", "script:first=5,gap=1,n=2", "");
    let output = bench.probe(&[
        "t",
        "-n",
        "3",
        "--json",
        "--region",
        "desk",
        "--collector",
        UNKNOWN_COLLECTOR,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    let records: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let reused: Vec<_> = records
        .iter()
        .map(|r| r["connection_reused"].as_bool().unwrap())
        .collect();
    assert_eq!(reused, [false, true, true]);
    assert!(records.iter().all(|r| r["region"] == "desk"));
}

#[test]
fn so_many_requests_as_asked_for_run_at_once_and_each_record_says_how_many() {
    let bench = Bench::new("concurrency");
    bench.target("openai", "script:first=300,gap=1,n=2", "");
    let args = ["t", "-n", "5", "--concurrency", "3", "--json"];
    let output = bench.probe(&[&args[..], &["--collector", UNKNOWN_COLLECTOR]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let records: Vec<Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let sorted = |of: &dyn Fn(&Value) -> u64| {
        let mut values: Vec<_> = records.iter().map(of).collect();
        values.sort_unstable();
        values
    };
    let at_once = sorted(&|r| r["concurrency"].as_u64().unwrap());
    assert_eq!((at_once.len(), at_once.last()), (5, Some(&3)));
    // The first three: none had ended yet, and each needed a connection of its own.
    assert_eq!(
        sorted(&|r| u64::from(r["warmth"] == "warm")),
        [0, 0, 0, 1, 1]
    );
    let cold = records.iter().filter(|r| r["warmth"] == "cold");
    assert!(cold.clone().all(|r| r["connection_reused"] == false));
    let at_most = |events: &mut Vec<(f64, i32)>| {
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut running = 0;
        let counts = events.iter().map(|(_, change)| {
            running += change;
            running
        });
        counts.max()
    };
    let mut events: Vec<(f64, i32)> = Vec::new();
    for record in &records {
        let start = record["started_at_ms"].as_f64().unwrap();
        events.push((start, 1));
        events.push((start + record["timing"]["ttft_ms"].as_f64().unwrap(), -1));
    }
    assert_eq!(at_most(&mut events), Some(3));
}

#[test]
fn a_collector_that_is_not_there_is_one_sentence_and_the_records_are_not_lost() {
    let bench = Bench::new("nowhere");
    bench.target("openai", "script:first=5,gap=1,n=2", "");
    let output = bench.probe(&["t", "-n", "3", "--json", "--collector", UNKNOWN_COLLECTOR]);
    assert_eq!(output.status.code(), Some(3));
    let said = said(&output);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("streamlag serve") && said.contains(UNKNOWN_COLLECTOR),
        "{said}"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 3);
}

#[test]
fn what_cannot_be_run_says_what_and_what_to_do() {
    let bench = Bench::new("config");
    let refused = |args: &[&str], wanted: &[&str]| {
        let output = bench.probe(args);
        assert_eq!(output.status.code(), Some(2));
        let said = said(&output);
        for word in wanted {
            assert!(said.contains(word), "{word} is not in {said}");
        }
    };
    refused(&["t"], &["streamlag.toml", "--config"]);
    bench.target("openai", "mock-quick", "key_env = \"STREAMLAG_TEST_KEY\"");
    refused(&["other"], &["\"other\"", "it has t"]);
    refused(&["t"], &["STREAMLAG_TEST_KEY", "\"t\""]);
    refused(&["t", "--collector", "7070"], &["--collector", "7070"]);
    refused(&["t", "-n", "0"], &["-n"]);
}

#[test]
fn the_table_gives_a_reason_for_what_was_not_observed() {
    let bench = Bench::new("table");
    bench.target("openai", "script:first=5,gap=1,n=3,no_usage", "");
    let output = bench.probe(&["t", "--collector", UNKNOWN_COLLECTOR]);
    let table = String::from_utf8(output.stdout).unwrap();
    for sentence in ["has no screen", "the provider sent no usage"] {
        assert!(table.contains(sentence), "{table}");
    }
    assert!(table.contains("t: ok, stop, [DONE]"), "{table}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_reaches_the_collectors_store_once() {
    let bench = Bench::new("store");
    bench.target("openai", "script:first=5,gap=1,n=2", "");
    let collector = streamlag_collector::Server::bind(streamlag_collector::Options {
        listen: Some("127.0.0.1:0".parse().unwrap()),
        db: Some(bench.folder.join("s.db")),
        ..Default::default()
    })
    .await
    .unwrap();
    let address = collector.address();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(collector.run(async {
        let _ = stopped.await;
    }));
    let checked = tokio::task::spawn_blocking(move || {
        let output = bench.probe(&[
            "t",
            "-n",
            "2",
            "--json",
            "--collector",
            &format!("http://{address}"),
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let first: Value =
            serde_json::from_slice(output.stdout.split(|b| *b == b'\n').next().unwrap()).unwrap();
        let stored = get(&format!(
            "{address}/v1/records/{}",
            first["id"].as_str().unwrap()
        ));
        assert_eq!(stored["timing"], first["timing"]);
        let all = get(&format!("{address}/v1/records?limit=10"));
        assert_eq!(
            all.as_array()
                .or_else(|| all["records"].as_array())
                .unwrap()
                .len(),
            2,
            "{all}"
        );
    });
    checked.await.unwrap();
    let _ = stop.send(());
    serving.await.unwrap().unwrap();
}
