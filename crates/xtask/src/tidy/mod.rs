//! Rules of the repository, as code. What rustc and clippy cannot see is checked here.

mod edges;
mod length;
mod lints;
mod words;

use anyhow::{Result, bail};
use harness::Place;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::output;

/// Checks every rule and names all that are broken.
///
/// # Errors
/// When one is broken.
pub(crate) fn check(place: &Place) -> Result<()> {
    let files = tracked(place)?;
    let mut broken = edges::broken(place)?;
    for path in &files {
        let Ok(text) = std::fs::read_to_string(place.root().join(path)) else {
            continue; // pictures, and files removed but not yet committed
        };
        broken.extend(length::broken(path, &text));
        broken.extend(words::broken(path, &text));
        broken.extend(lints::broken(path, &text));
    }
    if broken.is_empty() {
        return Ok(());
    }
    bail!(
        "rules of the repository are broken:\n  {}",
        broken.join("\n  ")
    )
}

/// What git knows or would take up.
fn tracked(place: &Place) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ])
    .current_dir(place.root());
    let list = output(&mut git, "tidy needs git and a checkout")?;
    Ok(list.split_terminator('\0').map(PathBuf::from).collect())
}

/// The file's name ends in one of these.
fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension()
        .is_some_and(|ending| endings.iter().any(|one| ending == *one))
}
