//! What is measured of an app's answers, with the core and without it.

use harness::site::Site;
use harness::{Trouble, mock};
use serde_json::json;
use streamlag_wire::{Record, Vantage};

use crate::app::App;

/// A pause in the middle that no scheduling noise hides.
const SCHEDULED: &str = "script:first=200,gap=30,n=20,stall=10:900";

/// The schedule's own proof: counts and order exactly, durations against what the server says it did.
async fn matches_truth(app: &App, record: &Record, id: &str) -> Result<(), Trouble> {
    let truth = mock::truth(&app.stack.mock_url(), id).await?;
    let sent: Vec<_> = truth
        .events
        .iter()
        .filter(|e| e.kind == "content")
        .collect();
    assert_eq!(record.counts.content as usize, sent.len());
    let ttft_us = record.timing.ttft_ms.unwrap_or_default() * 1e3;
    assert!(
        ttft_us >= sent[0].began_us as f64,
        "ttft {ttft_us} µs is before the text was sent"
    );
    assert_eq!(record.gaps.stalls, 1, "{:?}", record.gaps);
    let longest = record.gaps.longest[0].gap_ms;
    assert!((800.0..1_500.0).contains(&longest), "{longest}");
    assert!(record.timing.gen_ms.unwrap_or_default() > longest);
    Ok(())
}

#[tokio::test]
async fn a_known_schedule_is_measured_against_the_servers_truth() -> Result<(), Trouble> {
    let app = App::open("schedule").await?;
    app.ready().await?;
    app.ask("read", &["reader", SCHEDULED, "schedule-1", "schedule"])
        .await?;
    let record = app.record("schedule").await?;
    assert_eq!(record.vantage, Vantage::Browser);
    assert!(
        record.agent.starts_with("streamlag-agent/"),
        "{}",
        record.agent
    );
    assert_eq!(record.http.request_id.as_deref(), Some("schedule-1"));
    let base = format!("{}/openai/v1/chat/completions", app.stack.mock_url());
    assert_eq!(record.target.base_url.as_deref(), Some(base.as_str()));
    assert!(record.parse_ms.is_some() && record.own_cost_ms.is_some());
    assert!(record.clock.step_ms.is_some());
    matches_truth(&app, &record, "schedule-1").await?;
    app.close().await
}

#[tokio::test]
async fn an_answer_that_began_before_the_core_was_there_is_measured_whole() -> Result<(), Trouble> {
    let app = App::open("early").await?;
    let mock = app.stack.mock_url();
    let collector = app.stack.url();
    // One task: nothing can load between the start and the request.
    app.run(&format!(
        "app.start({{ collector: {collector:?}, consent: true }}, {mock:?});\
         window.early = app.read('reader', {SCHEDULED:?}, 'early-1', 'early')"
    ))
    .await?;
    app.run("return window.early.then((text) => text.length)")
        .await?;
    let record = app.record("early").await?;
    assert_eq!((record.outcome.as_str(), record.complete), ("ok", true));
    matches_truth(&app, &record, "early-1").await?;
    app.close().await
}

#[tokio::test]
async fn what_an_observed_element_shows_has_its_render_lag() -> Result<(), Trouble> {
    let app = App::open("observed").await?;
    app.ready().await?;
    let id = app
        .ask("shown", &["mock-quick", "observed-1", "observed"])
        .await?;
    let record = app.record("observed").await?;
    assert_eq!(json!(record.id), id);
    let render = record.render.unwrap_or_default();
    let [earliest, latest] = [record.sketches.lag_earliest, record.sketches.lag_latest]
        .map(|lag| lag.and_then(|lag| lag.max_ms));
    assert!(render.frames >= 1 && latest.is_some(), "{render:?}");
    assert_eq!(render.not_shown, 0, "{render:?}");
    assert!(earliest <= latest);

    app.ask("committed", &["mock-quick", "committed-1", "committed"])
        .await?;
    let render = app.record("committed").await?.render.unwrap_or_default();
    assert!(render.frames >= 1 && render.not_shown == 0, "{render:?}");
    app.close().await
}

