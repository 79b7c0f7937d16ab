//! workerd: the worker through its signed door, beside bare loops in the same process, each in an object as the
//! regions are.
//!
//! A region's object probes one target at a time, on purpose, and there are eleven regions: no more streams are
//! measured at once. What is missing to the load are bare loops that nobody measures, with both alike.

use anyhow::{Context, Result, bail};
use futures_util::future::try_join_all;
use harness::bare::{self, Room};
use harness::{Stack, http};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use streamlag_wire::request;

use super::cell::Cell;
use super::errors::Seen;
use super::vantage::Vantage;

/// Every location hint that the worker knows.
pub(super) const REGIONS: [&str; 11] = [
    "wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me", "apac-ne", "apac-se",
];
/// What runs beside the measured streams.
const BACKGROUND: &str = "background";
/// It begins so long before them: its connections are open by then.
const LEAD_MS: u64 = 100;
/// Its texts come so often. The door is a longer way than a bare call: the lead grows from turn to turn and starts
/// over after so much, or the measured texts would always meet those beside them in one way with streamlag, and in
/// another with the bare loop.
const GAP_MS: u64 = 20;

/// The edge vantage.
pub(super) struct Edge<'a> {
    pub(super) stack: &'a Stack,
    asked: AtomicU64,
    turns: AtomicU64,
}

impl<'a> Edge<'a> {
    pub(super) fn new(stack: &'a Stack) -> Self {
        Self {
            stack,
            asked: AtomicU64::new(0),
            turns: AtomicU64::new(0),
        }
    }

    /// Bare loops of so many streams, in workerd: one call that starts them all, as the door's does.
    async fn bare(&self, target: &str, streams: usize, room: Room) -> Result<Vec<Seen>> {
        let target = self.stack.target(target)?;
        let asked = request::build(target, &target.prompt, target.max_tokens, None);
        let url = &target.url;
        let id = || format!("bare-{}", self.asked.fetch_add(1, Ordering::Relaxed));
        let ids: Vec<String> = (0..streams).map(|_| id()).collect();
        let loops = bare::in_workerd(&self.stack.bare_url(), url, &asked, &ids, room).await?;
        let seen = ids.into_iter().zip(loops);
        Ok(seen
            .map(|(id, bare)| Seen::bare(id, url, bare.reads))
            .collect())
    }

    /// Does this while so many bare loops run beside it.
    async fn beside(
        &self,
        streams: usize,
        measured: impl Future<Output = Result<Vec<Seen>>>,
    ) -> Result<Vec<Seen>> {
        if streams == 0 {
            return measured.await;
        }
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let lead = Duration::from_millis(LEAD_MS + turn * 7 % GAP_MS);
        let later = async {
            tokio::time::sleep(lead).await;
            measured.await
        };
        let (_, measured) = tokio::try_join!(self.bare(BACKGROUND, streams, Room::Service), later)?;
        Ok(measured)
    }

    async fn probe(&self, target: &str, regions: &[&str]) -> Result<Vec<Seen>> {
        let url = format!("{}/v1/edge/probe/{target}", self.stack.url());
        let answer = http::post(&url, &[], &json!({ "regions": regions }).to_string()).await?;
        let results = answer.json()["results"].clone();
        let results = results.as_array().cloned().unwrap_or_default();
        if answer.status != 200 || results.len() != regions.len() {
            bail!("{url}: status {}: {}", answer.status, answer.text());
        }
        try_join_all(results.iter().map(|result| self.record(result))).await
    }

    async fn record(&self, result: &Value) -> Result<Seen> {
        let id = result["record_id"].as_str();
        let id = id.with_context(|| format!("a region did not probe: {result}"))?;
        let record = self.stack.collector().record(id).await?;
        let record = record.with_context(|| format!("record {id} did not arrive: {result}"))?;
        let seen = Seen::of(&record);
        seen.with_context(|| format!("record {id}"))
    }
}

impl Vantage for Edge<'_> {
    fn name(&self) -> &'static str {
        "workerd"
    }

    fn about(&self) -> &'static str {
        "the worker through its signed door, one stream a region (eleven at most), beside bare loops in objects of \
         the same workerd; the rest of 50 streams are bare loops that nobody measures"
    }

    /// One step of its clock.
    fn goal_ms(&self) -> f64 {
        1.0
    }

    fn most_measured(&self) -> usize {
        REGIONS.len()
    }

    async fn ours(&mut self, cell: &Cell) -> Result<Vec<Seen>> {
        let measured = cell.streams.min(REGIONS.len());
        let ours = self.probe(cell.target, &REGIONS[..measured]);
        self.beside(cell.streams - measured, ours).await
    }

    async fn floor(&mut self, cell: &Cell) -> Result<Vec<Seen>> {
        let measured = cell.streams.min(REGIONS.len());
        let floor = self.bare(cell.target, measured, Room::Objects);
        self.beside(cell.streams - measured, floor).await
    }
}
