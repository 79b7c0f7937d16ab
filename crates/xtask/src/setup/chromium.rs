//! A browser for the headless run and the tests.

use anyhow::{Result, bail};
use harness::browser;
use std::path::Path;
use std::process::Command;

use crate::program::{output, run, step};

/// Installs Debian's Chromium where it is missing, this is Debian and we may.
///
/// # Errors
/// What to install, where that is not possible.
pub(crate) fn install() -> Result<()> {
    let Err(missing) = browser::installed() else {
        return Ok(());
    };
    let root = output(Command::new("id").arg("-u"), "id must print who runs this")?.trim() == "0";
    if !root || !Path::new("/etc/debian_version").exists() {
        bail!("{missing}");
    }
    step("installing Chromium and its driver", || {
        let remedy = "check the network, or install chromium and chromium-driver by hand";
        run(apt().args(["update", "--quiet=2"]), remedy)?;
        let packages = ["chromium", "chromium-driver"];
        run(
            apt()
                .args(["install", "--yes", "--quiet=2", "--no-install-recommends"])
                .args(packages),
            remedy,
        )
    })?;
    browser::installed()?;
    Ok(())
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt
}
