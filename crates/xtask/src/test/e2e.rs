//! The end-to-end tests, against what the demo runs.

use anyhow::Result;
use harness::place::Place;

use super::count::Counts;
use crate::program::cargo;
use crate::{parts, setup};

/// Builds all parts, then lets `tests/e2e` start and use them.
///
/// # Errors
/// When a build or a test fails.
pub(super) fn run(place: &Place, counts: &mut Counts) -> Result<()> {
    setup::chromium::install()?;
    parts::all(place)?;
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
