//! Many records in one table. A percentile below its least n is not given.

use std::fmt::Write as _;

use streamlag_wire::Record;
use streamlag_wire::sketch::LEAST;

type Metric = fn(&Record) -> Option<f64>;

const METRICS: [(&str, Metric); 7] = [
    ("wait", |r| r.timing.wait_ms),
    ("ttfb", |r| r.timing.ttfb_ms),
    ("ttft", |r| r.timing.ttft_ms),
    ("gen", |r| r.timing.gen_ms),
    ("total", |r| r.timing.total_ms),
    ("longest gap", |r| {
        r.gaps.longest.first().map(|gap| gap.gap_ms)
    }),
    ("parse", |r| r.parse_ms),
];

/// The table over all records; percentiles over those with outcome ok.
pub(super) fn of(records: &[Record]) -> String {
    let ok: Vec<_> = records.iter().filter(|r| r.outcome == "ok").collect();
    let mut text = format!("\n{} of {} ok\n", ok.len(), records.len());
    let _ = writeln!(
        text,
        "  {:<14}{:>6}{:>12}{:>12}{:>12}{:>12}",
        "ms", "n", "P50", "P95", "P99", "max"
    );
    for (name, metric) in METRICS {
        let mut values: Vec<f64> = ok.iter().filter_map(|record| metric(record)).collect();
        values.sort_by(f64::total_cmp);
        let cells = LEAST.map(|(rank, least)| cell(percentile(&values, rank, least)));
        let n = values.len();
        let [p50, p95, p99] = cells;
        let max = cell(values.last().copied());
        let _ = writeln!(
            text,
            "  {name:<14}{n:>6}{p50:>12}{p95:>12}{p99:>12}{max:>12}"
        );
    }
    let [(_, p50), (_, p95), (_, p99)] = LEAST;
    if (ok.len() as u64) < p99 {
        let _ = writeln!(
            text,
            "  —: too few for it; P50 needs {p50}, P95 {p95}, P99 {p99}"
        );
    }
    text
}

/// The smallest value that at least this share of all do not exceed, where there are enough of them.
fn percentile(sorted: &[f64], rank: f64, least: u64) -> Option<f64> {
    if (sorted.len() as u64) < least {
        return None;
    }
    let place = (sorted.len() as f64 * rank).ceil().max(1.0) as usize;
    sorted.get(place - 1).copied()
}

fn cell(value: Option<f64>) -> String {
    value.map_or("—".to_owned(), |value| format!("{value:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_below_its_least_n_is_not_given() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let [p50, p95, p99] = LEAST.map(|(rank, least)| percentile(&values, rank, least));
        assert_eq!((p50, p95, p99), (Some(50.0), Some(95.0), None));
        assert_eq!(percentile(&[], 0.5, 0), None);
    }
}
