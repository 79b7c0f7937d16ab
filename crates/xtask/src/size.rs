//! The bytes of what is shipped.

use anyhow::{Context, Result};
use harness::Place;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::output;
use crate::{setup, wasm};

/// Builds the page and the worker as shipped and prints the size of each file.
///
/// # Errors
/// When a build fails.
pub(crate) fn run(place: &Place) -> Result<()> {
    setup::all(place)?;
    let mut artefacts = Vec::new();
    for (part, folder) in [
        ("web", wasm::page(place, &wasm::RELEASE)?),
        ("worker", wasm::worker(place, &wasm::RELEASE)?),
    ] {
        for path in wasm::files(&folder, |_| true)? {
            let raw = fs::metadata(&path)?.len();
            let name = path.strip_prefix(&folder)?;
            artefacts.push(json!({
                "part": part, "file": name, "raw_bytes": raw, "brotli_bytes": brotli(&path)?,
            }));
        }
    }
    println!(
        "{}",
        serde_json::to_string_pretty(&json!({ "artefacts": artefacts }))?
    );
    Ok(())
}

/// Node has brotli built in, at the quality that servers use for files compressed once.
pub(crate) fn brotli(path: &Path) -> Result<u64> {
    let script = "const z=require('zlib'),f=require('fs').readFileSync(process.argv[1]);\
                  console.log(z.brotliCompressSync(f,{params:{[z.constants.BROTLI_PARAM_QUALITY]:11}}).length)";
    let printed = output(
        Command::new("node").args(["-e", script]).arg(path),
        "node must be able to compress",
    )?;
    printed
        .trim()
        .parse()
        .with_context(|| format!("node printed {printed:?}, not a size"))
}
