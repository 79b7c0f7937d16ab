//! `cargo xtask bench accuracy`: what streamlag measured against what the scripted server knows, in three places,
//! under four loads, each beside a bare read loop in the same place and the same run.
//!
//! The truth lies between the server's receiving a request and its writing an event, so the way there and back is
//! in every error. The bare loop goes the same way: what counts is how far streamlag is above it.

mod cell;
mod edge;
mod errors;
mod native;
mod page;
mod report;
mod summary;
mod vantage;

use anyhow::Result;
use harness::browser::{Browser, Engine, Window};
use harness::workerd;
use harness::{Place, Plan, Stack};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

use crate::{parts, setup, wasm};
use edge::{Edge, REGIONS};
use native::Native;
use page::Page;
use report::Report;
use vantage::{Vantage, measure};

pub(super) use native::bare_loop;

const TARGETS: &str = include_str!("targets.toml");
/// Enough for P95 of one stream and, with many at once, for P99.
const ROUNDS: usize = 100;
/// Enough for medians.
const QUICK_ROUNDS: usize = 20;

/// How to run it.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Rounds of each place [default: 100, about four minutes a place; 300 also give P99 of single streams].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=2_000))]
    rounds: Option<u32>,
    /// 20 rounds: medians only, under a minute a place.
    #[arg(long, conflicts_with = "rounds")]
    quick: bool,
    /// Only there.
    #[arg(long)]
    place: Option<Where>,
    /// One JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// A place, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Where {
    /// `streamlag probe`
    Native,
    /// The agent in Chromium
    Page,
    /// The worker
    Workerd,
}

/// Builds, starts, measures and prints.
///
/// # Errors
/// When a part is missing or a stream was not measured. A missed goal is no error: it is printed.
pub(crate) fn run(place: &Place, options: &Options) -> Result<()> {
    let wants_page = options.place.is_none_or(|only| only == Where::Page);
    if wants_page {
        setup::browsers::install(place, &[Engine::Chromium])?;
    }
    parts::all(place)?;
    let module = wants_page.then(|| wasm::accuracy_page(place)).transpose()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let before = load_average();
    let reports = runtime.block_on(all(place, options, module))?;
    let load = [before, load_average()];
    if options.json {
        let reports: Vec<_> = reports.iter().map(Report::json).collect();
        println!("{}", json!({ "places": reports, "load_average": load }));
        return Ok(());
    }
    for report in &reports {
        println!("\n{}", report.text());
    }
    println!(
        "gap: without its sign. —: too few samples (P50 needs 20, P95 100, P99 300). Load average before and after: {}",
        load.map(|load| load.unwrap_or_else(|| "unknown".to_owned()))
            .join(", ")
    );
    Ok(())
}

async fn all(place: &Place, options: &Options, module: Option<PathBuf>) -> Result<Vec<Report>> {
    let wants = |at| options.place.is_none_or(|only| only == at);
    let rounds = match (options.rounds, options.quick) {
        (Some(rounds), _) => rounds as usize,
        (None, true) => QUICK_ROUNDS,
        (None, false) => ROUNDS,
    };
    let mut plan = Plan::new("accuracy", TARGETS)?;
    plan.edge = wants(Where::Workerd).then(|| workerd::Edge {
        regions: REGIONS.map(str::to_owned).to_vec(),
        ..workerd::Edge::default()
    });
    let stack = Stack::start(place, plan).await?;
    let mut reports = Vec::new();
    if wants(Where::Native) {
        reports.push(one(&mut Native { stack: &stack }, rounds).await?);
    }
    if let Some(module) = module {
        let browser = Browser::start(stack.folder(), Window::default()).await?;
        let mut page = Page::open(place, &stack, &browser, &module).await?;
        let report = one(&mut page, rounds).await;
        drop(page);
        browser.close().await?;
        reports.push(report?);
    }
    if wants(Where::Workerd) {
        reports.push(one(&mut Edge::new(&stack), rounds).await?);
    }
    Ok(reports)
}

async fn one(place: &mut impl Vantage, rounds: usize) -> Result<Report> {
    eprintln!("▸ {}: {}", place.name(), place.about());
    let start = Instant::now();
    let loads = measure(place, rounds).await?;
    eprintln!(
        "  {}: {rounds} rounds in {:.0} s",
        place.name(),
        start.elapsed().as_secs_f64()
    );
    Ok(Report::new(place, loads))
}

/// Of the last minute, where the system tells it.
fn load_average() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}