#[tokio::test]
async fn where_wasm_is_refused_a_reduced_record_comes_that_says_so() -> Result<(), Trouble> {
    let refusing = |site: Site| site.with_policy("script-src 'self' 'unsafe-inline'");
    let app = App::on("reduced", refusing).await?;
    app.ready().await?;
    app.ask("read", &["reader", SCHEDULED, "reduced-1", "reduced"])
        .await?;
    let record = app.record("reduced").await?;
    assert!(record.agent.starts_with("streamlag-agent-reduced/"));
    assert!(record.flags.iter().any(|flag| flag == "reduced"));
    // Which read held the first text is not known without reading.
    assert_eq!(record.timing.ttft_ms, None);
    assert!(!record.complete);
    let (ttfb, end) = (record.timing.ttfb_ms, record.timing.stream_end_ms);
    assert!(ttfb.is_some() && ttfb < end, "{:?}", record.timing);
    assert!(record.chunks.len() > 10 && record.counts.reads as usize >= record.chunks.len());
    let longest = record.gaps.longest[0].gap_ms;
    assert!((800.0..1_500.0).contains(&longest), "{longest}");
    assert_eq!(record.gaps.stalls, 1);
    app.close().await
}

#[tokio::test]
async fn where_a_script_broke_streaming_compilation_the_core_loads_all_the_same()
-> Result<(), Trouble> {
    let app = App::open("compile").await?;
    app.run("WebAssembly.compileStreaming = () => Promise.reject(new TypeError('broken'))")
        .await?;
    app.ready().await?;
    app.ask("read", &["reader", SCHEDULED, "compile-1", "compile"])
        .await?;
    let record = app.record("compile").await?;
    assert!(
        record.agent.starts_with("streamlag-agent/"),
        "{}",
        record.agent
    );
    assert!(record.timing.ttft_ms.is_some());
    app.close().await
}

#[tokio::test]
async fn a_busy_main_thread_is_not_taken_for_the_network() -> Result<(), Trouble> {
    let app = App::open("busy").await?;
    app.ready().await?;
    let steady = "script:first=100,gap=40,n=30";
    let mut arguments = [steady, "busy-1", "busy"].map(|text| json!(text)).to_vec();
    arguments.push(json!(800));
    app.call("busy", arguments).await?;
    let record = app.record("busy").await?;
    let longest = &record.gaps.longest[0];
    assert!(longest.gap_ms > 500.0, "{longest:?}");
    assert_eq!(longest.cause, "main_thread", "{longest:?}");
    assert_eq!(record.gaps.provider_stalls, 0);
    app.close().await
}

#[tokio::test]
async fn text_that_the_app_holds_back_is_counted_as_held_back() -> Result<(), Trouble> {
    let app = App::open("throttled").await?;
    app.ready().await?;
    let slow = "script:first=100,gap=150,n=8";
    let mut arguments = [slow, "held-1", "held"].map(|text| json!(text)).to_vec();
    arguments.push(json!(100));
    app.call("throttled", arguments).await?;
    let held_back = app
        .record("held")
        .await?
        .sketches
        .holdback
        .unwrap_or_default();
    // A timer never fires early, but for the step of its clock; how late, is the machine's affair.
    assert!(held_back.n > 4, "{held_back:?}");
    assert!(held_back.min_ms > Some(98.0), "{held_back:?}");
    app.close().await
}

#[tokio::test]
async fn a_hidden_tab_reads_on_and_its_paint_is_censored() -> Result<(), Trouble> {
    let app = App::open("hidden").await?;
    app.ready().await?;
    app.run("window.hidden = app.shown('script:first=300,gap=50,n=30', 'hidden-1', 'hidden')")
        .await?;
    let page = app.hide().await?;
    let collector = app.stack.collector();
    let limit = std::time::Duration::from_secs(30);
    let records = collector.wait("target=hidden", 1, "the hidden tab", limit);
    let record = records.await?.remove(0);
    app.show(page).await?;
    assert_eq!((record.outcome.as_str(), record.complete), ("ok", true));
    assert_eq!(record.counts.content, 30);
    assert!(
        record.flags.iter().any(|flag| flag == "hidden"),
        "{:?}",
        record.flags
    );
    let render = record.render.unwrap_or_default();
    assert!(render.censored > 20, "{render:?}");
    app.close().await
}
