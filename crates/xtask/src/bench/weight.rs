//! What the reader weighs in a page.

use anyhow::Result;
use harness::place::Place;
use std::path::PathBuf;

use crate::size::brotli;
use crate::wasm;

/// Builds the reader for a page as shipped, and `serde_json` alone in its place; prints both sizes. Gives the
/// reader's folder.
///
/// # Errors
/// When a build fails.
pub(super) fn print(place: &Place) -> Result<PathBuf> {
    let folder = wasm::parse_page(place, wasm::Reading::Ours)?;
    let other = wasm::parse_page(place, wasm::Reading::SerdeJson)?;
    let size = |folder: &PathBuf| brotli(&folder.join("parse_page_bg.wasm"));
    println!(
        "as wasm, brotli: {} bytes for our reader with all framings and families, {} for serde_json's Value alone\n",
        size(&folder)?,
        size(&other)?
    );
    Ok(folder)
}
