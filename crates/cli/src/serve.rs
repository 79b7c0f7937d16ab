//! `streamlag serve`: the collector.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[cfg(unix)]
use anyhow::Context as _;
use streamlag_collector::config::{self, Config};
use streamlag_collector::{Options, Server};

/// Used where it exists and no other is named.
const DEFAULT_CONFIG: &str = "streamlag.toml";

/// Run the collector: ingest, store, comparison, live updates, relay and the page.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Targets and settings [default: streamlag.toml, where there is one].
    #[arg(long)]
    config: Option<PathBuf>,
    /// Address and port to listen on; wins over the configuration.
    #[arg(long)]
    listen: Option<SocketAddr>,
    /// The SQLite file; wins over the configuration.
    #[arg(long)]
    db: Option<PathBuf>,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = configuration(args.config.as_deref())?;
    let options = Options {
        config,
        listen: args.listen,
        db: args.db,
        ..Options::default()
    };
    let server = Server::bind(options).await?;
    println!("streamlag: http://{}/", server.address());
    println!("records:   {}", shown(server.db()));
    for note in server.notes() {
        println!("note:      {note}");
    }
    server.run(stop_signal()?).await?;
    Ok(ExitCode::SUCCESS)
}

fn configuration(named: Option<&Path>) -> anyhow::Result<Config> {
    let default = Path::new(DEFAULT_CONFIG);
    match named {
        None if !default.exists() => Ok(Config::default()),
        path => Ok(config::load(path.unwrap_or(default))?),
    }
}

/// The whole path: where the program was started is not where it is looked for later.
fn shown(db: &Path) -> String {
    let whole = std::path::absolute(db).unwrap_or_else(|_| db.to_owned());
    whole.display().to_string()
}

/// Resolves on Ctrl-C, and on the signal that service managers send.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()> + Send> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).context("cannot listen for the stop signal")?
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}
