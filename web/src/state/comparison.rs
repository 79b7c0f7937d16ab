//! Browser against edge by region: what `GET /v1/comparison` says, as rows to read.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::format::{NONE, bare, count, counted};
use super::timeline::scale;

/// The answer of `GET /v1/comparison`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Comparison {
    /// One entry a vantage and region.
    pub groups: Vec<Group>,
    /// False: there were more records than were read; the newest count.
    #[serde(default = "yes")]
    pub complete: bool,
}

const fn yes() -> bool {
    true
}

/// All records of one vantage and region.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Group {
    /// `browser`, `edge` or `server`.
    pub vantage: String,
    /// The region asked for.
    pub region: Option<String>,
    /// All records.
    pub n: u64,
    /// Those that count into the metrics.
    pub n_ok: u64,
    /// Outcome → records.
    #[serde(default)]
    pub outcomes: BTreeMap<String, u64>,
    /// Error class → records.
    #[serde(default)]
    pub error_classes: BTreeMap<String, u64>,
    /// Successes left out of the metrics: flag → records.
    #[serde(default)]
    pub excluded: BTreeMap<String, u64>,
    /// Metric → distribution.
    #[serde(default)]
    pub metrics: BTreeMap<String, Metric>,
}

/// One duration's distribution, in ms.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct Metric {
    /// Records in which it was observed.
    pub n: u64,
    /// Median.
    pub p50: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// The longest.
    pub max: Option<f64>,
    /// The values themselves, newest first, while there are too few for a median.
    #[serde(default)]
    pub few: Vec<f64>,
}

/// The metrics of the comparison: name, in words, and whether it is shown at first.
const METRICS: [(&str, &str, bool); 10] = [
    ("ttft_ms", "First generated text", true),
    ("longest_gap_ms", "Longest gap", true),
    ("total_ms", "Sending to last text", true),
    ("wait_ms", "Before sending", false),
    ("ttfb_ms", "First byte", false),
    ("ttfo_ms", "First answer text", false),
    ("gen_ms", "First to last text", false),
    ("parse_ms", "Parsing, all reads", false),
    (
        "render_lag_earliest_ms",
        "Read to painted frame, earliest",
        false,
    ),
    (
        "render_lag_latest_ms",
        "Read to painted frame, latest",
        false,
    ),
];

/// One metric over all places.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Its name in records.
    pub word: &'static str,
    /// In words.
    pub label: &'static str,
    /// What the right end of the charts stands for.
    pub scale: String,
    /// One row a place.
    pub rows: Vec<BlockRow>,
}

/// One metric at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRow {
    /// The place in words.
    pub place: Place,
    /// Records in which it was observed.
    pub n: u64,
    /// Percentiles, or the values themselves.
    pub cells: Cells,
    /// The picture.
    pub chart: Chart,
}

/// The numbers of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cells {
    /// Nothing was observed here.
    Nothing,
    /// Too few for a median: `3 raw: 301 · 305 · 299`.
    Raw(String),
    /// P50, P95, P99, each "—" below its least n.
    Percentiles([String; 3]),
}

/// Positions from 0 (left) to 100 (right).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chart {
    /// Single values.
    pub dots: Vec<f64>,
    /// The median.
    pub median: Option<f64>,
    /// From the median to the highest percentile known.
    pub range: Option<(f64, f64)>,
    /// The highest value.
    pub max: Option<f64>,
}

/// Where something was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// `Browser`, `Edge`, `Server`.
    pub vantage: &'static str,
    /// The region's name, or its code where it has none.
    pub region: String,
    /// The region's code.
    pub code: String,
}

/// Most raw values written out in a row.
const MOST_RAW: usize = 6;

/// Rows for every metric with any value; only the first few metrics unless all are wanted.
pub fn blocks(comparison: &Comparison, all: bool) -> Vec<Block> {
    let wanted = METRICS.iter().filter(|(_, _, first)| all || *first);
    wanted
        .map(|(word, label, _)| block(comparison, word, label))
        .collect()
}

