//! `cargo test` of everything that runs natively.

use anyhow::Result;
use harness::Place;

use super::count::Counts;
use crate::program::cargo;

/// The crates under test, in the `dev` profile with its overflow checks; then the tools, in the profile in which
/// they are already built.
///
/// # Errors
/// When a test fails.
pub(super) fn run(place: &Place, counts: &mut Counts) -> Result<()> {
    let mut crates = cargo(place);
    crates.args(["test", "--locked", "--no-fail-fast", "--workspace"]);
    for other in [
        "xtask",
        "harness",
        "streamlag-e2e",
        "bare",
        "parse-bench",
        "parse-page",
        "accuracy-page",
        "replay-page",
    ] {
        crates.args(["--exclude", other]);
    }
    counts.cargo_test("cargo test", &mut crates)?;
    let mut tools = cargo(place);
    tools.args([
        "test",
        "--locked",
        "--profile",
        "demo",
        "--package",
        "xtask",
        "--package",
        "harness",
    ]);
    counts.cargo_test("cargo test of the tools", &mut tools)
}
