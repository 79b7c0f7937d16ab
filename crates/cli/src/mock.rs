//! `streamlag mock`: the scripted LLM server that knows the truth.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;

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
    let server = streamlag_mock::Server::start(streamlag_mock::Options {
        listen: args.listen,
        captures: args.captures,
    })?;
    println!("scripted LLM server on http://{}", server.address());
    tokio::signal::ctrl_c()
        .await
        .context("could not listen for Ctrl-C")?;
    server.stop();
    Ok(ExitCode::SUCCESS)
}