fn block(comparison: &Comparison, word: &'static str, label: &'static str) -> Block {
    let metrics: Vec<Metric> = comparison
        .groups
        .iter()
        .map(|group| group.metrics.get(word).cloned().unwrap_or_default())
        .collect();
    let full = scale(metrics.iter().map(Metric::highest).fold(0.0, f64::max));
    let rows = comparison.groups.iter().zip(&metrics);
    Block {
        word,
        label,
        scale: format!("{}\u{202f}ms", count(full as u64)),
        rows: rows
            .map(|(group, metric)| BlockRow {
                place: place(&group.vantage, group.region.as_deref()),
                n: metric.n,
                cells: metric.cells(),
                chart: metric.chart(full),
            })
            .collect(),
    }
}

impl Metric {
    fn highest(&self) -> f64 {
        let known = [self.p50, self.p95, self.p99, self.max];
        let known = known.into_iter().flatten();
        known.chain(self.few.iter().copied()).fold(0.0, f64::max)
    }

    fn cells(&self) -> Cells {
        match (self.n, self.p50) {
            (0, _) => Cells::Nothing,
            (n, None) => {
                let values: Vec<String> =
                    self.few.iter().take(MOST_RAW).map(|v| bare(*v)).collect();
                let more = if self.few.len() > MOST_RAW {
                    " …"
                } else {
                    ""
                };
                Cells::Raw(format!("{n} raw: {}{more}", values.join(" · ")))
            }
            (_, Some(_)) => {
                let text = |p: Option<f64>| p.map_or_else(|| NONE.to_owned(), bare);
                Cells::Percentiles([self.p50, self.p95, self.p99].map(text))
            }
        }
    }

    fn chart(&self, full: f64) -> Chart {
        let at = |ms: f64| (ms / full * 100.0).clamp(0.0, 100.0);
        if self.p50.is_none() {
            return Chart {
                dots: self.few.iter().map(|ms| at(*ms)).collect(),
                ..Chart::default()
            };
        }
        let end = self.p99.or(self.p95);
        Chart {
            dots: Vec::new(),
            median: self.p50.map(at),
            range: self.p50.zip(end).map(|(from, to)| (at(from), at(to))),
            max: self.max.map(at),
        }
    }
}

/// The names that location hints stand for.
pub fn place(vantage: &str, region: Option<&str>) -> Place {
    let vantage = match vantage {
        "browser" => "Browser",
        "edge" => "Edge",
        _ => "Server",
    };
    let code = region.unwrap_or_default();
    let name = match code {
        "wnam" => "Western North America",
        "enam" => "Eastern North America",
        "sam" => "South America",
        "weur" => "Western Europe",
        "eeur" => "Eastern Europe",
        "apac" => "Asia-Pacific",
        "oc" => "Oceania",
        "afr" => "Africa",
        "me" => "Middle East",
        other => other,
    };
    Place {
        vantage,
        region: name.to_owned(),
        code: code.to_owned(),
    }
}

/// How the records of a group ended: `23 records: 21 ok, 1 aborted, 1 error (rate_limited)`.
pub fn endings(group: &Group) -> String {
    let mut parts = Vec::new();
    for outcome in ["ok", "truncated", "error", "timeout", "aborted"] {
        if let Some(n) = group.outcomes.get(outcome).filter(|n| **n > 0) {
            parts.push(format!("{n}\u{a0}{outcome}"));
        }
    }
    let classes: Vec<String> = group
        .error_classes
        .iter()
        .map(|(class, n)| format!("{n}\u{a0}{}", class.replace('_', "\u{a0}")))
        .collect();
    let mut text = format!("{}: {}", counted(group.n, "record"), parts.join(", "));
    if !classes.is_empty() {
        text = format!("{text} ({})", classes.join(", "));
    }
    let left_out: u64 = group.excluded.values().sum();
    if left_out > 0 {
        let flags: Vec<&str> = group.excluded.keys().map(String::as_str).collect();
        text = format!(
            "{text}; {left_out}\u{a0}ok left out of the times ({})",
            flags.join(", ")
        );
    }
    text
}

#[cfg(test)]
mod tests;
