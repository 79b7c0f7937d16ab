//! The browsers of the headless run and the tests.

use anyhow::{Result, bail};
use harness::Place;
use harness::browser::Engine;
use std::path::Path;
use std::process::Command;

use crate::program::{output, run, step};

/// Firefox's driver is in no package of Debian's: it is built.
const GECKODRIVER: &str = "geckodriver@0.37.1";

/// Installs Debian's packages of these browsers where they are missing, this is Debian and we may.
///
/// # Errors
/// What to install, where that is not possible.
pub(crate) fn install(place: &Place, engines: &[Engine]) -> Result<()> {
    let mut packages: Vec<&str> = Vec::new();
    for engine in engines {
        if let Err(missing) = engine.in_system() {
            if !may_install()? {
                bail!("{missing}");
            }
            packages.extend(engine.packages());
        }
    }
    if !packages.is_empty() {
        let remedy = "check the network, or install these packages by hand";
        step(&format!("installing {}", packages.join(", ")), || {
            run(apt().args(["update", "--quiet=2"]), remedy)?;
            run(
                apt()
                    .args(["install", "--yes", "--quiet=2", "--no-install-recommends"])
                    .args(&packages),
                remedy,
            )
        })?;
    }
    for engine in engines {
        engine.in_system()?;
        if engine.driver().is_err() {
            driver(place)?;
        }
    }
    Ok(())
}

fn driver(place: &Place) -> Result<()> {
    step("building Firefox's driver", || {
        run(
            Command::new("cargo")
                .args(["install", "--locked", "--quiet", "--debug"])
                .arg("--root")
                .arg(place.tools())
                .arg("--target-dir")
                .arg(place.tools().join("build"))
                .arg(GECKODRIVER),
            "see cargo's message above, or install geckodriver by hand",
        )
    })?;
    Engine::Firefox.driver()?;
    Ok(())
}

/// Whether packages can be installed without asking anybody.
fn may_install() -> Result<bool> {
    let user = output(Command::new("id").arg("-u"), "id must print who runs this")?;
    Ok(user.trim() == "0" && Path::new("/etc/debian_version").exists())
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt
}
