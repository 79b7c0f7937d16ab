//! What was measured of one stream, and how far it is from what the server knows.
//!
//! Reads are matched to the server's events by counting bytes: whoever read, and whatever he understood of it,
//! the read that brought an event's last byte completed it.

use anyhow::{Result, bail};
use harness::mock::Truth;
use streamlag_wire::Record;

/// Reads that a record keeps one by one. The bare loop keeps all, of which so many are compared.
const READS: usize = 32;

/// One measured stream.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The request's id in the server's log.
    pub(super) id: String,
    /// The server that has it.
    pub(super) server: String,
    /// What the record says; `None`: the reads say it.
    pub(super) ttft_ms: Option<f64>,
    /// The same of the last text.
    pub(super) total_ms: Option<f64>,
    /// When each read returned, ms since the send, and its bytes; all of them or the first ones. `None`: not told
    /// apart from the send by its clock.
    pub(super) reads: Vec<(Option<f64>, u64)>,
    /// Bytes of all reads.
    pub(super) bytes: u64,
    /// What measuring itself took, per read, where it is known.
    pub(super) own_cost_us: Option<f64>,
    /// The smallest step of the clock, where it is known.
    pub(super) step_ms: Option<f64>,
}

impl Seen {
    /// From a record.
    ///
    /// # Errors
    /// When the stream did not end well.
    pub(super) fn of(record: &Record) -> Result<Self> {
        let (Some(ttft_ms), Some(total_ms), "ok") = (
            record.timing.ttft_ms,
            record.timing.total_ms,
            record.outcome.as_str(),
        ) else {
            bail!(
                "a stream ended as {:?} ({:?}) instead of being measured",
                record.outcome,
                record.error_class
            );
        };
        let url = record.target.base_url.as_deref().unwrap_or_default();
        let reads = f64::from(record.counts.reads.max(1));
        Ok(Self {
            id: record.id.clone(),
            server: origin(url).to_owned(),
            ttft_ms: Some(ttft_ms),
            total_ms: Some(total_ms),
            reads: first_reads(record),
            bytes: record.counts.body_bytes,
            own_cost_us: record.own_cost_ms.map(|ms| ms * 1e3 / reads),
            step_ms: record.clock.step_ms,
        })
    }

    /// From a bare loop's reads.
    pub(super) fn bare(id: String, url: &str, reads: Vec<(f64, u64)>) -> Self {
        Self {
            id,
            server: origin(url).to_owned(),
            bytes: reads.iter().map(|(_, bytes)| bytes).sum(),
            reads: reads
                .into_iter()
                .map(|(at_ms, bytes)| (Some(at_ms), bytes))
                .collect(),
            ..Self::default()
        }
    }
}

/// The reads that a record keeps: when each returned, ms since the send, and its bytes.
fn first_reads(record: &Record) -> Vec<(Option<f64>, u64)> {
    let chunks = record.chunks.iter();
    chunks
        .map(|chunk| (chunk.at_ms, u64::from(chunk.bytes)))
        .collect()
}

/// Scheme, host and port.
fn origin(url: &str) -> &str {
    let path = url.match_indices('/').nth(2);
    path.map_or(url, |(at, _)| &url[..at])
}

/// Measured − truth of all streams of one kind under one load, in ms.
#[derive(Debug, Clone, Default)]
pub(super) struct Errors {
    /// Of the first text.
    pub(super) ttft: Vec<f64>,
    /// Of each gap between two texts, without its sign: a text that is late makes one gap longer and the next
    /// one shorter.
    pub(super) gap: Vec<f64>,
    /// Of the last text.
    pub(super) total: Vec<f64>,
    /// Texts that came in one read with others: the gaps beside them were not there to be measured.
    pub(super) coalesced: usize,
    /// Texts that were compared.
    pub(super) texts: usize,
    /// How late the server itself wrote each event, by its own schedule.
    pub(super) server_late: Vec<f64>,
    /// What measuring took, µs a read, of each stream.
    pub(super) own_cost_us: Vec<f64>,
}

/// When one text came, and when it was sent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Arrival {
    at_ms: f64,
    written_ms: f64,
    /// No other text came with the same read.
    alone: bool,
}

impl Errors {
    /// Adds one stream.
    ///
    /// # Errors
    /// When what was read is not what was written.
    pub(super) fn add(&mut self, seen: &Seen, truth: &Truth) -> Result<()> {
        let written: u64 = truth.events.iter().map(|event| event.bytes).sum();
        if written != seen.bytes {
            let (id, read) = (&seen.id, seen.bytes);
            bail!("{read} bytes of {id} were read, and the server wrote {written}");
        }
        let (Some(true_ttft), Some(true_total)) = (truth.ttft_ms(), truth.total_ms()) else {
            bail!("the server wrote no text for {}", seen.id);
        };
        let arrivals = arrivals(&seen.reads, truth);
        let came = |arrival: Option<&Arrival>| arrival.map(|arrival| arrival.at_ms);
        let ttft = seen.ttft_ms.or_else(|| came(arrivals.first()));
        let total = seen.total_ms.or_else(|| came(arrivals.last()));
        self.ttft.extend(ttft.map(|ttft| ttft - true_ttft));
        self.total.extend(total.map(|total| total - true_total));
        let compared = seen.reads.len().min(READS);
        self.gaps(&self::arrivals(&seen.reads[..compared], truth));
        let late = |event: &harness::mock::Event| {
            event.written_us.saturating_sub(event.scheduled_us) as f64 / 1e3
        };
        self.server_late.extend(truth.events.iter().map(late));
        self.own_cost_us.extend(seen.own_cost_us);
        Ok(())
    }

    fn gaps(&mut self, arrivals: &[Arrival]) {
        self.texts += arrivals.len();
        self.coalesced += arrivals.iter().filter(|arrival| !arrival.alone).count();
        for pair in arrivals.windows(2) {
            let [before, after] = [pair[0], pair[1]];
            if before.alone && after.alone {
                let measured = after.at_ms - before.at_ms;
                let truth = after.written_ms - before.written_ms;
                self.gap.push((measured - truth).abs());
            }
        }
    }
}

/// The texts that these reads completed, in order.
fn arrivals(reads: &[(Option<f64>, u64)], truth: &Truth) -> Vec<Arrival> {
    let mut came: Vec<(usize, f64)> = Vec::new();
    let (mut read, mut bytes_read, mut bytes_written) = (0, 0, 0);
    for event in &truth.events {
        bytes_written += event.bytes;
        while bytes_read < bytes_written && read < reads.len() {
            bytes_read += reads[read].1;
            read += 1;
        }
        if bytes_read < bytes_written || read == 0 {
            break;
        }
        if event.is_generated() {
            came.push((read - 1, event.written_ms()));
        }
    }
    let with = |read: usize| came.iter().filter(|(other, _)| *other == read).count();
    let arrival = |&(read, written_ms): &(usize, f64)| {
        Some(Arrival {
            at_ms: reads[read].0?,
            written_ms,
            alone: with(read) == 1,
        })
    };
    came.iter().filter_map(arrival).collect()
}

#[cfg(test)]
mod tests;
