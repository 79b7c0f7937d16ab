//! The agent as an npm package: `target/package`, ready to be published or installed from its folder.

use anyhow::{Context, Result};
use harness::Place;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{run, step};
use crate::{setup, wasm};

/// The modules that pages load: at once, at idle, and with the core.
const MODULES: [&str; 3] = ["index.js", "core.js", "wasm.js"];
/// Goes into the package as it is.
const BESIDE: [&str; 3] = ["index.d.ts", "README.md", "streamlag_agent_bg.wasm"];

/// Builds the package as shipped.
///
/// # Errors
/// When a tool fails.
pub(crate) fn run_all(place: &Place) -> Result<()> {
    setup::all(place)?;
    build(place)?;
    println!("{}", place.package().display());
    Ok(())
}

/// The same, with the set-up done.
///
/// # Errors
/// When a tool fails.
pub(crate) fn build(place: &Place) -> Result<()> {
    let staged = wasm::agent(place, &wasm::RELEASE)?;
    let package = place.package();
    step("bundling the package", || {
        if package.exists() {
            fs::remove_dir_all(&package)?;
        }
        bundle(place, &staged, &MODULES, &package)?;
        for name in BESIDE {
            fs::copy(staged.join(name), package.join(name))
                .with_context(|| format!("cannot copy {name}"))?;
        }
        let manifest = serde_json::to_string_pretty(&manifest())?;
        fs::write(package.join("package.json"), manifest + "\n")?;
        Ok(())
    })
}

/// Bundles modules into a folder, each with its source map.
///
/// # Errors
/// When esbuild fails.
pub(crate) fn bundle(place: &Place, from: &Path, modules: &[&str], to: &Path) -> Result<()> {
    let version = format!("--define:VERSION=\"{}\"", env!("CARGO_PKG_VERSION"));
    let mut esbuild = Command::new(place.esbuild());
    esbuild.args(modules).arg(version).current_dir(from);
    esbuild.args([
        "--bundle",
        "--splitting",
        "--format=esm",
        "--target=es2022",
        "--minify",
        "--sourcemap",
        "--log-level=warning",
    ]);
    esbuild.arg(format!("--outdir={}", to.display()));
    run(
        &mut esbuild,
        "esbuild does not take the modules; see its message above",
    )
}

fn manifest() -> serde_json::Value {
    let files: Vec<String> = MODULES
        .iter()
        .flat_map(|name| [(*name).to_owned(), format!("{name}.map")])
        .chain(BESIDE.iter().map(|name| (*name).to_owned()))
        .collect();
    json!({
        "name": "streamlag",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Measures streamed LLM answers in the user's browser: from the click to the painted word.",
        "license": env!("CARGO_PKG_LICENSE"),
        "repository": env!("CARGO_PKG_REPOSITORY"),
        "type": "module",
        "sideEffects": false,
        "exports": {
            ".": { "types": "./index.d.ts", "default": "./index.js" },
            "./streamlag_agent_bg.wasm": "./streamlag_agent_bg.wasm",
        },
        "types": "./index.d.ts",
        "files": files,
    })
}
