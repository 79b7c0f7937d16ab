//! `cargo xtask fuzz`: coverage-guided fuzzing of the core. Takes as long as it is given, so it is no test.

mod seeds;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use harness::place::Place;
use std::process::Command;

use crate::program::{output, run as run_program, step};

/// Longest input that is tried.
const LONGEST: &str = "-max_len=8192";
/// An input that takes so many seconds never ends.
const SLOWEST: &str = "-timeout=10";
const NIGHTLY: &str = "+nightly";

/// What to fuzz, and how long.
#[derive(Args)]
pub(crate) struct Options {
    /// For so long each.
    #[arg(long, default_value_t = 600)]
    seconds: u32,
    /// Only this one.
    target: Option<Target>,
}

/// The programs in `tests/fuzz/targets`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Target {
    Sse,
    Ndjson,
    JsonArray,
    AwsEventstream,
    /// Anything that can happen to a probe, at any time.
    Probe,
}

impl Target {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Fuzzes one target after the other and stops at the first finding, which is left in `tests/fuzz/artifacts`.
///
/// # Errors
/// What to install, or the finding.
pub(crate) fn run(place: &Place, options: &Options) -> Result<()> {
    installed()?;
    let only = options.target;
    for target in Target::value_variants() {
        if only.is_none_or(|only| only == *target) {
            let name = target.name();
            let count = seeds::write(place, *target, &name)?;
            let what = format!(
                "fuzzing {name} for {} s, from {count} seeds",
                options.seconds
            );
            step(&what, || one(place, &name, options.seconds))?;
        }
    }
    Ok(())
}

fn one(place: &Place, name: &str, seconds: u32) -> Result<()> {
    run_program(
        Command::new("cargo")
            .current_dir(place.root().join("tests/fuzz"))
            .args([
                NIGHTLY,
                "fuzz",
                "run",
                "--fuzz-dir",
                ".",
                name,
                "--",
                LONGEST,
                SLOWEST,
            ])
            .args([
                format!("-max_total_time={seconds}").as_str(),
                "-print_final_stats=1",
            ]),
        "make a test of the finding that is named above, and mend the core",
    )
}

/// Neither tool is needed for anything else, so neither is installed for it.
fn installed() -> Result<()> {
    for (arguments, remedy) in [
        (["--version", ""], "rustup toolchain install nightly"),
        (["fuzz", "--version"], "cargo install --locked cargo-fuzz"),
    ] {
        let mut cargo = Command::new("cargo");
        cargo.arg(NIGHTLY);
        cargo.args(arguments.iter().filter(|argument| !argument.is_empty()));
        if output(&mut cargo, "").is_err() {
            bail!("fuzzing needs a nightly toolchain and cargo-fuzz: run `{remedy}`");
        }
    }
    Ok(())
}
