//! Grouped percentiles, exact, from raw rows.
//!
//! A percentile is a claim about a distribution: below its least n it is not made, and the raw values are
//! shown instead. Percentiles are over successes; failures are counted by outcome and class beside them.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use streamlag_wire::sketch::LEAST;

use super::row::METRICS;

/// All groups of a selection.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// False when there were more rows than are read at once; the newest were taken.
    pub complete: bool,
    /// Ordered by target, vantage and region.
    pub groups: Vec<Group>,
}

/// What is comparable: one vantage, one region, one target.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Group {
    /// Where it was measured.
    pub vantage: String,
    /// The region asked for.
    pub region: Option<String>,
    /// The target's id.
    pub target: String,
    /// All records.
    pub n: u64,
    /// Those with outcome `ok`.
    pub n_ok: u64,
    /// Outcome → records.
    pub outcomes: BTreeMap<String, u64>,
    /// Error class → records.
    pub error_classes: BTreeMap<String, u64>,
    /// Successes whose durations are left out: flag → records.
    pub excluded: BTreeMap<String, u64>,
    /// Metric → its distribution.
    pub metrics: BTreeMap<&'static str, Metric>,
}

/// The distribution of one duration over the successes of a group, in ms.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Metric {
    /// Successes in which it was observed.
    pub n: usize,
    /// Median; `None` below its least n, [`LEAST`].
    pub p50: Option<f64>,
    /// 95th percentile; `None` below its least n.
    pub p95: Option<f64>,
    /// 99th percentile; `None` below its least n.
    pub p99: Option<f64>,
    /// The longest.
    pub max: Option<f64>,
    /// The values themselves, newest first, while there are too few for a median.
    pub few: Vec<f64>,
}

/// One row of the selection.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) vantage: &'a str,
    pub(super) region: Option<&'a str>,
    pub(super) target: &'a str,
    pub(super) outcome: &'a str,
    pub(super) error_class: Option<&'a str>,
    pub(super) excluded: Option<&'a str>,
    pub(super) metrics: [Option<f64>; METRICS.len()],
}

/// Collects rows, newest first, into groups.
#[derive(Debug, Default)]
pub(super) struct Collector {
    /// By target, vantage and region.
    groups: HashMap<(String, String, Option<String>), Samples>,
}

#[derive(Debug, Default)]
struct Samples {
    outcomes: BTreeMap<String, u64>,
    error_classes: BTreeMap<String, u64>,
    excluded: BTreeMap<String, u64>,
    values: [Vec<f64>; METRICS.len()],
}

impl Collector {
    pub(super) fn add(&mut self, row: &Row<'_>) {
        let key = (
            row.target.to_owned(),
            row.vantage.to_owned(),
            row.region.map(str::to_owned),
        );
        let samples = self.groups.entry(key).or_default();
        count(&mut samples.outcomes, row.outcome);
        if let Some(class) = row.error_class {
            count(&mut samples.error_classes, class);
        }
        if row.outcome != "ok" {
            return;
        }
        if let Some(flag) = row.excluded {
            return count(&mut samples.excluded, flag);
        }
        for (values, value) in samples.values.iter_mut().zip(row.metrics) {
            values.extend(value);
        }
    }

    pub(super) fn finish(self, complete: bool) -> Comparison {
        let mut groups: Vec<_> = self.groups.into_iter().collect();
        groups.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let group = |((target, vantage, region), samples): (_, Samples)| Group {
            vantage,
            region,
            target,
            n: samples.outcomes.values().sum(),
            n_ok: samples.outcomes.get("ok").copied().unwrap_or(0),
            outcomes: samples.outcomes,
            error_classes: samples.error_classes,
            excluded: samples.excluded,
            metrics: METRICS
                .into_iter()
                .zip(samples.values.map(metric))
                .collect(),
        };
        Comparison {
            complete,
            groups: groups.into_iter().map(group).collect(),
        }
    }
}

fn count(counts: &mut BTreeMap<String, u64>, word: &str) {
    match counts.get_mut(word) {
        Some(n) => *n += 1,
        None => {
            counts.insert(word.to_owned(), 1);
        }
    }
}

fn metric(mut values: Vec<f64>) -> Metric {
    let n = values.len();
    let [(_, least), ..] = LEAST;
    let few = (n as u64) < least;
    let few = if few { values.clone() } else { Vec::new() };
    values.sort_unstable_by(f64::total_cmp);
    let [p50, p95, p99] = LEAST.map(|(rank, least)| {
        let enough = n as u64 >= least;
        enough.then(|| percentile(&values, rank)).flatten()
    });
    Metric {
        n,
        p50,
        p95,
        p99,
        max: values.last().copied(),
        few,
    }
}

/// Linear interpolation between the two nearest ranks, of which the first is 0 and the last n − 1 (type 7
/// of Hyndman and Fan, 1996): what NumPy, DuckDB's `quantile_cont` and ClickHouse's
/// `quantileExactInclusive` compute.
fn percentile(sorted: &[f64], p: f64) -> Option<f64> {
    let rank = p * sorted.len().checked_sub(1)? as f64;
    let below = sorted.get(rank.floor() as usize)?;
    let above = sorted.get(rank.ceil() as usize)?;
    Some(below + (above - below) * rank.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(n: usize) -> Metric {
        // Descending, so that the order of the input cannot be the order of the ranks.
        metric((1..=n).rev().map(|value| value as f64).collect())
    }

    #[test]
    fn no_percentile_is_claimed_below_its_least_n() {
        let claims = |n| {
            let metric = check(n);
            (
                metric.p50.is_some(),
                metric.p95.is_some(),
                metric.p99.is_some(),
            )
        };
        assert_eq!(claims(19), (false, false, false));
        assert_eq!(claims(20), (true, false, false));
        assert_eq!(claims(99), (true, false, false));
        assert_eq!(claims(100), (true, true, false));
        assert_eq!(claims(299), (true, true, false));
        assert_eq!(claims(300), (true, true, true));
    }

    #[test]
    fn few_values_are_shown_in_the_order_they_came() {
        assert_eq!(check(3).few, [3.0, 2.0, 1.0]);
        assert_eq!(check(19).few.len(), 19);
        assert!(check(20).few.is_empty());
        assert_eq!(check(0), Metric::default());
    }

    #[test]
    fn ranks_are_interpolated() {
        let near = |a: Option<f64>, b: f64| (a.unwrap() - b).abs() < 1e-9;
        assert!(near(check(20).p50, 10.5));
        assert!(near(check(21).p50, 11.0));
        assert!(near(check(101).p95, 96.0));
        assert!(near(check(301).p99, 298.0));
        assert!(near(check(301).max, 301.0));
    }
}
