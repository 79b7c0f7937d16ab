//! `cargo xtask demo --once`: one stream in a real browser, one from each edge region, one native; the
//! comparison as a table; and how far each vantage is from a bare loop in the same place and from the truth.

mod accuracy;
mod comparison;

use anyhow::{Context, Result, bail};
use harness::Stack;
use harness::browser::{Browser, Window};
use harness::page::Page;
use std::process::Stdio;
use std::time::Duration;

/// What all vantages measure.
const TARGET: &str = "steady";
const LIMIT: Duration = Duration::from_secs(30);
/// The prober's regions in the demo.
const REGIONS: usize = 3;

/// Measures, waits for the records, prints.
///
/// # Errors
/// When a vantage fails or a record does not reach the store.
pub(crate) async fn run(stack: &Stack) -> Result<()> {
    let browser = Browser::start(stack.folder(), Window::default()).await?;
    let page = Page::open(&browser, &stack.url()).await?;
    page.choose(TARGET).await?;
    eprintln!("▸ asking {TARGET:?} in Chromium, from {REGIONS} edge regions, and natively");
    let shown = page.ask().await?;
    if shown.outcome != "ok" {
        bail!(
            "the page's stream ended as {:?}: {}",
            shown.outcome,
            shown.sentence
        );
    }
    let edge = stack.collector().edge_probe(TARGET).await?;
    native(stack, TARGET)?;
    for (vantage, least) in [("browser", 1), ("edge", REGIONS), ("server", 1)] {
        let query = format!("target={TARGET}&vantage={vantage}");
        let records = stack.collector().wait(&query, least, vantage, LIMIT).await;
        records.with_context(|| format!("the worker answered {edge}"))?;
    }
    let answer = stack.collector().comparison(TARGET).await?;
    println!("\n{}\n", comparison::table(&answer)?);
    accuracy::run(stack, &page).await?;
    browser.close().await?;
    Ok(())
}

/// One native probe.
fn native(stack: &Stack, target: &str) -> Result<()> {
    let mut probe = stack.streamlag("probe");
    probe
        .arg(target)
        .args(["--collector", &stack.url()])
        .stdout(Stdio::null());
    let status = probe
        .status()
        .context("streamlag probe could not be started")?;
    if !status.success() {
        bail!("`streamlag probe {target}` failed ({status}); see its message above");
    }
    Ok(())
}
