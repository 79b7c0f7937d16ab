//! A sketch as JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use streamlag_core::Sketch;
use streamlag_core::sketch::Parts;

/// Ranks and the least samples to claim them: P50, P95 and P99. Below, a rank says more about luck than
/// about time.
pub const LEAST: [(f64, u64); 3] = [(0.5, 20), (0.95, 100), (0.99, 300)];

/// A quantile sketch: see `streamlag_core::Sketch` for what the bins mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SketchJson {
    /// How many samples, those shorter than the clock's step included: they are in no bin.
    pub n: u64,
    /// Exact sum.
    pub sum_ms: Option<f64>,
    /// Exact shortest that the clock resolved.
    pub min_ms: Option<f64>,
    /// Exact longest.
    pub max_ms: Option<f64>,
    /// Estimates at the usual ranks, for readers without a sketch library. `None` below the least n, and
    /// where the sample of that rank is shorter than the clock's step.
    pub p50_ms: Option<f64>,
    /// 95th percentile.
    pub p95_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// The bound on the relative error of those estimates.
    pub relative_error: f64,
    /// How often neighbouring bins were joined.
    pub level: u8,
    /// Pairs flattened: distance from the previous bin's index (the first: from 0), then its count.
    pub bins: Vec<i64>,
}

impl From<&Sketch> for SketchJson {
    fn from(sketch: &Sketch) -> Self {
        let [p50_ms, p95_ms, p99_ms] = LEAST.map(|(rank, least)| {
            let enough = sketch.count() >= least;
            enough.then(|| sketch.quantile(rank)).flatten().map(ms)
        });
        Self {
            n: sketch.count(),
            sum_ms: sketch.sum().map(ms),
            min_ms: sketch.min().map(ms),
            max_ms: sketch.max().map(ms),
            p50_ms,
            p95_ms,
            p99_ms,
            relative_error: sketch.relative_error(),
            level: sketch.level(),
            bins: flatten(sketch.bins()),
        }
    }
}

impl SketchJson {
    /// The sketch again, to be merged with others. `None` when the fields are no sketch's.
    pub fn to_sketch(&self) -> Option<Sketch> {
        let bins = unflatten(&self.bins)?;
        let resolved = bins
            .iter()
            .try_fold(0u64, |n, (_, count)| n.checked_add(*count))?;
        Sketch::from_parts(Parts {
            level: self.level,
            bins,
            unresolved: self.n.checked_sub(resolved)?,
            sum: optional(self.sum_ms)?,
            min: optional(self.min_ms)?,
            max: optional(self.max_ms)?,
        })
    }
}

/// Milliseconds to the nanosecond: what is merged again had better not be rounded.
fn ms(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / 1e6
}

/// `None` when a number is there and is no duration.
fn optional(ms: Option<f64>) -> Option<Option<Duration>> {
    match ms {
        None => Some(None),
        Some(ms) if (0.0..1e13).contains(&ms) => {
            Some(Some(Duration::from_nanos((ms * 1e6).round() as u64)))
        }
        Some(_) => None,
    }
}

fn flatten(bins: &[(i16, u64)]) -> Vec<i64> {
    let mut last = 0;
    bins.iter()
        .flat_map(|(index, count)| {
            let distance = i64::from(*index) - last;
            last = i64::from(*index);
            [distance, i64::try_from(*count).unwrap_or(i64::MAX)]
        })
        .collect()
}

fn unflatten(flat: &[i64]) -> Option<Vec<(i16, u64)>> {
    let (pairs, rest) = flat.as_chunks::<2>();
    rest.is_empty().then_some(())?;
    let mut last = 0i64;
    pairs
        .iter()
        .map(|[distance, count]| {
            last = last.checked_add(*distance)?;
            Some((i16::try_from(last).ok()?, u64::try_from(*count).ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(ms: impl IntoIterator<Item = u64>) -> Sketch {
        let mut sketch = Sketch::default();
        for ms in ms {
            sketch.add(Duration::from_millis(ms));
        }
        sketch
    }

    #[test]
    fn a_sketch_survives_the_wire() {
        for original in [
            sketch([]),
            sketch([0, 0]),
            sketch([0, 1, 40, 40, 2500]),
            sketch(1..900),
        ] {
            let json = SketchJson::from(&original);
            assert_eq!(json.to_sketch(), Some(original));
        }
    }

    #[test]
    fn percentiles_wait_for_enough_samples() {
        let few = SketchJson::from(&sketch(1..=19));
        assert_eq!((few.n, few.p50_ms), (19, None));
        let more = SketchJson::from(&sketch(1..=100));
        assert!(
            more.p50_ms
                .is_some_and(|p50| (p50 / 50.0 - 1.0).abs() <= more.relative_error)
        );
        assert!(more.p95_ms.is_some() && more.p99_ms.is_none());
    }

    #[test]
    fn what_is_no_sketch_is_refused() {
        let good = SketchJson::from(&sketch([1, 40]));
        let bad = |change: fn(&mut SketchJson)| {
            let mut json = good.clone();
            change(&mut json);
            assert_eq!(json.to_sketch(), None, "{json:?}");
        };
        bad(|json| json.n = 1);
        bad(|json| json.level = 99);
        bad(|json| (json.n, json.level, json.bins) = (0, 99, Vec::new()));
        bad(|json| json.min_ms = None);
        bad(|json| json.max_ms = Some(f64::NAN));
        bad(|json| json.bins.push(1));
        bad(|json| json.bins = vec![i64::MAX, 1, 1, 1]);
        bad(|json| json.bins = vec![40, -1]);
        bad(|json| json.bins = vec![40, 1, 0, 1]);
    }
}
