//! Native: `streamlag probe` beside a process that does nothing but read. A new process each time, as somebody has
//! who asks once, so each request opens its own connection.

use anyhow::{Context, Result, bail};
use harness::Stack;
use harness::bare;
use harness::http;
use serde_json::{Value, json};
use std::io::Read as _;
use std::process::Stdio;
use streamlag_wire::Record;
use streamlag_wire::request::{self, HttpRequest};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::cell::Cell;
use super::errors::Seen;
use super::vantage::Vantage;

/// The native vantage.
pub(super) struct Native<'a> {
    pub(super) stack: &'a Stack,
}

impl Vantage for Native<'_> {
    fn name(&self) -> &'static str {
        "native"
    }

    fn about(&self) -> &'static str {
        "`streamlag probe -n N --concurrency N`, beside a process with a bare loop; new connections each time"
    }

    fn goal_ms(&self) -> f64 {
        0.2
    }

    fn most_measured(&self) -> usize {
        usize::MAX
    }

    async fn ours(&mut self, cell: &Cell) -> Result<Vec<Seen>> {
        let streams = cell.streams.to_string();
        let mut probe = Command::from(self.stack.streamlag("probe"));
        probe
            .arg(cell.target)
            .args(["--json", "--collector", &self.stack.url()]);
        probe.args(["-n", &streams, "--concurrency", &streams]);
        let printed = output(probe, "").await?;
        let records = printed.lines().map(serde_json::from_str::<Record>);
        let seen: Vec<Seen> = records
            .map(|record| Seen::of(&record?))
            .collect::<Result<_>>()?;
        if seen.len() != cell.streams {
            bail!("{} of {streams} records were printed", seen.len());
        }
        Ok(seen)
    }

    async fn floor(&mut self, cell: &Cell) -> Result<Vec<Seen>> {
        let target = self.stack.target(cell.target)?;
        let asked = request::build(target, &target.prompt, target.max_tokens, None);
        let input = json!({
            "url": target.url, "headers": asked.headers, "body": asked.body, "streams": cell.streams,
        });
        let mut this = Command::new(std::env::current_exe()?);
        this.args(["bench", "bare-loop"]);
        let printed = output(this, &input.to_string()).await?;
        let streams: Vec<(String, Vec<(f64, u64)>)> = serde_json::from_str(&printed)?;
        let seen = streams.into_iter();
        Ok(seen
            .map(|(id, reads)| Seen::bare(id, &target.url, reads))
            .collect())
    }
}

/// Runs it with this input and gives what it printed.
async fn output(mut command: Command, input: &str) -> Result<String> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().context("a process could not be started")?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).await?;
    }
    let output = child.wait_with_output().await?;
    if !output.status.success() {
        bail!(
            "{command:?} failed ({}); see its message above",
            output.status
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// `cargo xtask bench bare-loop`: the other process. Takes what to ask as JSON and prints `[[id, reads], …]`.
///
/// # Errors
/// When a stream was not read.
pub(in crate::bench) fn bare_loop() -> Result<()> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let input: Value = serde_json::from_str(&input).context("what to ask must come as JSON")?;
    let asked = HttpRequest {
        headers: serde_json::from_value(input["headers"].clone())?,
        body: input["body"].as_str().unwrap_or_default().to_owned(),
    };
    let url = input["url"].as_str().unwrap_or_default().to_owned();
    let streams = input["streams"].as_u64().unwrap_or(1);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let read = runtime.block_on(async {
        let client = http::client();
        let mut running = tokio::task::JoinSet::new();
        for _ in 0..streams {
            let (client, url, asked) = (client.clone(), url.clone(), asked.clone());
            running.spawn(async move { bare::native(&client, &url, &asked).await });
        }
        let mut read = Vec::new();
        while let Some(bare) = running.join_next().await {
            let bare = bare??;
            let id = bare.request_id.context("the server gave no request id")?;
            read.push((id, bare.reads));
        }
        anyhow::Ok(read)
    })?;
    println!("{}", serde_json::to_string(&read)?);
    Ok(())
}
