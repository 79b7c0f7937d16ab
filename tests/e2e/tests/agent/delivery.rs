//! How records leave the page, and what leaves it with them.

use harness::Trouble;
use harness::site::Site;
use harness::tap::Tap;
use serde_json::json;
use std::time::Duration;

use crate::app::App;

const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_page_that_is_left_mid_stream_leaves_its_record() -> Result<(), Trouble> {
    let app = App::open("left").await?;
    app.ready().await?;
    app.ask("begin", &["mock-steady", "left-1", "left"]).await?;
    app.leave().await?;
    let collector = app.stack.collector();
    let records = collector
        .wait("target=left", 1, "the left page", LIMIT)
        .await?;
    assert_eq!(records[0].outcome, "aborted");
    assert!(records[0].timing.ttfb_ms.is_some());
    app.close().await
}

#[tokio::test]
async fn a_post_needs_no_preflight_names_the_key_and_holds_no_text() -> Result<(), Trouble> {
    let app = App::open("post").await?;
    let port = app
        .stack
        .url()
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok());
    let tap = Tap::start(port.unwrap_or_default()).await?;
    app.start(
        json!({ "collector": tap.url(), "key": "public-key", "app": "shop", "release": "1.2" }),
    )
    .await?;
    let answer = app
        .ask("read", &["reader", "mock-quick", "post-1", "post"])
        .await?;
    let record = app.record("post").await?;
    assert_eq!(
        (record.app.as_deref(), record.release.as_deref()),
        (Some("shop"), Some("1.2"))
    );
    let passed = tap.requests();
    assert!(!passed.is_empty());
    let words: Vec<String> = answer
        .as_str()
        .unwrap_or_default()
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<serde_json::Value>(line.strip_prefix("data: ")?).ok()
        })
        .filter_map(|event| {
            Some(
                event["choices"][0]["delta"]["content"]
                    .as_str()?
                    .trim()
                    .to_owned(),
            )
        })
        .filter(|word| word.len() > 3)
        .collect();
    assert!(words.len() > 2, "{answer}");
    for request in &passed {
        assert_eq!(request.line, "POST /v1/records?key=public-key");
        for word in &words {
            assert!(
                !request.text.contains(&format!("{word:?}")),
                "{word} in {}",
                request.text
            );
        }
        assert!(!request.text.contains("hello"), "{}", request.text);
    }
    app.close().await
}

#[tokio::test]
async fn records_wait_for_a_collector_that_is_down_and_flush_says_so() -> Result<(), Trouble> {
    let app = App::open("down").await?;
    let port = harness::ports::free()?;
    app.start(json!({ "collector": format!("http://127.0.0.1:{port}") }))
        .await?;
    app.ask("read", &["reader", "mock-quick", "down-1", "down"])
        .await?;
    assert_eq!(app.call("flush", Vec::new()).await?, json!(false));
    // The collector comes up at that address, in the shape of a tap before the real one.
    let real = app
        .stack
        .url()
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok());
    let _tap = Tap::start_at(port, real.unwrap_or_default()).await?;
    let record = app.record("down").await?;
    assert_eq!(record.outcome, "ok");
    app.close().await
}

#[tokio::test]
async fn a_record_that_waits_survives_a_reload() -> Result<(), Trouble> {
    let app = App::open("reload").await?;
    let port = harness::ports::free()?;
    let down = json!({ "collector": format!("http://127.0.0.1:{port}") });
    app.start(down).await?;
    app.ask("read", &["reader", "mock-quick", "reload-1", "reload"])
        .await?;
    assert_eq!(app.call("flush", Vec::new()).await?, json!(false));
    app.load().await?;
    app.ready().await?;
    assert_eq!(app.record("reload").await?.outcome, "ok");
    // It is done with: the next page finds nothing of it.
    app.load().await?;
    app.ready().await?;
    app.record("reload").await?;
    app.close().await
}

#[tokio::test]
async fn a_page_that_is_left_before_the_core_was_there_leaves_a_reduced_record()
-> Result<(), Trouble> {
    let holding = |site: Site| site.holding("/streamlag/streamlag_agent_bg.wasm");
    let app = App::on("left-early", holding).await?;
    app.start(json!({})).await?;
    app.ask("begin", &["mock-steady", "early-1", "early"])
        .await?;
    // The wasm file is asked for only after the scripts before it ran.
    for _ in 0..200 {
        let loaded = app.run("return window.app.loaded().join()").await?;
        if loaded.as_str().is_some_and(|all| all.contains("wasm.js")) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    app.leave().await?;
    let collector = app.stack.collector();
    let records = collector
        .wait("target=early", 1, "the left page", LIMIT)
        .await?;
    assert!(records[0].flags.iter().any(|flag| flag == "reduced"));
    assert!(records[0].timing.ttfb_ms.is_some());
    assert_eq!(records[0].outcome, "aborted");
    app.close().await
}

#[tokio::test]
async fn what_a_leaving_page_may_not_send_waits_for_the_next_one() -> Result<(), Trouble> {
    const ANSWERS: usize = 48;
    let app = App::open("budget").await?;
    // Takes connections and never answers.
    let silent =
        std::net::TcpListener::bind("127.0.0.1:0").map_err(Trouble::file(app.stack.folder()))?;
    let port = silent
        .local_addr()
        .map_err(Trouble::file(app.stack.folder()))?
        .port();
    app.start(json!({ "collector": format!("http://127.0.0.1:{port}") }))
        .await?;
    app.call("warm", Vec::new()).await?;
    let arguments = vec![
        json!("script:first=1,gap=5,n=60"),
        json!("many"),
        json!(ANSWERS),
    ];
    app.call("many", arguments).await?;
    let waiting = app.call("waitingBytes", Vec::new()).await?;
    let waiting = waiting.as_u64().unwrap_or_default();
    assert!(
        waiting > 64 << 10,
        "{waiting} bytes are no more than a page may send"
    );
    app.leave().await?;
    app.load().await?;
    app.ready().await?;
    app.records("many", ANSWERS).await?;
    app.close().await
}
