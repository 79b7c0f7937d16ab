//! An app's answer stays the app's: what it is, how it reads, how it ends.

use harness::Trouble;
use serde_json::{Value, json};

use crate::app::App;

const STEADY: &str = "mock-steady";
const QUICK: &str = "script:first=50,gap=10,n=12";

#[tokio::test]
async fn every_way_to_read_gives_the_same_text_and_one_whole_record() -> Result<(), Trouble> {
    let app = App::open("ways").await?;
    app.ready().await?;
    for way in [
        "reader",
        "byob",
        "forAwait",
        "pipeThrough",
        "tee",
        "newResponse",
        "clone",
        "cloneAlone",
        "text",
        "arrayBuffer",
    ] {
        let id = format!("way-{way}");
        let text = app.ask("read", &[way, QUICK, &id, &id]).await?;
        let bare = app.call("bare", vec![json!(QUICK), json!(id)]).await?;
        assert_eq!(timeless(&text), timeless(&bare), "{way}");
        assert_eq!(timeless(&text).last().map(String::as_str), Some("[DONE]"));
        let record = app.record(&id).await?;
        assert_eq!(
            (record.outcome.as_str(), record.complete),
            ("ok", true),
            "{way}: {record:#?}"
        );
        assert_eq!(record.counts.content, 12, "{way}");
        assert_eq!(
            Some(record.counts.body_bytes as usize),
            bare.as_str().map(str::len),
            "{way}"
        );
        assert!(record.timing.ttft_ms.is_some(), "{way}");
        let is_whole = ["text", "arrayBuffer"].contains(&way);
        assert_eq!(record.timing.ttfb_ms.is_none(), is_whole, "{way}");
        assert_eq!(
            record.flags.iter().any(|flag| flag == "body_unseen"),
            is_whole,
            "{way}: {:?}",
            record.flags
        );
    }
    app.close().await
}

#[tokio::test]
async fn json_of_an_answer_that_is_no_stream_returns_and_is_recorded() -> Result<(), Trouble> {
    let app = App::open("json").await?;
    app.ready().await?;
    let value = app.ask("json", &["mock-json", "json-1", "json"]).await?;
    assert!(value["choices"].is_array(), "{value}");
    let record = app.record("json").await?;
    assert_eq!(record.outcome, "ok");
    assert!(record.flags.iter().any(|flag| flag == "not_streamed"));
    assert_eq!(record.tokens.source, "usage");
    app.close().await
}

#[tokio::test]
async fn a_request_object_reaches_the_network_as_it_is() -> Result<(), Trouble> {
    let app = App::open("request").await?;
    app.ready().await?;
    let seen = app
        .ask("byRequest", &[QUICK, "request-1", "request"])
        .await?;
    assert_eq!(
        timeless(&seen[0]).last().map(String::as_str),
        Some("[DONE]")
    );
    assert_eq!(seen[1], json!(true));
    let record = app.record("request").await?;
    assert_eq!(record.http.request_id.as_deref(), Some("request-1"));
    app.close().await
}

#[tokio::test]
async fn a_cancel_reaches_the_server_and_is_recorded_as_aborted() -> Result<(), Trouble> {
    let app = App::open("cancel").await?;
    app.ready().await?;
    assert_eq!(
        app.ask("begin", &[STEADY, "cancel-1", "cancel"]).await?,
        json!(true)
    );
    assert_eq!(
        app.call("cancel", vec![json!("cancel-1")]).await?,
        json!(true)
    );
    assert_eq!(app.ending("cancel-1").await?, "client_gone");
    let record = app.record("cancel").await?;
    assert_eq!(record.outcome, "aborted");
    assert!(!record.complete && record.timing.ttfb_ms.is_some());
    app.close().await
}

#[tokio::test]
async fn an_abort_surfaces_as_abort_error_and_reaches_the_server() -> Result<(), Trouble> {
    let app = App::open("abort").await?;
    app.ready().await?;
    app.ask("begin", &[STEADY, "abort-1", "abort"]).await?;
    let error = app.call("abort", vec![json!("abort-1")]).await?;
    assert_eq!(error, json!(["AbortError", true]));
    assert_eq!(app.ending("abort-1").await?, "client_gone");
    assert_eq!(app.record("abort").await?.outcome, "aborted");
    app.close().await
}

#[tokio::test]
async fn a_measured_response_looks_like_a_bare_one() -> Result<(), Trouble> {
    let app = App::open("look").await?;
    app.ready().await?;
    let bare = app
        .call("look", vec![json!(false), json!("look-1")])
        .await?;
    let measured = app.call("look", vec![json!(true), json!("look-1")]).await?;
    assert_eq!(measured, bare);
    assert_eq!(bare["isLockedByReader"], json!(true));
    assert_eq!(bare["textOfLocked"], json!("TypeError"));
    app.close().await
}

#[tokio::test]
async fn nothing_is_drawn_from_a_source_before_the_app_reads() -> Result<(), Trouble> {
    let app = App::open("pressure").await?;
    app.ready().await?;
    for reads in [0, 3] {
        let bare = app.call("drawn", vec![json!(false), json!(reads)]).await?;
        let measured = app.call("drawn", vec![json!(true), json!(reads)]).await?;
        assert_eq!(measured, bare);
        assert_eq!(measured, json!([reads, true]));
    }
    app.close().await
}

#[tokio::test]
async fn an_endless_answer_leaves_nothing_behind_in_memory() -> Result<(), Trouble> {
    const CHUNK: u64 = 256 << 10;
    const CHUNKS: u64 = 2_000;
    let app = App::open("endless").await?;
    app.ready().await?;
    let read = |chunks| app.call("endless", vec![json!(chunks), json!(CHUNK)]);
    read(50).await?;
    let before = app.memory().await?;
    assert_eq!(read(CHUNKS).await?, json!(CHUNKS * CHUNK));
    let after = app.memory().await?;
    // Half a gigabyte went through; a single one of a hundred chunks kept would show.
    let grown = after.saturating_sub(before);
    assert!(grown < CHUNKS * CHUNK / 100, "{before} → {after} bytes");
    app.close().await
}

#[tokio::test]
async fn a_failure_whose_body_nobody_reads_is_recorded() -> Result<(), Trouble> {
    let app = App::open("unread").await?;
    app.ready().await?;
    assert_eq!(
        app.ask("statusOnly", &["mock-unauthorized", "unread-1", "unread"])
            .await?,
        json!(401)
    );
    let collector = app.stack.collector();
    let limit = std::time::Duration::from_secs(30);
    let records = collector.wait("target=unread", 1, "unread", limit).await?;
    assert_eq!(records[0].error_class.as_deref(), Some("auth"));
    app.close().await
}

#[tokio::test]
async fn what_fails_inside_does_not_reach_the_app() -> Result<(), Trouble> {
    let app = App::open("inside").await?;
    app.ready().await?;
    app.run("delete Response.prototype.body").await?;
    let text = app
        .ask("read", &["text", QUICK, "inside-1", "inside"])
        .await?;
    assert_eq!(timeless(&text).last().map(String::as_str), Some("[DONE]"));
    app.close().await
}

/// The events of a body, without the second of their making.
fn timeless(body: &Value) -> Vec<String> {
    let events = body.as_str().unwrap_or_default().split("\n\n");
    let data = events.filter_map(|event| event.strip_prefix("data: "));
    let without = |data: &str| match serde_json::from_str::<Value>(data) {
        Ok(mut event) => {
            event.as_object_mut().map(|event| event.remove("created"));
            event.to_string()
        }
        Err(_) => data.to_owned(),
    };
    data.map(without).collect()
}
