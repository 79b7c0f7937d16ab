//! What the package promises to its caller.

use harness::Trouble;
use serde_json::{Value, json};
use streamlag_e2e::place;

use crate::app::App;

const QUICK: &str = "script:first=50,gap=10,n=12";

fn read(target: &str) -> Vec<Value> {
    ["reader", QUICK, &format!("{target}-1"), target]
        .map(|text| json!(text))
        .to_vec()
}

#[tokio::test]
async fn without_consent_nothing_is_loaded_sent_or_stored() -> Result<(), Trouble> {
    let app = App::open("consent").await?;
    app.start(json!({ "consent": false })).await?;
    let text = app.call("read", read("denied")).await?;
    assert!(text.as_str().is_some_and(|text| text.contains("[DONE]")));
    let nothing = json!([{}, {}, []]);
    assert_eq!(app.call("stored", Vec::new()).await?, nothing);
    let loaded = app.call("loaded", Vec::new()).await?.to_string();
    assert!(loaded.contains("/streamlag/index.js"), "{loaded}");
    for part in ["core.js", "wasm", "/v1/records"] {
        assert!(!loaded.contains(part), "{part} in {loaded}");
    }
    // From then on, and not before.
    app.call("consent", vec![json!(true)]).await?;
    app.call("warm", Vec::new()).await?;
    app.call("read", read("granted")).await?;
    app.record("granted").await?;
    assert_eq!(
        app.call("stored", Vec::new()).await?[2],
        json!(["streamlag"])
    );
    app.call("consent", vec![json!(false)]).await?;
    app.call("read", read("denied")).await?;
    assert_eq!(app.call("stored", Vec::new()).await?, nothing);
    app.call("consent", vec![json!(true)]).await?;
    app.call("read", read("again")).await?;
    app.record("again").await?;
    assert!(
        app.stack
            .collector()
            .records("target=denied")
            .await?
            .is_empty()
    );
    app.close().await
}

#[tokio::test]
async fn consent_taken_back_while_an_answer_streams_leaves_no_record() -> Result<(), Trouble> {
    let app = App::open("withdrawn").await?;
    app.ready().await?;
    app.ask("begin", &["mock-steady", "withdrawn-1", "withdrawn"])
        .await?;
    app.call("consent", vec![json!(false)]).await?;
    app.call("consent", vec![json!(true)]).await?;
    app.call("cancel", vec![json!("withdrawn-1")]).await?;
    app.call("read", read("later")).await?;
    app.record("later").await?;
    let records = app.stack.collector().records("target=withdrawn").await?;
    assert!(records.is_empty(), "{records:#?}");
    app.close().await
}

#[tokio::test]
async fn init_names_the_field_that_is_wrong() -> Result<(), Trouble> {
    let app = App::open("init").await?;
    let cases = [
        (json!({}), "collector"),
        (json!({ "collector": 5 }), "collector"),
        (json!({ "collector": "/", "sampleRate": 2 }), "sampleRate"),
        (json!({ "collector": "/", "consent": "yes" }), "consent"),
        (json!({ "collector": "/", "beforeSend": 1 }), "beforeSend"),
        (
            json!({ "collector": "/", "target": { "id": "" } }),
            "target",
        ),
        (json!({ "collector": "/", "colector": "/" }), "colector"),
        (json!(null), "options"),
    ];
    for (options, field) in cases {
        let refused = app.call("refusal", vec![options.clone()]).await?;
        assert_eq!(refused[0], "TypeError", "{options}");
        let message = refused[1].as_str().unwrap_or_default();
        assert!(message.contains(field), "{options}: {message}");
    }
    app.close().await
}

#[tokio::test]
async fn fetch_is_patched_once_for_listed_addresses_and_restored() -> Result<(), Trouble> {
    let app = App::open("patch").await?;
    app.ready().await?;
    let seen = app
        .ask("patched", &["patch-1", "patch-2", "patched"])
        .await?;
    let expected = json!({
        "isPatched": true, "isActive": [true, false], "isPatchedOnce": true,
        "isOriginalKept": true, "isRestored": true,
    });
    assert_eq!(seen, expected);
    assert_eq!(app.record("patched").await?.outcome, "ok");
    let others = app.stack.collector().records("").await?;
    // The one patched request, and what `ready` wrapped.
    assert!(
        others
            .iter()
            .all(|r| r.http.request_id.as_deref() != Some("patch-2"))
            && others.len() <= 2,
        "{others:#?}"
    );
    app.close().await
}

