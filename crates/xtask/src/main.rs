//! Set-up, demo, test: what a checkout can do for itself. One file a command.

mod binaries;
mod program;
mod setup;
mod size;
mod test;
mod tidy;
mod wasm;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};
use harness::place::Place;
use std::process::ExitCode;

/// Builds, runs and tests streamlag from a checkout.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds what the demo runs: the page, the worker and the binary.
    Build {
        /// Only this part.
        part: Option<BuildPart>,
    },
    /// Checks and tests everything, in the order in which a failure is cheapest to find.
    Test {
        /// Only this part.
        part: Option<test::Part>,
    },
    /// Prints the bytes of each artefact as shipped, raw and brotli, as JSON.
    Size,
}

#[derive(Clone, Copy, ValueEnum)]
enum BuildPart {
    /// `target/web`
    Web,
    /// `target/worker`
    Worker,
    /// `target/demo/streamlag`
    Cli,
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // One sentence and its causes; a backtrace of xtask helps nobody.
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let place = Place::find()?;
    match command {
        Command::Build { part } => build(&place, part),
        Command::Test { part } => test::run(&place, part),
        Command::Size => size::run(&place),
    }
}

fn build(place: &Place, part: Option<BuildPart>) -> Result<()> {
    setup::all(place)?;
    if matches!(part, None | Some(BuildPart::Web)) {
        wasm::page(place, &wasm::DEMO)?;
    }
    if matches!(part, None | Some(BuildPart::Worker)) {
        wasm::worker(place, &wasm::DEMO)?;
    }
    if matches!(part, None | Some(BuildPart::Cli)) {
        binaries::streamlag(place)?;
    }
    Ok(())
}
