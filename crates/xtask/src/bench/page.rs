//! The same in a real page: our wasm beside what JavaScript has.

use anyhow::{Context, Result};
use harness::blank::{self, Blank};
use harness::browser::{Browser, Window};
use harness::place::Place;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

use super::ratio::{self, Contender};
use crate::wasm::files;

const SCRIPT: &str = include_str!("page.js");
/// What the native bench wrote; bytes read in a round, and rounds. The first is the long stream.
const BODIES: [(&str, usize, usize); 3] = [
    ("openai", 100 << 20, 5),
    ("anthropic", 20 << 20, 11),
    ("captures", 20 << 20, 11),
];
/// So many times as quick as the others.
const AIM: f64 = 2.0;
/// A whole comparison must be over by then.
const LIMIT: Duration = Duration::from_secs(600);

/// Loads both into one page and lets them take turns.
///
/// # Errors
/// When the browser does not start, or the page says so.
pub(super) fn run(place: &Place, module: &Path, bodies: &Path) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let browser = Browser::start(&place.run("bench"), Window::default()).await?;
        let result = all(place, &browser, module, bodies).await;
        browser.close().await?;
        result
    })
}

async fn all(place: &Place, browser: &Browser, module: &Path, bodies: &Path) -> Result<()> {
    let page = Blank::open(browser, SCRIPT, LIMIT).await?;
    let parser = place.npm().join("node_modules/eventsource-parser/dist");
    let both = vec![
        blank::file(&module.join("parse_page.js"))?,
        blank::file(&module.join("parse_page_bg.wasm"))?,
        blank::file(&parser.join("errors.js"))?,
        blank::file(&parser.join("parse.js"))?,
    ];
    page.call("bench.load", both).await?;
    for (name, length, rounds) in BODIES {
        let folder = bodies.join(name);
        if !folder.is_dir() {
            continue;
        }
        for path in files(&folder, |_| true)? {
            page.call("bench.add", vec![blank::file(&path)?]).await?;
        }
        eprintln!("▸ reading {name} in a page");
        let report = page
            .call(
                "bench.compare",
                vec![json!(name), json!(length), json!(rounds)],
            )
            .await?;
        let contenders = report.as_array().context("the page names no reader")?;
        let contenders: Result<Vec<_>> = contenders.iter().map(Contender::parse).collect();
        ratio::print(&format!("in a page, {name}, wall time"), &contenders?, AIM)?;
    }
    Ok(())
}
