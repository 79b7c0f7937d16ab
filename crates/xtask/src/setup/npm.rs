//! The pinned npm packages, in `target/npm`: workerd, wasm-opt, and the client that the relay is tested with.

use anyhow::{Context, Result, bail};
use harness::Place;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{run, step};

const MANIFEST: &str = include_str!("../../npm/package.json");
const LOCK: &str = include_str!("../../npm/package-lock.json");

/// Installs the packages where they are missing or the lock has changed.
///
/// # Errors
/// When npm fails, or does not bring workerd for this machine.
pub(crate) fn install(place: &Place) -> Result<()> {
    let folder = place.npm();
    // Written last: a broken installation is repeated.
    let done = folder.join("installed.json");
    if fs::read_to_string(&done).is_ok_and(|installed| installed == LOCK) {
        return Ok(());
    }
    step("installing workerd and wasm-opt into target/npm", || {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("package.json"), MANIFEST)?;
        fs::write(folder.join("package-lock.json"), LOCK)?;
        // No package's own scripts: workerd's binary is a package of its own.
        run(
            Command::new("npm")
                .args([
                    "ci",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                ])
                .current_dir(&folder),
            "check that npm reaches its registry, then run the same command again",
        )?;
        harness_binary(&folder)?;
        fs::write(&done, LOCK).with_context(|| format!("cannot write {}", done.display()))
    })
}

fn harness_binary(folder: &Path) -> Result<()> {
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    match harness::place::workerd_package() {
        None => bail!(
            "workerd has no package for this machine ({system}): the worker runs on Linux and macOS, x86-64 and arm64"
        ),
        Some(package) => {
            let binary = folder
                .join("node_modules")
                .join(package)
                .join("bin/workerd");
            if !binary.is_file() {
                bail!(
                    "npm did not install {package}: allow optional packages (`npm config delete omit`) and run the same command again"
                );
            }
            Ok(())
        }
    }
}
