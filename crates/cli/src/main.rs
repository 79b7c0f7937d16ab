//! `streamlag`: the collector, the scripted LLM server, the native probe and the replay in one binary.
//!
//! This file only dispatches; each command has a file of its own name.

mod mock;
mod probe;
mod replay;
mod serve;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

/// Measures where a streamed LLM answer loses its time.
#[derive(Debug, Parser)]
#[command(name = "streamlag", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Args),
    Mock(mock::Args),
    Probe(probe::Args),
    Replay(replay::Args),
}

/// What every command exits with when it could not run: bad flags, bad configuration, a taken port.
const COULD_NOT_RUN: u8 = 2;

fn main() -> ExitCode {
    dispatch(Cli::parse().command).unwrap_or_else(|error| {
        eprintln!("streamlag: {error:#}");
        ExitCode::from(COULD_NOT_RUN)
    })
}

fn dispatch(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(args) => runtime()?.block_on(serve::run(args)),
        Command::Mock(args) => runtime()?.block_on(mock::run(args)),
        Command::Probe(args) => runtime()?.block_on(probe::run(args)),
        Command::Replay(args) => replay::run(args),
    }
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("could not start the runtime")
}
