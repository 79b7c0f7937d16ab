//! The scripted LLM server, and what it knows.

use serde::Deserialize;
use std::process::Command;
use std::time::Duration;

use crate::http;
use crate::place::Place;
use crate::process::Process;
use crate::trouble::Trouble;

const LIMIT: Duration = Duration::from_secs(20);

/// What was sent for one request, in µs since it had been read whole.
#[derive(Debug, Clone, Deserialize)]
pub struct Truth {
    /// Every event written, in order.
    pub events: Vec<Event>,
    /// How it ended; `None`: not yet.
    pub ending: Option<String>,
}

/// One event on the wire.
#[derive(Debug, Clone, Deserialize)]
pub struct Event {
    /// `role`, `content`, `reasoning`, …
    pub kind: String,
    /// When it was due.
    pub scheduled_us: u64,
    /// Just before the socket write.
    pub began_us: u64,
    /// Just after it returned.
    pub written_us: u64,
    /// Its bytes, without the transfer coding.
    pub bytes: u64,
}

impl Event {
    /// Whether it holds generated text.
    pub fn is_generated(&self) -> bool {
        ["content", "reasoning", "tool", "refusal"].contains(&self.kind.as_str())
    }

    /// When all of it had been written, ms.
    pub fn written_ms(&self) -> f64 {
        self.written_us as f64 / 1_000.0
    }
}

impl Truth {
    /// When the first generated text had been written, ms.
    pub fn ttft_ms(&self) -> Option<f64> {
        let first = self.events.iter().find(|event| event.is_generated());
        first.map(Event::written_ms)
    }

    /// When the last generated text had been written, ms.
    pub fn total_ms(&self) -> Option<f64> {
        let last = self.events.iter().rfind(|event| event.is_generated());
        last.map(Event::written_ms)
    }
}

/// Starts the server.
///
/// # Errors
/// When it does not come up.
pub async fn start(place: &Place, folder: &std::path::Path, port: u16) -> Result<Process, Trouble> {
    let mut command = Command::new(place.streamlag());
    command.args(["mock", "--listen", &format!("127.0.0.1:{port}")]);
    let mut process = Process::spawn("mock", &mut command, folder, "run `cargo xtask build`")?;
    process
        .ready(&format!("http://127.0.0.1:{port}/truth?limit=1"), LIMIT)
        .await?;
    Ok(process)
}

/// What was sent for a request, by its id.
///
/// # Errors
/// When the server does not know it.
pub async fn truth(base: &str, request_id: &str) -> Result<Truth, Trouble> {
    let url = format!("{base}/truth/{request_id}");
    let value = http::get_json(&url).await?;
    serde_json::from_value(value).map_err(|e| http::wrong(&url, e.to_string()))
}

/// The server's own timing error as it says it.
///
/// # Errors
/// When it does not answer.
pub async fn timing_error(base: &str) -> Result<serde_json::Value, Trouble> {
    http::get_json(&format!("{base}/truth/error")).await
}
