//! What was acknowledged is there, whatever happens next.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use streamlag_collector::Server;
use streamlag_collector::store::{Sqlite, Store};

use crate::support::{Running, client, id, options, record, soon};

const CHILD_DB: &str = "STREAMLAG_TEST_CHILD_DB";

/// Not a test of its own: the process that the next one kills.
#[test]
#[ignore = "runs as a child of the test below"]
fn child() {
    let Some(db) = std::env::var_os(CHILD_DB).map(PathBuf::from) else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::bind(options("", &db)).await.unwrap();
        println!("\nlistening on {}", server.address());
        server.run(std::future::pending()).await.unwrap();
    });
}

fn start_child(db: &Path) -> (Child, String) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "durable::child", "--ignored", "--nocapture"])
        .env(CHILD_DB, db)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    let address = lines.find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
    (child, address.unwrap())
}

/// Posts until the server is gone; the last number that was acknowledged.
async fn post_until_it_breaks(
    address: String,
    lane: u64,
    progress: tokio::sync::mpsc::Sender<()>,
) -> u64 {
    let client = client();
    let mut acknowledged = 0;
    for n in 1.. {
        let body = json!([record(lane + 2 * n), record(lane + 2 * n + 1)]).to_string();
        let response = client
            .post(format!("http://{address}/v1/records"))
            .body(body)
            .send()
            .await;
        let Ok(response) = response else { break };
        let Ok(report) = response.json::<Value>().await else {
            break;
        };
        assert_eq!(report["accepted"], 2);
        acknowledged = n;
        let _ = progress.try_send(());
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_records_outlive_a_killed_process() {
    const LANES: u64 = 8;
    const LANE: u64 = 1 << 32;
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("records.db");
    let (mut child, address) = start_child(&db);
    let (progress, mut seen) = tokio::sync::mpsc::channel(64);
    let lanes = (0..LANES).map(|lane| {
        tokio::spawn(post_until_it_breaks(
            address.clone(),
            lane * LANE,
            progress.clone(),
        ))
    });
    let lanes: Vec<_> = lanes.collect();
    for _ in 0..40 {
        soon(seen.recv()).await.unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let store = Sqlite::open(&db).unwrap();
    let mut checked = 0;
    for (lane, posting) in (0..).zip(lanes) {
        for n in 1..=posting.await.unwrap() {
            for number in [lane * LANE + 2 * n, lane * LANE + 2 * n + 1] {
                let id = u128::from(number).to_be_bytes();
                assert!(store.by_id(id).await.unwrap().is_some(), "{number}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 80, "{checked}");
}

#[tokio::test]
async fn another_connection_sees_an_acknowledged_record_at_once() {
    let collector = Running::start("").await;
    let other = rusqlite::Connection::open(&collector.db).unwrap();
    for n in 1..=20 {
        collector.post_records(&record(n)).await;
        let count: i64 = other
            .query_row("SELECT count(*) FROM record", (), |row| row.get(0))
            .unwrap();
        assert_eq!(count, i64::try_from(n).unwrap());
    }
}

#[tokio::test]
async fn a_stopped_collector_leaves_one_whole_file_and_starts_again_on_it() {
    let collector = Running::start("").await;
    collector.post_records(&record(1)).await;
    collector.get("/v1/comparison").await;
    let db = collector.db.clone();
    let folder = soon(collector.stop()).await.unwrap();
    let files: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(files, ["records.db"]);
    let again = Running::start_on("", &db).await;
    assert_eq!(again.get(&format!("/v1/records/{}", id(1))).await.0, 200);
    assert_eq!(again.post_records(&record(1)).await.1["duplicate"], 1);
}

#[tokio::test]
async fn many_at_once_are_each_answered_for_their_own() {
    let collector = Running::start("").await;
    // Each number comes twice, from two connections at once: exactly one of the two is new.
    let posts = (0..200).map(|n| {
        let body = record(n / 2).to_string();
        let request = collector
            .client
            .post(collector.url("/v1/records"))
            .body(body);
        tokio::spawn(async move { request.send().await.unwrap().json::<Value>().await.unwrap() })
    });
    let posts: Vec<_> = posts.collect();
    let (mut accepted, mut duplicate) = (0, 0);
    for post in posts {
        let report = post.await.unwrap();
        accepted += report["accepted"].as_u64().unwrap();
        duplicate += report["duplicate"].as_u64().unwrap();
    }
    assert_eq!((accepted, duplicate), (100, 100));
}
