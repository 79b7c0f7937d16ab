//! Running other programs, with one clear sentence when it does not work out.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::process::Command;
use std::time::Instant;

/// Prints what is being done, does it, and prints how long it took.
///
/// # Errors
/// That of `work`.
pub(crate) fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("▸ {what}");
    let start = Instant::now();
    let done = work()?;
    eprintln!("  {what}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(done)
}

/// The cargo that runs this, without the variables it set for this package: build scripts that watch them
/// would otherwise run anew on every change between a shell and `cargo xtask`.
pub(crate) fn cargo(place: &harness::Place) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(place.root());
    command.env("CARGO_TARGET_DIR", place.target());
    for (name, _) in std::env::vars_os() {
        if set_for_package(&name) {
            command.env_remove(name);
        }
    }
    command
}

fn set_for_package(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        name.starts_with("CARGO_PKG_")
            || name.starts_with("CARGO_MANIFEST_")
            || name == "CARGO_BIN_NAME"
    })
}

/// Runs to the end with its output passed through.
///
/// # Errors
/// When it cannot be started or fails; `remedy` ends the sentence.
pub(crate) fn run(command: &mut Command, remedy: &str) -> Result<()> {
    let status = command
        .status()
        .map_err(|e| not_started(command, &e, remedy))?;
    if !status.success() {
        bail!("`{}` failed ({status}): {remedy}", shown(command));
    }
    Ok(())
}

/// Runs to the end and returns what it printed.
///
/// # Errors
/// When it cannot be started or fails; `remedy` ends the sentence.
pub(crate) fn output(command: &mut Command, remedy: &str) -> Result<String> {
    let output = command
        .output()
        .map_err(|e| not_started(command, &e, remedy))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{}\n`{}` failed ({}): {remedy}",
            said.trim(),
            shown(command),
            output.status
        );
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` did not print text", shown(command)))
}

fn not_started(command: &Command, error: &std::io::Error, remedy: &str) -> anyhow::Error {
    let program = command.get_program().to_string_lossy();
    if error.kind() == ErrorKind::NotFound {
        anyhow::anyhow!("`{program}` was not found: {remedy}")
    } else {
        anyhow::anyhow!("`{program}` could not be started ({error}): {remedy}")
    }
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    if let Some(name) = std::path::Path::new(&words[0]).file_name() {
        words[0] = name.to_string_lossy().into_owned();
    }
    words.extend(
        command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
