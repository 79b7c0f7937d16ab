//! All that the demo and the end-to-end tests run, built.

use anyhow::Result;
use harness::Place;

use crate::{binaries, setup, wasm};

/// The page, the worker and the binary, in the order in which one needs another.
///
/// # Errors
/// When something is missing or does not build.
pub(crate) fn all(place: &Place) -> Result<()> {
    setup::all(place)?;
    wasm::page(place, &wasm::DEMO)?;
    wasm::worker(place, &wasm::DEMO)?;
    binaries::streamlag(place)
}
