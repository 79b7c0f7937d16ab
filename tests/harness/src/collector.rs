//! The collector, and what it has stored.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use streamlag_wire::Record;

use crate::http;
use crate::place::Place;
use crate::process::Process;
use crate::trouble::Trouble;

const LIMIT: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);
/// The environment variable with the secret that worker and collector share.
pub const SECRET_ENV: &str = "STREAMLAG_EDGE_SECRET";

/// Starts the collector.
///
/// # Errors
/// When it does not come up.
pub async fn start(
    place: &Place,
    folder: &Path,
    config: &Path,
    secrets: &[(String, String)],
    port: u16,
) -> Result<Process, Trouble> {
    let mut command = Command::new(place.streamlag());
    command
        .arg("serve")
        .arg("--config")
        .arg(config)
        .current_dir(folder);
    command.envs(secrets.iter().map(|(name, value)| (name, value)));
    let mut process = Process::spawn("collector", &mut command, folder, "run `cargo xtask build`")?;
    process
        .ready(&format!("http://127.0.0.1:{port}/healthz"), LIMIT)
        .await?;
    Ok(process)
}

/// Asks a running collector.
#[derive(Debug, Clone)]
pub struct Collector {
    base: String,
}

impl Collector {
    /// At this address.
    pub fn new(base: String) -> Self {
        Self { base }
    }

    /// Its address.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The newest records, newest first.
    ///
    /// # Errors
    /// When it does not answer with records.
    pub async fn records(&self, query: &str) -> Result<Vec<Record>, Trouble> {
        let url = format!("{}/v1/records?limit=500&{query}", self.base);
        let value = http::get_json(&url).await?;
        let records = value.get("records").cloned().unwrap_or(value);
        serde_json::from_value(records).map_err(|e| http::wrong(&url, e.to_string()))
    }

    /// The record of this id, where it is stored.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn record(&self, id: &str) -> Result<Option<Record>, Trouble> {
        let url = format!("{}/v1/records/{id}", self.base);
        let answer = http::get(&url).await?;
        match answer.status {
            404 => Ok(None),
            200 => serde_json::from_slice(&answer.body)
                .map(Some)
                .map_err(|e| http::wrong(&url, e.to_string())),
            status => Err(http::wrong(
                &url,
                format!("status {status}: {}", answer.text()),
            )),
        }
    }

    /// Waits until at least so many records match.
    ///
    /// # Errors
    /// When they do not come within `limit`.
    pub async fn wait(
        &self,
        query: &str,
        least: usize,
        what: &str,
        limit: Duration,
    ) -> Result<Vec<Record>, Trouble> {
        let start = Instant::now();
        loop {
            let records = self.records(query).await?;
            if records.len() >= least {
                return Ok(records);
            }
            if start.elapsed() > limit {
                return Err(Trouble::NotSeen {
                    seconds: limit.as_secs(),
                    what: format!("{least} records of {what}"),
                    seen: format!("{} are stored", records.len()),
                });
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// The comparison of all vantages, of one target.
    ///
    /// # Errors
    /// When it does not answer with JSON.
    pub async fn comparison(&self, target: &str) -> Result<Value, Trouble> {
        http::get_json(&format!("{}/v1/comparison?target={target}", self.base)).await
    }

    /// Has the worker probe a target from all of its regions, now.
    ///
    /// # Errors
    /// When the worker cannot be asked.
    pub async fn edge_probe(&self, target: &str) -> Result<Value, Trouble> {
        let url = format!("{}/v1/edge/probe/{target}", self.base);
        let answer = http::post(&url, &[], "").await?;
        if answer.status != 200 {
            return Err(http::wrong(
                &url,
                format!("status {}: {}", answer.status, answer.text()),
            ));
        }
        Ok(answer.json())
    }
}
