//! Where things are: the checkout, cargo's target folder, and what `cargo xtask` puts there.

use std::io;
use std::path::{Path, PathBuf};

/// The folders of one checkout.
#[derive(Debug, Clone)]
pub struct Place {
    root: PathBuf,
    target: PathBuf,
}

impl Place {
    /// Finds the checkout from the running package and the target folder from the running binary, so that a
    /// moved target folder (`CARGO_TARGET_DIR`, `build.target-dir`) is followed.
    ///
    /// # Errors
    /// When the running binary lies in no cargo target folder.
    pub fn find() -> io::Result<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = above(&package, "Cargo.lock")
            .ok_or_else(|| not_found("no Cargo.lock above", &package))?;
        let exe = std::env::current_exe()?;
        let target = above(&exe, "CACHEDIR.TAG")
            .ok_or_else(|| not_found("no cargo target folder above", &exe))?;
        Ok(Self { root, target })
    }

    /// The checkout.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo's target folder.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The page, ready to be served.
    pub fn web(&self) -> PathBuf {
        self.target.join("web")
    }

    /// The worker, ready for workerd.
    pub fn worker(&self) -> PathBuf {
        self.target.join("worker")
    }

    /// The replay of recorded streams, ready for a page.
    pub fn replay_page(&self) -> PathBuf {
        self.target.join("replay-page")
    }

    /// The agent as an npm package.
    pub fn package(&self) -> PathBuf {
        self.target.join("package")
    }

    /// The tool that bundles modules.
    pub fn esbuild(&self) -> PathBuf {
        self.npm().join("node_modules/.bin/esbuild")
    }

    /// The npm packages of the demo and the tests.
    pub fn npm(&self) -> PathBuf {
        self.target.join("npm")
    }

    /// Programs that no package brings, built from their sources.
    pub fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// The `streamlag` binary that the demo and the tests run.
    pub fn streamlag(&self) -> PathBuf {
        self.target.join("demo").join("streamlag")
    }

    /// Configuration, store and logs of one run, by name.
    pub fn run(&self, name: &str) -> PathBuf {
        self.target.join("run").join(name)
    }

    /// Pictures of the page.
    pub fn screenshots(&self) -> PathBuf {
        self.target.join("screenshots")
    }
}

fn above(start: &Path, mark: &str) -> Option<PathBuf> {
    let folder = start.ancestors().skip(1).find(|at| at.join(mark).exists());
    folder.map(Path::to_path_buf)
}

fn not_found(what: &str, path: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::NotFound,
        format!("{what} {}", path.display()),
    )
}

/// The npm package that holds workerd's binary for this machine.
pub fn workerd_package() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("@cloudflare/workerd-linux-64"),
        ("linux", "aarch64") => Some("@cloudflare/workerd-linux-arm64"),
        ("macos", "x86_64") => Some("@cloudflare/workerd-darwin-64"),
        ("macos", "aarch64") => Some("@cloudflare/workerd-darwin-arm64"),
        _ => None,
    }
}