#[tokio::test]
async fn the_official_openai_client_streams_through_the_agents_fetch() -> Result<(), Trouble> {
    let app = App::open("openai").await?;
    app.start(json!({ "target": { "id": "openai", "model": "quick" } }))
        .await?;
    app.call("warm", Vec::new()).await?;
    let seen = app.ask("openai", &[QUICK, "openai-1"]).await?;
    assert_eq!(seen["finish"], "stop", "{seen}");
    assert!(seen["usage"]["completion_tokens"].is_u64(), "{seen}");
    let record = app.by_request("openai-1").await?;
    let text = seen["text"].as_str().unwrap_or_default();
    assert_eq!(record.counts.answer_chars, text.chars().count() as u64);
    assert_eq!(
        record.tokens.output,
        seen["usage"]["completion_tokens"].as_u64()
    );
    assert_eq!(record.target.model.as_deref(), Some("quick"));
    assert_eq!((record.outcome.as_str(), record.complete), ("ok", true));

    app.ask("openaiStopped", &["mock-steady", "openai-2"])
        .await?;
    assert_eq!(app.ending("openai-2").await?, "client_gone");
    assert_eq!(app.by_request("openai-2").await?.outcome, "aborted");
    app.close().await
}

#[tokio::test]
async fn before_send_changes_a_record_or_keeps_it_here() -> Result<(), Trouble> {
    let app = App::open("before-send").await?;
    let mock = app.stack.mock_url();
    let collector = app.stack.url();
    app.run(&format!(
        "window.app.start({{ collector: {collector:?}, consent: true, beforeSend: (record) => {{\
           if (record.target.id === 'kept-here') return null;\
           if (record.target.id === 'broken') throw new Error('the app is wrong');\
           return {{ ...record, release: 'changed' }}; }} }}, {mock:?})"
    ))
    .await?;
    app.call("warm", Vec::new()).await?;
    for target in ["kept-here", "broken", "changed"] {
        app.call("read", read(target)).await?;
    }
    assert_eq!(
        app.record("changed").await?.release.as_deref(),
        Some("changed")
    );
    for target in ["kept-here", "broken"] {
        let records = app
            .stack
            .collector()
            .records(&format!("target={target}"))
            .await?;
        assert!(records.is_empty(), "{records:#?}");
    }
    app.close().await
}

#[tokio::test]
async fn outside_the_sample_failures_and_stalls_are_kept_and_say_so() -> Result<(), Trouble> {
    let app = App::open("sample").await?;
    app.start(json!({ "sampleRate": 0 })).await?;
    app.call("read", read("fine")).await?;
    let cases = [
        ("failed", "mock-error", "failure"),
        (
            "stalled",
            "script:first=50,gap=10,n=12,stall=4:700",
            "stall",
        ),
    ];
    for (target, model, why) in cases {
        app.ask("read", &["reader", model, target, target]).await?;
        let record = app.record(target).await?;
        assert_eq!(record.unknown["kept_for"], json!(why));
        assert_eq!(record.unknown["sample_rate"].as_f64(), Some(0.0));
    }
    assert!(
        app.stack
            .collector()
            .records("target=fine")
            .await?
            .is_empty()
    );
    app.close().await
}

#[tokio::test]
async fn the_types_name_what_the_package_exports() -> Result<(), Trouble> {
    let types = place()?.package().join("index.d.ts");
    let types = std::fs::read_to_string(&types).map_err(Trouble::file(&types))?;
    let value = |line: &str| {
        let rest = line.strip_prefix("export function ");
        let rest = rest.or_else(|| line.strip_prefix("export const "))?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
        Some(rest[..end].to_owned())
    };
    let mut named: Vec<String> = types.lines().filter_map(value).collect();
    named.sort();
    let app = App::open("types").await?;
    let exported = app
        .run("return Object.keys(window.streamlag).sort()")
        .await?;
    assert_eq!(exported, json!(named));
    app.close().await
}
