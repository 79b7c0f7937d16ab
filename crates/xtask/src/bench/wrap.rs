//! What measuring adds to each read of an answer, in a real page.

use anyhow::{Context, Result, bail};
use harness::browser::{Browser, Engine, Window};
use harness::place::Place;
use harness::site::Site;
use serde_json::Value;
use std::fs;

use crate::{package, setup};

const SCRIPT: &str = include_str!("wrap.js");
const PAGE: &str = "<!doctype html><script type=module src=/wrap.js></script>";
const CALL: &str = "const done = arguments[arguments.length - 1];\
    const wait = () => window.bench ? bench().then(done, (error) => done(String(error))) : setTimeout(wait, 20);\
    wait()";

/// Lets a bare and a measured response take turns.
///
/// # Errors
/// When the package does not build, the browser does not start, or not all was measured.
pub(super) fn run(place: &Place) -> Result<()> {
    setup::all(place)?;
    setup::browsers::install(place, &[Engine::Chromium])?;
    package::build(place)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let report = runtime.block_on(in_page(place))?;
    let us = |name: &str| report[name].as_f64().context("the page gives no number");
    if !report.is_object() {
        bail!("the page says {report}");
    }
    println!(
        "µs a chunk, medians of {} rounds of {} chunks with one event each:\n\
         bare {:.2}, measured {:.2}, added {:.2}; the agent's own count {:.2}",
        report["rounds"],
        report["chunks"],
        us("bare_us")?,
        us("measured_us")?,
        us("added_us")?,
        us("own_us")?,
    );
    Ok(())
}

async fn in_page(place: &Place) -> Result<Value> {
    let site = Site::default()
        .with("/", PAGE)
        .with("/wrap.js", SCRIPT)
        .with_folder("/streamlag", &place.package())?
        .open()
        .await?;
    let folder = place.run("bench");
    fs::create_dir_all(&folder)?;
    let browser = Browser::start(&folder, Window::default()).await?;
    browser.client().goto(&site.url("/")).await?;
    let report = browser.client().execute_async(CALL, Vec::new()).await?;
    browser.close().await?;
    Ok(report)
}
