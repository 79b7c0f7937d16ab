//! From a wasm crate to a folder that a browser or workerd can load: cargo, wasm-bindgen, wasm-opt, files.

mod bindgen;
mod fresh;
mod inside;
mod optimise;

pub(crate) use inside::{Reading, accuracy_page, parse_page, replay_page};

use anyhow::{Context, Result};
use harness::Place;
use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{cargo, run, step};
use crate::setup::rust::WASM;

/// How hard to work on the module.
pub(crate) struct Effort {
    /// Cargo's profile.
    profile: &'static str,
    /// wasm-opt's level.
    level: &'static str,
    /// Page and worker in one run of cargo: their dependencies are built once, with the features of both.
    together: bool,
}

/// Quick to build: the demo and the tests.
pub(crate) const DEMO: Effort = Effort {
    profile: "wasm-demo",
    level: "-O1",
    together: true,
};
/// Small: what is shipped, and what size checks measure.
pub(crate) const RELEASE: Effort = Effort {
    profile: "wasm-release",
    level: "-Oz",
    together: false,
};

impl Effort {
    /// What is shipped lies apart from what the demo runs: one must not make the other out of date.
    fn folder(&self, demo: &Path) -> PathBuf {
        if self.together {
            demo.to_path_buf()
        } else {
            demo.with_file_name(format!(
                "{}-release",
                demo.file_name().unwrap_or_default().to_string_lossy()
            ))
        }
    }
}

/// The crates that become modules.
const PACKAGES: [&str; 2] = ["streamlag-web", "streamlag-worker"];

/// A wasm crate and how its host loads it.
struct Module<'a> {
    /// The cargo package.
    package: &'a str,
    /// The file cargo writes, without its ending.
    file: &'a str,
    /// The name that the host imports.
    name: &'a str,
    /// How the glue finds the module.
    host: bindgen::Host,
    /// Cargo features.
    features: &'a [&'a str],
    /// Folder of hand-written files that go beside it.
    beside: PathBuf,
    /// Which of them.
    wanted: fn(&Path) -> bool,
}

/// Builds the page into `target/web`.
///
/// # Errors
/// When a tool fails or a hand-written file is missing.
pub(crate) fn page(place: &Place, effort: &Effort) -> Result<PathBuf> {
    let module = Module {
        package: PACKAGES[0],
        file: "streamlag-web",
        name: "streamlag_web",
        host: bindgen::Host::Browser,
        features: &[],
        beside: place.root().join("www"),
        wanted: |_| true,
    };
    build(place, &module, effort, &effort.folder(&place.web()))
}

/// Builds the worker into `target/worker`.
///
/// # Errors
/// When a tool fails or a hand-written file is missing.
pub(crate) fn worker(place: &Place, effort: &Effort) -> Result<PathBuf> {
    let module = Module {
        package: PACKAGES[1],
        file: "streamlag_worker",
        name: "index",
        host: bindgen::Host::Workerd,
        features: &[],
        beside: place.root().join("worker"),
        wanted: |path| {
            path.extension()
                .is_some_and(|ending| ending == "mjs" || ending == "capnp")
        },
    };
    build(place, &module, effort, &effort.folder(&place.worker()))
}

/// Builds the agent with its face for scripts, beside the scripts themselves, into `target/agent`.
///
/// # Errors
/// When a tool fails or a hand-written file is missing.
pub(crate) fn agent(place: &Place, effort: &Effort) -> Result<PathBuf> {
    let module = Module {
        package: "streamlag-agent",
        file: "streamlag_agent",
        name: "streamlag_agent",
        host: bindgen::Host::Browser,
        features: &["face"],
        beside: place.root().join("crates/agent/js"),
        wanted: |_| true,
    };
    build(place, &module, effort, &place.target().join("agent"))
}

fn build(place: &Place, module: &Module, effort: &Effort, folder: &Path) -> Result<PathBuf> {
    step(&format!("building {} for wasm32", module.package), || {
        compile(place, module, effort)?;
        let built = place.target().join(WASM).join(effort.profile);
        let input = built.join(module.file).with_extension("wasm");
        let mut state = fresh::State::new();
        state.add("effort", effort.level.as_bytes());
        state.add("bindgen", bindgen::VERSION.as_bytes());
        state.add("how", bindgen::HOW.as_bytes());
        state.file(&input)?;
        let beside = files(&module.beside, module.wanted)?;
        for path in &beside {
            state.file(path)?;
        }
        if state.holds(folder) {
            return Ok(folder.to_path_buf());
        }
        assemble(place, module, effort, &input, &beside, folder)?;
        state.keep(folder)?;
        Ok(folder.to_path_buf())
    })
}

fn compile(place: &Place, module: &Module, effort: &Effort) -> Result<()> {
    let mut build = cargo(place);
    build.args([
        "build",
        "--locked",
        "--target",
        WASM,
        "--profile",
        effort.profile,
    ]);
    let together: &[&str] = &PACKAGES;
    let packages = if effort.together && together.contains(&module.package) {
        together
    } else {
        &[module.package]
    };
    for package in packages {
        build.args(["--package", package]);
    }
    if !module.features.is_empty() {
        build.args(["--features", &module.features.join(",")]);
    }
    run(&mut build, "see cargo's message above")
}

/// Builds in a folder beside it first: what is there stays usable until the new one is whole.
fn assemble(
    place: &Place,
    module: &Module,
    effort: &Effort,
    input: &Path,
    beside: &[PathBuf],
    folder: &Path,
) -> Result<()> {
    let part = folder.with_extension("part");
    remove(&part)?;
    fs::create_dir_all(&part)?;
    bindgen::generate(place, input, module.host, module.name, &part)?;
    optimise::in_place(
        place,
        &part.join(format!("{}_bg.wasm", module.name)),
        effort.level,
    )?;
    for path in beside {
        let name = path.strip_prefix(&module.beside)?;
        let to = part.join(name);
        fs::create_dir_all(to.parent().unwrap_or(&part))?;
        fs::copy(path, &to).with_context(|| format!("cannot copy {}", path.display()))?;
    }
    remove(folder)?;
    fs::rename(&part, folder).with_context(|| format!("cannot write {}", folder.display()))
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(e).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// The wanted files below a folder, in a fixed order.
pub(crate) fn files(folder: &Path, wanted: fn(&Path) -> bool) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if wanted(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
