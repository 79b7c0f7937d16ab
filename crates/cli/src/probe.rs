//! `streamlag probe`: the native vantage.

use std::path::PathBuf;
use std::process::ExitCode;

/// Measure a target from this machine and post the records to the collector.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The target's id in the configuration.
    target: String,
    /// Targets and settings.
    #[arg(long, default_value = "streamlag.toml")]
    config: PathBuf,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("`probe` is not available yet ({args:?})")
}
