//! Starting: what is refused, what is said, and the page.

use std::net::SocketAddr;

use streamlag_collector::{Options, ServeError, Server};

use crate::support::{KEY, Running, options, target};

async fn bind(toml: &str, listen: SocketAddr) -> Result<Server, ServeError> {
    let folder = tempfile::tempdir().unwrap();
    let options = options(toml, &folder.path().join("a.db"));
    Server::bind(Options {
        listen: Some(listen),
        ..options
    })
    .await
}

async fn refusal(toml: &str, listen: SocketAddr) -> String {
    bind(toml, listen).await.err().unwrap().to_string()
}

#[tokio::test]
async fn other_machines_are_let_in_only_where_it_was_said() {
    let everywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let message = refusal("", everywhere).await;
    assert!(message.contains("allow_public = true"), "{message}");
    let open = bind("[collector]\nallow_public = true", everywhere)
        .await
        .unwrap();
    assert!(
        open.notes()
            .iter()
            .any(|note| note.contains("open to other machines"))
    );
}

#[tokio::test]
async fn a_taken_port_is_one_sentence_with_a_remedy() {
    let collector = Running::start("").await;
    let taken: SocketAddr = collector
        .base
        .trim_start_matches("http://")
        .parse()
        .unwrap();
    let message = refusal("", taken).await;
    assert!(
        message.contains(&taken.to_string()) && message.contains("--listen"),
        "{message}"
    );
}

#[tokio::test]
async fn a_worker_without_its_secret_is_refused() {
    let toml =
        "[edge]\nurl = \"http://127.0.0.1:9\"\nkey_id = \"demo\"\nsecret_env = \"NOT_THERE\"\n";
    let message = refusal(toml, SocketAddr::from(([127, 0, 0, 1], 0))).await;
    assert!(message.contains("NOT_THERE"), "{message}");
}

#[tokio::test]
async fn what_is_missing_is_noted() {
    let here = SocketAddr::from(([127, 0, 0, 1], 0));
    let notes = bind("", here).await.unwrap().notes().join("\n");
    assert!(
        notes.contains("[[target]]") && notes.contains("no edge worker"),
        "{notes}"
    );
    let toml = target("http://127.0.0.1:9/v1", "key_env = \"NOT_THERE\"");
    let notes = bind(&toml, here).await.unwrap().notes().join("\n");
    assert!(notes.contains("NOT_THERE"), "{notes}");
}

#[tokio::test]
async fn targets_are_told_without_their_keys() {
    let url = "http://127.0.0.1:9/v1/chat?api=1";
    let collector = Running::start(&target(url, "key_env = \"THE_KEY\"\nlabel = \"T\"")).await;
    let (_, targets) = collector.get("/v1/targets").await;
    let target = &targets[0];
    assert_eq!(target["relay"], "/relay/t");
    assert_eq!(target["label"], "T");
    assert_eq!(target["base_url"], "http://127.0.0.1:9/v1/chat");
    assert_eq!(target["missing_key"], serde_json::Value::Null);
    assert!(!targets.to_string().contains(KEY));
}

#[tokio::test]
async fn there_is_a_page_and_unknown_paths_are_said_to_be_so() {
    let collector = Running::start("").await;
    let page = collector
        .client
        .get(collector.url("/"))
        .send()
        .await
        .unwrap();
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(page.text().await.unwrap().contains("streamlag"));
    let (status, answer) = collector.get("/v1/nothing").await;
    assert_eq!(
        (status, &answer["error"]["type"]),
        (404, &"not_found".into())
    );
    assert_eq!(collector.get("/healthz").await.1["status"], "ok");
}
