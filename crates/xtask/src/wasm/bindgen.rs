//! wasm-bindgen as a library: the glue between the module and its host.

use anyhow::{Context, Result, bail};
use harness::Place;
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// The version of the library below. It must read what the crate `wasm-bindgen` of the same version wrote.
pub(crate) const VERSION: &str = "0.2.130";

/// This file: what it does is part of what a folder was made from.
pub(crate) const HOW: &str = include_str!("bindgen.rs");

/// How the glue finds the module.
#[derive(Clone, Copy)]
pub(crate) enum Host {
    /// Fetched by the page.
    Browser,
    /// Imported as a module, and able to start anew after a panic.
    Workerd,
}

/// Writes `<name>.js` and `<name>_bg.wasm` into the folder.
///
/// # Errors
/// When the versions differ or the module is not what wasm-bindgen expects.
pub(crate) fn generate(
    place: &Place,
    input: &Path,
    host: Host,
    name: &str,
    folder: &Path,
) -> Result<()> {
    same_version(&fs::read_to_string(place.root().join("Cargo.lock"))?)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(false);
    match host {
        Host::Browser => bindgen.web(true)?.omit_default_module_path(false),
        Host::Workerd => bindgen
            .module(true)?
            .reset_state_function(true)
            .force_enable_abort_handler(true),
    };
    bindgen
        .generate(folder)
        .with_context(|| format!("wasm-bindgen cannot read {}", input.display()))?;
    match host {
        Host::Browser => Ok(()),
        Host::Workerd => plain_import(&folder.join(name).with_extension("js")),
    }
}

/// workerd gives a compiled module to a plain import and does not know source-phase imports.
fn plain_import(glue: &Path) -> Result<()> {
    let text = fs::read_to_string(glue)?;
    let (source, plain) = ("import source wasmModule from", "import wasmModule from");
    if !text.contains(source) {
        bail!(
            "{} does not import the module as expected (`{source}`)",
            glue.display()
        );
    }
    Ok(fs::write(glue, text.replacen(source, plain, 1))?)
}

fn same_version(lock: &str) -> Result<()> {
    for package in lock.split("[[package]]") {
        let is = |key: &str, value: &str| package.contains(&format!("\n{key} = \"{value}\"\n"));
        for name in ["wasm-bindgen", "wasm-bindgen-cli-support"] {
            if is("name", name) && !is("version", VERSION) {
                bail!(
                    "Cargo.lock has another {name} than {VERSION}: both halves of wasm-bindgen must be the same; \
                     pin both in Cargo.toml and xtask, and VERSION in {}",
                    file!()
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_in_the_lock_is_refused() {
        let lock =
            |version| format!("[[package]]\nname = \"wasm-bindgen\"\nversion = \"{version}\"\n\n");
        assert!(same_version(&lock(VERSION)).is_ok());
        assert!(same_version(&lock("0.2.131")).is_err());
    }
}
