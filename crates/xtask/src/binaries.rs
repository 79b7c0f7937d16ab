//! The native binary that the demo and the tests run, with the page inside.

use anyhow::Result;
use harness::place::Place;

use crate::program::{cargo, run, step};

/// Builds `target/demo/streamlag` with the page of `target/web` embedded.
///
/// # Errors
/// When cargo fails.
pub(crate) fn streamlag(place: &Place) -> Result<()> {
    step("building streamlag", || {
        run(
            cargo(place)
                .args([
                    "build",
                    "--locked",
                    "--package",
                    "streamlag",
                    "--profile",
                    "demo",
                ])
                .env("STREAMLAG_WEB_DIST", place.web()),
            "see cargo's message above",
        )
    })
}
