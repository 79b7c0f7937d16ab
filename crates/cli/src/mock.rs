//! `streamlag mock`: the scripted LLM server that knows the truth.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use streamlag_mock::{Options, PRESETS, Server};

/// Run the scripted LLM server: OpenAI-, Anthropic- and Ollama-shaped streams with a truth log.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Address and port to listen on.
    #[arg(long, default_value = "127.0.0.1:7071")]
    listen: String,
    /// A folder of captured streams to serve under `/replay/`.
    #[arg(long, value_name = "DIR")]
    captures: Option<PathBuf>,
}

pub(crate) async fn run(args: Args) -> anyhow::Result<ExitCode> {
    let server = Server::start(Options {
        listen: args.listen,
        captures: args.captures,
    })?;
    println!("scripted LLM server on http://{}", server.address());
    for preset in PRESETS {
        println!("  mock-{:<13} {}", preset.name, preset.about);
    }
    println!(
        "or any script as model \"script:ITEMS\"; GET / lists the items, GET /truth/ID what was sent when"
    );
    asked_to_stop().await?;
    println!("{}", server.timing_error());
    server.stop();
    Ok(ExitCode::SUCCESS)
}

/// Ctrl-C, or the signal that a supervisor sends.
async fn asked_to_stop() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate =
            signal(SignalKind::terminate()).context("could not listen for SIGTERM")?;
        tokio::select! {
            stopped = tokio::signal::ctrl_c() => stopped.context("could not listen for Ctrl-C"),
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c()
        .await
        .context("could not listen for Ctrl-C")
}
