//! `streamlag serve`: the collector.

use std::path::PathBuf;
use std::process::ExitCode;

/// Run the collector: ingest, store, comparison, live updates, relay and the page.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Targets and settings.
    #[arg(long, default_value = "streamlag.toml")]
    config: PathBuf,
    /// Address and port to listen on; wins over the configuration.
    #[arg(long)]
    listen: Option<String>,
    /// The SQLite file; wins over the configuration.
    #[arg(long)]
    db: Option<PathBuf>,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    anyhow::bail!("`serve` is not available yet ({args:?})")
}
