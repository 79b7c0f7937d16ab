//! The native binary that the demo and the tests run, with the page inside.

use anyhow::Result;
use harness::Place;

use crate::program::{cargo, run, step};

/// Builds `target/demo/streamlag` with the page of `target/web` embedded, where that is built.
///
/// # Errors
/// When cargo fails.
pub(crate) fn streamlag(place: &Place) -> Result<()> {
    let mut build = cargo(place);
    build.args([
        "build",
        "--locked",
        "--package",
        "streamlag",
        "--profile",
        "demo",
    ]);
    // Named only where it is: a build without it must not pass for one with it later.
    if place.web().is_dir() {
        build.env("STREAMLAG_WEB_DIST", place.web());
    }
    step("building streamlag", || {
        run(&mut build, "see cargo's message above")
    })
}
