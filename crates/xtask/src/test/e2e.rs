//! The end-to-end tests, against what the demo runs.

use anyhow::Result;
use harness::Place;
use harness::browser::Engine;
use harness::ports::Ports;

use super::count::Counts;
use crate::program::cargo;
use crate::{demo, package, parts, setup, wasm};

/// Builds all parts, then lets `tests/e2e` start and use them.
///
/// # Errors
/// When a build or a test fails.
pub(super) fn run(place: &Place, counts: &mut Counts) -> Result<()> {
    setup::browsers::install(place, &Engine::ALL)?;
    parts::all(place)?;
    wasm::replay_page(place)?;
    package::build(place)?;
    let mut tests = cargo(place);
    tests.args([
        "test",
        "--locked",
        "--no-fail-fast",
        "--profile",
        "demo",
        "--package",
        "streamlag-e2e",
    ]);
    // Timing is what is tested: one at a time.
    tests.args(["--", "--test-threads=1"]);
    counts.cargo_test("end to end", &mut tests)
}

/// The headless demo, as a person runs it but for the ports.
///
/// # Errors
/// When it does not end well.
pub(super) fn once(place: &Place, counts: &mut Counts) -> Result<()> {
    setup::browsers::install(place, &[Engine::Chromium])?;
    parts::all(place)?;
    let name = "demo-test".to_owned();
    // Chosen late: a free port does not stay free for long.
    let ports = Ports::free()?;
    demo::run(
        place,
        &demo::Options {
            once: true,
            name,
            ports,
        },
    )?;
    counts.add("the headless demo", 1, 0, 0);
    Ok(())
}
