//! What must be there before anything is built: the wasm target, Node, and two npm packages in `target/npm`.

pub(crate) mod browsers;
mod node;
mod npm;
pub(crate) mod rust;

use anyhow::Result;
use harness::Place;

/// Everything that the page and the worker need to be built and run.
///
/// # Errors
/// One sentence naming what is missing and how to get it.
pub(crate) fn all(place: &Place) -> Result<()> {
    rust::wasm_target()?;
    node::check()?;
    npm::install(place)
}
