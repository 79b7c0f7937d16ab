//! Set-up, demo, test: what a checkout can do for itself. One file a command.

mod bench;
mod binaries;
mod demo;
mod fuzz;
mod once;
mod package;
mod parts;
mod program;
mod setup;
mod shots;
mod size;
mod test;
mod tidy;
mod wasm;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum};
use harness::Place;
use harness::ports::Ports;
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
    /// Starts everything and prints one URL; Ctrl-C ends it.
    Demo {
        /// Headless instead: measure once from every vantage, print the comparison, end.
        #[arg(long)]
        once: bool,
        /// The collector's port; the three after it are used too.
        #[arg(long, default_value_t = 7070)]
        port: u16,
    },
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
    /// Takes pictures of the page into `target/screenshots`.
    Shots,
    /// Builds the agent as an npm package into `target/package`.
    Package,
    /// Prints the bytes of each artefact as shipped, raw and brotli, as JSON; fails past a budget.
    Size {
        /// Only this part.
        part: Option<size::Part>,
    },
    /// Measures beside other libraries, in one run; the numbers are this machine's.
    Bench {
        /// What.
        #[command(subcommand)]
        bench: bench::Bench,
    },
    /// Fuzzes the core: every framing, and a whole probe. Needs a nightly toolchain.
    Fuzz(fuzz::Options),
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
        Command::Demo { once, port } => {
            // Known before the long work, which would be in vain otherwise.
            let ports = Ports::from_base(port)?;
            let name = format!("demo-{port}");
            demo::run(&place, &demo::Options { once, name, ports })
        }
        Command::Build { part } => build(&place, part),
        Command::Test { part } => test::run(&place, part),
        Command::Shots => shots::run(&place),
        Command::Package => package::run_all(&place),
        Command::Size { part } => size::run(&place, part),
        Command::Bench { bench } => bench::run(&place, &bench),
        Command::Fuzz(options) => fuzz::run(&place, &options),
    }
}

fn build(place: &Place, part: Option<BuildPart>) -> Result<()> {
    let Some(part) = part else {
        return parts::all(place);
    };
    setup::all(place)?;
    match part {
        BuildPart::Web => wasm::page(place, &wasm::DEMO).map(drop),
        BuildPart::Worker => wasm::worker(place, &wasm::DEMO).map(drop),
        BuildPart::Cli => binaries::streamlag(place),
    }
}
