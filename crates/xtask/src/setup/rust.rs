//! The wasm target of the Rust toolchain in use.

use anyhow::Result;
use std::path::Path;
use std::process::Command;

use crate::program::{output, run, step};

/// The one target of the page and the worker.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Adds the target to the toolchain where it is missing.
///
/// # Errors
/// When there is no rustup to add it with, or it cannot be fetched.
pub(crate) fn wasm_target() -> Result<()> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", WASM]);
    let folder = output(&mut rustc, "install Rust with rustup")?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    step("adding the wasm target", || {
        run(
            Command::new("rustup").args(["target", "add", WASM]),
            "the page and the worker need this Rust target; check the network, or add the target \
             with your toolchain's own means",
        )
    })
}
