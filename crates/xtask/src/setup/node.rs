//! Node and npm, which bring workerd and wasm-opt.

use anyhow::{Result, bail};
use std::process::Command;

use crate::program::output;

const LEAST: u32 = 20;
const REMEDY: &str =
    "install Node 20 or newer (it brings npm), for example from your system's packages";

/// Node of at least version 20, and npm.
///
/// # Errors
/// When either is missing or Node is too old.
pub(crate) fn check() -> Result<()> {
    let version = output(Command::new("node").arg("--version"), REMEDY)?;
    let Some(major) = major(&version) else {
        bail!(
            "`node --version` printed {:?}, not a version: {REMEDY}",
            version.trim()
        );
    };
    if major < LEAST {
        bail!("Node {} is too old: {REMEDY}", version.trim());
    }
    output(Command::new("npm").arg("--version"), REMEDY)?;
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    let rest = version.trim().strip_prefix('v')?;
    rest.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major;

    #[test]
    fn the_major_version_is_the_first_number() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("v9.1.0"), Some(9));
        assert_eq!(major("nonsense"), None);
    }
}
