//! `streamlag replay`: reads recorded streams and prints what the core understood.

use std::path::PathBuf;
use std::process::ExitCode;

/// Read recorded streams and print what was understood, one JSON object a line.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of recorded streams.
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("`replay` is not available yet ({args:?})")
}
