//! The page in real browsers: what a person sees, and the record that it leaves.

use harness::browser::Engine;
use harness::mock;
use harness::page::Page;
use harness::{Stack, Trouble};
use serde_json::Value;
use std::time::Duration;
use streamlag_e2e::{browser_of, ending, in_each_browser, stack};
use streamlag_wire::{Record, Vantage};

const LIMIT: Duration = Duration::from_secs(30);

async fn stored(stack: &Stack, id: &str) -> Result<Record, Trouble> {
    let record = stack.collector().record(id).await?;
    record.ok_or_else(|| Trouble::Answer {
        url: stack.url(),
        reason: format!("record {id} is not stored"),
    })
}

in_each_browser!(an_answer_streams_in_and_its_record_is_stored);
async fn an_answer_streams_in_and_its_record_is_stored(engine: Engine) -> Result<(), Trouble> {
    let stack = stack(&format!("answer-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose("steady").await?;
    page.press("ask").await?;
    let length = "return document.querySelector('[data-testid=answer]')?.innerText.length || false";
    let early = page.wait_for("the first text", length).await?.as_u64();
    let shown = page.finished().await?;
    let answer = page.text("answer").await?;
    assert!(
        early < Some(answer.chars().count() as u64),
        "all text came at once"
    );
    assert_eq!(
        (shown.outcome.as_str(), shown.class),
        ("ok", None),
        "{}",
        shown.sentence
    );

    let record = stored(&stack, &shown.record_id).await?;
    assert_eq!(record.vantage, Vantage::Browser);
    assert_eq!(record.target.id, "steady");
    assert!(record.complete);
    let request_id = record.http.request_id.clone().unwrap_or_default();
    let truth = mock::truth(&stack.mock_url(), &request_id).await?;
    let sent: Vec<_> = truth
        .events
        .iter()
        .filter(|event| event.kind == "content")
        .collect();
    assert_eq!(record.counts.content as usize, sent.len());
    // Our clock starts before the server's and stops after it.
    let ttft = record.timing.ttft_ms.unwrap_or_default();
    assert!(
        ttft * 1_000.0 >= sent[0].began_us as f64,
        "ttft {ttft} ms is before the text was sent"
    );
    assert_eq!(
        record.counts.answer_chars,
        answer.chars().count() as u64,
        "{answer:?}"
    );
    let render = record.render.unwrap_or_default();
    let lag = record.sketches.lag_latest.and_then(|lag| lag.max_ms);
    assert!(render.frames > 1 && lag.is_some(), "{render:?}");
    browser.close().await
}

in_each_browser!(every_number_of_the_record_is_shown_or_said_to_be_missing);
async fn every_number_of_the_record_is_shown_or_said_to_be_missing(
    engine: Engine,
) -> Result<(), Trouble> {
    let stack = stack(&format!("numbers-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose("quick").await?;
    let shown = page.ask().await?;
    let rows = "return [...document.querySelectorAll('[data-testid^=metric-]')].map(r=>\
                [r.dataset.testid, r.querySelector('.value').innerText, r.querySelector('.note').innerText])";
    let rows = page.run(rows, Vec::new()).await?;
    let rows: Vec<[String; 3]> = serde_json::from_value(rows).unwrap_or_default();
    for word in [
        "wait_ms", "ttfb_ms", "ttft_ms", "ttfo_ms", "gen_ms", "total_ms", "parse_ms",
    ] {
        let row = rows.iter().find(|[id, ..]| *id == format!("metric-{word}"));
        let Some([_, value, note]) = row else {
            return Err(Trouble::Answer {
                url: word.to_owned(),
                reason: format!("no such row among {rows:?}"),
            });
        };
        assert!(
            value != "—" || !note.is_empty(),
            "{word} is missing without a reason"
        );
    }
    let record = stored(&stack, &shown.record_id).await?;
    assert!(
        record.clock.step_ms.is_some_and(|step| step > 0.0),
        "{:?}",
        record.clock
    );
    assert_eq!(record.tokens.source, "usage");
    browser.close().await
}

in_each_browser!(stop_ends_the_stream_here_and_at_the_server);
async fn stop_ends_the_stream_here_and_at_the_server(engine: Engine) -> Result<(), Trouble> {
    let stack = stack(&format!("stop-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose("long").await?;
    page.ask_for_first_text().await?;
    page.press("stop").await?;
    let shown = page.finished().await?;
    assert_eq!(shown.outcome, "aborted", "{}", shown.sentence);
    let record = stored(&stack, &shown.record_id).await?;
    assert_eq!(record.outcome, "aborted");
    assert!(record.timing.ttft_ms.is_some() && !record.complete);
    let request_id = record.http.request_id.unwrap_or_default();
    assert_eq!(ending(&stack, &request_id).await?, "client_gone");
    browser.close().await
}

in_each_browser!(a_page_that_is_left_mid_stream_leaves_a_record);
async fn a_page_that_is_left_mid_stream_leaves_a_record(engine: Engine) -> Result<(), Trouble> {
    // Firefox loses the last post of some pages that are left (about one in six here). There the
    // claim is that a record, where it arrives, does not blame the network.
    let attempts = match engine {
        Engine::Firefox => 6,
        Engine::Chromium | Engine::WebKit => 1,
    };
    let stack = stack(&format!("left-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    for _ in 0..attempts {
        let page = Page::open(&browser, &stack.url()).await?;
        page.choose("long").await?;
        page.ask_for_first_text().await?;
        browser.client().goto("about:blank").await?;
    }
    let query = "target=long&vantage=browser";
    let records = stack.collector();
    let records = records.wait(query, 1, "the left page", LIMIT).await?;
    for record in &records {
        assert_eq!(record.outcome, "aborted");
        assert!(record.timing.ttft_ms.is_some());
    }
    println!("{} of {attempts} left pages left a record", records.len());
    browser.close().await
}

in_each_browser!(each_way_to_fail_has_its_outcome_its_class_and_a_sentence);
async fn each_way_to_fail_has_its_outcome_its_class_and_a_sentence(
    engine: Engine,
) -> Result<(), Trouble> {
    // WebKit lets a page see a body that was cut as one that ended: no terminal event is all that is known.
    let cut = match engine {
        Engine::WebKit => "truncated",
        Engine::Chromium | Engine::Firefox => "reset",
    };
    // Target, outcome, class, and a word that the sentence must have.
    let cases = [
        ("down", "error", "connect", "nothing accepts"),
        ("no-such-host", "error", "dns", "name"),
        ("unauthorized", "error", "auth", "key"),
        ("rate-limited", "error", "rate_limited", "429"),
        ("html", "error", "not_a_stream", "page"),
        ("cut", "truncated", cut, "cut"),
        ("eof", "truncated", "truncated", "end"),
        ("error", "error", "server", "error"),
        ("silent", "timeout", "timeout", "time"),
    ];
    let stack = stack(&format!("failures-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    let mut wrong = Vec::new();
    for (target, outcome, class, word) in cases {
        page.choose(target).await?;
        let shown = page.ask().await?;
        let record = stored(&stack, &shown.record_id).await?;
        let seen = (record.outcome.as_str(), record.error_class.as_deref());
        if seen != (outcome, Some(class)) || shown.outcome != outcome {
            wrong.push(format!("{target}: {seen:?}, {:?}", shown.sentence));
        }
        if !shown.sentence.to_lowercase().contains(word) {
            wrong.push(format!("{target}: no {word:?} in {:?}", shown.sentence));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    browser.close().await
}

in_each_browser!(an_answer_that_was_not_streamed_is_told_apart);
async fn an_answer_that_was_not_streamed_is_told_apart(engine: Engine) -> Result<(), Trouble> {
    let stack = stack(&format!("json-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose("json").await?;
    let shown = page.ask().await?;
    let record = stored(&stack, &shown.record_id).await?;
    assert!(
        record.flags.iter().any(|flag| flag == "not_streamed"),
        "{:?}",
        record.flags
    );
    assert!(
        shown.sentence.contains("instead of a stream"),
        "{}",
        shown.sentence
    );
    browser.close().await
}

in_each_browser!(the_page_reports_no_errors_of_its_own);
async fn the_page_reports_no_errors_of_its_own(engine: Engine) -> Result<(), Trouble> {
    let stack = stack(&format!("console-{engine}")).await?;
    let browser = browser_of(engine, &stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    let listen = "window.__errors=[]; addEventListener('error',e=>__errors.push(String(e.message)));\
                  addEventListener('unhandledrejection',e=>__errors.push(String(e.reason)));\
                  const e=console.error; console.error=(...a)=>{__errors.push(a.map(String).join(' '));e(...a)}";
    page.run(listen, Vec::new()).await?;
    for target in ["quick", "reasoning", "ollama"] {
        page.choose(target).await?;
        let shown = page.ask().await?;
        assert_eq!(shown.outcome, "ok", "{target}: {}", shown.sentence);
    }
    let errors = page.run("return __errors", Vec::new()).await?;
    assert_eq!(errors, Value::Array(Vec::new()));
    browser.close().await
}
