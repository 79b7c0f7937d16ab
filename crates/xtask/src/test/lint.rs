//! rustfmt and clippy.

use anyhow::Result;
use harness::Place;

use crate::program::{cargo, run};
use crate::setup::rust::WASM;

/// The crates that are built for a host with JavaScript.
const WASM_CRATES: [&str; 6] = [
    "streamlag-agent",
    "streamlag-web",
    "streamlag-worker",
    "parse-page",
    "accuracy-page",
    "replay-page",
];

/// The code is formatted.
///
/// # Errors
/// When it is not.
pub(super) fn fmt(place: &Place) -> Result<()> {
    run(
        cargo(place).args(["fmt", "--all", "--check"]),
        "run `cargo fmt --all`",
    )
}

/// Clippy has nothing to say.
///
/// # Errors
/// When it has.
pub(super) fn clippy(place: &Place) -> Result<()> {
    let remedy = "mend what clippy names above";
    let mut native = cargo(place);
    native.args(["clippy", "--locked", "--workspace", "--all-targets"]);
    for package in WASM_CRATES {
        native.args(["--exclude", package]);
    }
    run(native.args(["--", "-D", "warnings"]), remedy)?;
    // What the agent's package has is not in the page: the crate is looked at with it and without.
    let face: [&[&str]; 2] = [&[], &["--package", "streamlag-agent", "--features", "face"]];
    for face in face {
        let mut wasm = cargo(place);
        // The profile of the builds to come: both share the procedural macros.
        wasm.args(["clippy", "--locked", "--target", WASM]);
        wasm.args(["--profile", "wasm-demo"]).args(face);
        for package in WASM_CRATES.iter().filter(|_| face.is_empty()) {
            wasm.args(["--package", package]);
        }
        run(wasm.args(["--", "-D", "warnings"]), remedy)?;
    }
    Ok(())
}
