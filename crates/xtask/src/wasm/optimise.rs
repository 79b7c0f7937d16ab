//! wasm-opt from npm's binaryen.

use anyhow::Result;
use harness::Place;
use std::path::Path;
use std::process::Command;

use crate::program::run;

/// What rustc enables for wasm32. Never `--all-features`: that emits imports that browsers refuse.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    // Not from rustc: the worker's glue catches JavaScript's exceptions in wasm.
    "--enable-exception-handling",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Optimises the module where it lies.
///
/// # Errors
/// When wasm-opt fails.
pub(super) fn in_place(place: &Place, module: &Path, level: &str) -> Result<()> {
    let tool = place.npm().join("node_modules/binaryen/bin/wasm-opt");
    run(
        Command::new("node")
            .arg(tool)
            .arg(level)
            .args(FEATURES)
            .arg(module)
            .arg("-o")
            .arg(module),
        "wasm-opt does not take the module; see its message above",
    )
}
