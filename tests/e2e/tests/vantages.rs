//! Browser, edge and native process measure the same stream alike, and none knows anything before it was sent.

use harness::mock::{self, Truth};
use harness::page::Page;
use harness::{Stack, Trouble};
use std::time::Duration;
use streamlag_e2e::{browser, output, stack};
use streamlag_wire::Record;

const TARGET: &str = "quick";
const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
async fn every_vantage_counts_what_was_sent_and_sees_none_of_it_earlier() -> Result<(), Trouble> {
    let stack = stack("vantages").await?;
    let browser = browser(&stack).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose(TARGET).await?;
    page.ask().await?;
    stack.collector().edge_probe(TARGET).await?;
    output(
        stack
            .streamlag("probe")
            .arg(TARGET)
            .args(["--collector", &stack.url()]),
    )?;
    for (vantage, expected) in [("browser", 1), ("edge", 3), ("server", 1)] {
        let query = format!("target={TARGET}&vantage={vantage}");
        let records = stack
            .collector()
            .wait(&query, expected, vantage, LIMIT)
            .await?;
        assert_eq!(records.len(), expected, "{vantage}");
        for record in &records {
            agrees(record, &truth(&stack, record).await?);
        }
    }
    browser.close().await
}

async fn truth(stack: &Stack, record: &Record) -> Result<Truth, Trouble> {
    let id = record.http.request_id.clone().unwrap_or_default();
    mock::truth(&stack.mock_url(), &id).await
}

fn agrees(record: &Record, truth: &Truth) {
    let place = (record.vantage, &record.region);
    let sent: Vec<_> = truth
        .events
        .iter()
        .filter(|event| event.kind == "content")
        .collect();
    assert_eq!(record.counts.content as usize, sent.len(), "{place:?}");
    assert_eq!(record.tokens.output, Some(sent.len() as u64), "{place:?}");
    assert_eq!(truth.ending.as_deref(), Some("complete"), "{place:?}");
    // Our clock starts before the server's and stops after it, by at least nothing and at most its step.
    let step = record.clock.step_ms.unwrap_or(1.0);
    let seen = [record.timing.ttft_ms, record.timing.total_ms];
    let written = [sent.first(), sent.last()];
    for (seen, written) in seen.into_iter().zip(written) {
        let seen = seen.unwrap_or_default();
        let written = written.map_or(0.0, |event| event.began_us as f64 / 1_000.0);
        assert!(
            seen + step >= written,
            "{place:?}: seen at {seen} ms, written at {written} ms"
        );
    }
}
