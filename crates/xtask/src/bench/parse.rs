//! Reading streams: ours beside the libraries that people use for it.

use anyhow::{Context, Result};
use harness::browser::Engine;
use harness::place::Place;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

use super::ratio::{self, Contender};
use super::{page, weight};
use crate::program::{cargo, output, run as run_program, step};
use crate::setup;

const PACKAGE: &str = "parse-bench";
/// As shipped: natively too the core is measured at full effort.
const PROFILE: &str = "release";
/// So many times as quick as the better of the others.
const AIM: f64 = 3.0;
/// Recorded streams beside the checkout, where there are any.
const CAPTURES: &str = "../shared/streams/captures";

/// Natively first; what that wrote is what the page reads.
///
/// # Errors
/// When something is missing or does not build.
pub(crate) fn run(place: &Place) -> Result<()> {
    setup::all(place)?;
    setup::browsers::install(place, &[Engine::Chromium])?;
    let bodies = place.run("bench").join("bodies");
    natively(place, &bodies)?;
    let module = weight::print(place)?;
    page::run(place, &module, &bodies)
}

fn natively(place: &Place, bodies: &PathBuf) -> Result<()> {
    step("building the native readers", || {
        run_program(
            cargo(place).args([
                "build",
                "--locked",
                "--package",
                PACKAGE,
                "--profile",
                PROFILE,
            ]),
            "see cargo's message above",
        )
    })?;
    let mut bench = Command::new(place.target().join(PROFILE).join(PACKAGE));
    bench.arg(bodies);
    let captures = place.root().join(CAPTURES);
    if captures.is_dir() {
        bench.arg(captures);
    } else {
        println!("captures: SKIPPED, {CAPTURES} is not there; the generated stream alone is read");
    }
    let report = step("reading natively", || {
        output(&mut bench, "the readers must read the streams")
    })?;
    let report: Value = serde_json::from_str(&report).context("the bench's report")?;
    for result in report["results"].as_array().context("no results")? {
        let title = format!(
            "natively, {}: {} bodies ({} that not everybody can read left out), CPU time",
            result["name"].as_str().unwrap_or_default(),
            result["bodies"],
            result["left_out"]
        );
        let contenders = result["contenders"].as_array().context("no contenders")?;
        let contenders: Result<Vec<_>> = contenders.iter().map(Contender::parse).collect();
        ratio::print(&title, &contenders?, AIM)?;
    }
    let memory = &report["memory"];
    println!(
        "memory of the whole process while the probe read one stream of {} bytes, {} events, in KB: \
         {} at its beginning, {} after a hundredth of it, {} at most from then on\n",
        memory["bytes"],
        memory["events"],
        memory["before_kb"],
        memory["settled_kb"],
        memory["most_kb"]
    );
    Ok(())
}
