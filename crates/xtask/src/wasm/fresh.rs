//! What a folder was made from, so that nothing is made twice.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use streamlag_wire::hex;

/// A hash over all inputs.
pub(super) struct State(Sha256);

impl State {
    /// No inputs yet.
    pub(super) fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds an input by name.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) {
        for part in [name.as_bytes(), content] {
            self.0.update(part.len().to_le_bytes());
            self.0.update(part);
        }
    }

    /// Adds a file's path and content.
    pub(super) fn file(&mut self, path: &Path) -> Result<()> {
        let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        self.add(&path.to_string_lossy(), &content);
        Ok(())
    }

    /// Whether the folder was made from just these.
    pub(super) fn holds(&self, folder: &Path) -> bool {
        folder.is_dir() && fs::read_to_string(note(folder)).is_ok_and(|kept| kept == self.text())
    }

    /// Notes them for the folder.
    pub(super) fn keep(&self, folder: &Path) -> Result<()> {
        fs::write(note(folder), self.text()).context("cannot note what was built")
    }

    fn text(&self) -> String {
        hex::lower(&self.0.clone().finalize())
    }
}

/// Beside the folder: what is in it is shipped.
fn note(folder: &Path) -> PathBuf {
    folder.with_extension("made-from")
}
