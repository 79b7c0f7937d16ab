//! A sketch as JSON.

use std::fmt;
use std::time::Duration;

use streamlag_core::Sketch;
use streamlag_core::sketch::Parts;

use crate::columns::packed;

/// Ranks and the least samples to claim them: P50, P95 and P99. Below, a rank says more about luck than
/// about time.
pub const LEAST: [(f64, u64); 3] = [(0.5, 20), (0.95, 100), (0.99, 300)];

/// Longest text of [`SketchJson::bins`]: a sketch with more to say is joined until it fits.
pub const MAX_BINS_TEXT: usize = 256;
/// Significant digits of the percentiles: they are estimates.
const DIGITS: f64 = 10_000.0;
/// What rounding to so many digits may add to the error: half of the last one.
const ROUNDING: f64 = 0.5 / DIGITS;

/// The sketches of one record. `None`: not observed at this vantage, or not at all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sketches {
    /// Arrival gaps of generated text, those below the clock's step left out.
    pub gaps: Option<SketchJson>,
    /// Read → parsed, one sample a read.
    pub parse: Option<SketchJson>,
    /// Parsed → committed to the DOM.
    pub holdback: Option<SketchJson>,
    /// Read → earliest bound of the frame that shows it.
    pub lag_earliest: Option<SketchJson>,
    /// Read → latest bound of that frame.
    pub lag_latest: Option<SketchJson>,
}

impl Sketches {
    pub(crate) fn all(&self) -> [(&'static str, &Option<SketchJson>); 5] {
        [
            ("gaps", &self.gaps),
            ("parse", &self.parse),
            ("holdback", &self.holdback),
            ("lag_earliest", &self.lag_earliest),
            ("lag_latest", &self.lag_latest),
        ]
    }

    pub(crate) fn places(&mut self) -> [(&'static str, &mut Option<SketchJson>); 5] {
        [
            ("gaps", &mut self.gaps),
            ("parse", &mut self.parse),
            ("holdback", &mut self.holdback),
            ("lag_earliest", &mut self.lag_earliest),
            ("lag_latest", &mut self.lag_latest),
        ]
    }

    /// Whether none was observed.
    pub fn is_empty(&self) -> bool {
        self.all().iter().all(|(_, sketch)| sketch.is_none())
    }
}

/// A quantile sketch: see `streamlag_core::Sketch` for what the bins mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SketchJson {
    /// How many samples, those shorter than the clock's step included: they are in no bin.
    pub n: u64,
    /// Exact sum, ms. `None`: the clock resolved no sample.
    pub sum_ms: Option<f64>,
    /// Exact shortest that the clock resolved, ms.
    pub min_ms: Option<f64>,
    /// Exact longest, ms.
    pub max_ms: Option<f64>,
    /// Estimates at the usual ranks, to five significant digits, for readers without a sketch library.
    /// `None` below the least n ([`LEAST`]), and where the sample of that rank is shorter than the
    /// clock's step.
    pub p50_ms: Option<f64>,
    /// 95th percentile.
    pub p95_ms: Option<f64>,
    /// 99th percentile.
    pub p99_ms: Option<f64>,
    /// The bound on the relative error of those estimates, their rounding included.
    pub relative_error: f64,
    /// How often neighbouring bins were joined. Bin i of level L spans 2^(i·2^L/35) to 2^((i+1)·2^L/35) ns.
    pub level: u8,
    /// The index of the first bin that counts something, then the count of that bin and of those after it;
    /// −k stands for k bins that count nothing. Packed, see [`packed`]; empty: no bin does.
    pub bins: String,
}

impl From<&Sketch> for SketchJson {
    fn from(sketch: &Sketch) -> Self {
        let mut sketch = sketch.clone();
        let mut bins = flatten(sketch.bins());
        while bins.len() > MAX_BINS_TEXT && sketch.coarsen() {
            bins = flatten(sketch.bins());
        }
        let [p50_ms, p95_ms, p99_ms] = LEAST.map(|(rank, least)| {
            let enough = sketch.count() >= least;
            enough
                .then(|| sketch.quantile(rank))
                .flatten()
                .map(|estimate| rounded(ms(estimate)))
        });
        Self {
            n: sketch.count(),
            sum_ms: sketch.sum().map(ms),
            min_ms: sketch.min().map(ms),
            max_ms: sketch.max().map(ms),
            p50_ms,
            p95_ms,
            p99_ms,
            relative_error: ((sketch.relative_error() + ROUNDING) * 1e4).ceil() / 1e4,
            level: sketch.level(),
            bins,
        }
    }
}

impl SketchJson {
    /// The sketch again, to be merged with others. `None` when the fields are no sketch's.
    pub fn to_sketch(&self) -> Option<Sketch> {
        let bins = self.bins().ok()?;
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

    /// The same samples in half the bins. `false` when there is nothing left to join.
    pub(crate) fn coarsen(&mut self) -> bool {
        let Some(mut sketch) = self.to_sketch() else {
            return false;
        };
        let joined = sketch.coarsen();
        if joined {
            *self = Self::from(&sketch);
        }
        joined
    }

    /// Index and count of the bins that count something.
    pub(crate) fn bins(&self) -> Result<Vec<(i16, u64)>, WrongBins> {
        let numbers = packed::unpack(&self.bins).map_err(WrongBins::Text)?;
        let mut numbers = numbers.into_iter();
        let mut bins = Vec::new();
        let Some(first) = numbers.next() else {
            return Ok(bins);
        };
        let mut index = first.ok_or(WrongBins::Null)?;
        for number in numbers {
            let number = number.ok_or(WrongBins::Null)?;
            let Ok(count @ 1..) = u64::try_from(number) else {
                index = index.saturating_sub(number);
                continue;
            };
            let bin = i16::try_from(index).map_err(|_| WrongBins::Index(index))?;
            bins.push((bin, count));
            index = index.saturating_add(1);
        }
        Ok(bins)
    }
}

/// Why a text holds no bins.
#[derive(Debug)]
pub(crate) enum WrongBins {
    Text(packed::Wrong),
    Null,
    Index(i64),
}

impl fmt::Display for WrongBins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(wrong) => wrong.fmt(f),
            Self::Null => f.write_str("has null (\".\"): write −k for k bins that count nothing"),
            Self::Index(index) => write!(f, "goes on to bin {index}, and no level has so many"),
        }
    }
}

/// Milliseconds to the nanosecond: what is merged again had better not be rounded.
fn ms(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / 1e6
}

/// To five significant digits.
fn rounded(ms: f64) -> f64 {
    let mut scale = 1.0;
    while ms * scale < DIGITS && scale < 1e12 {
        scale *= 10.0;
    }
    (ms * scale).round() / scale
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

fn flatten(bins: &[(i16, u64)]) -> String {
    let mut text = String::new();
    let Some((first, _)) = bins.first() else {
        return text;
    };
    let mut next = i64::from(*first);
    packed::push(&mut text, next);
    for (index, count) in bins {
        let index = i64::from(*index);
        if index > next {
            packed::push(&mut text, next - index);
        }
        packed::push(&mut text, i64::try_from(*count).unwrap_or(i64::MAX));
        next = index + 1;
    }
    text
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
        bad(|json| (json.n, json.level, json.bins) = (0, 99, String::new()));
        bad(|json| json.min_ms = None);
        bad(|json| json.max_ms = Some(f64::NAN));
        bad(|json| json.bins.push('.'));
        bad(|json| json.bins.push('!'));
        bad(|json| json.bins.push('g'));
        for numbers in [
            &[i64::MAX, 1, 1][..],
            &[40_000, 1],
            &[-1, 1],
            &[40, 1, i64::MIN, 1],
        ] {
            let mut json = good.clone();
            json.bins = packed::pack(numbers.iter().copied().map(Some));
            assert_eq!(json.to_sketch(), None, "{numbers:?}");
        }
    }

    #[test]
    fn bins_are_a_start_then_counts_with_runs_of_empty_bins() {
        let parts = Parts {
            bins: vec![(700, 1), (701, 20), (705, 3)],
            sum: Some(Duration::from_secs(1)),
            min: Some(Duration::from_micros(1)),
            max: Some(Duration::from_millis(2)),
            ..Parts::default()
        };
        let json = SketchJson::from(&Sketch::from_parts(parts).unwrap());
        let numbers = [700, 1, 20, -3, 3];
        assert_eq!(packed::unpack(&json.bins), Ok(numbers.map(Some).to_vec()));
    }

    #[test]
    fn however_many_samples_there_are_the_bins_stay_short_and_the_error_is_told() {
        let mut parts = Parts {
            bins: (600..696).map(|bin| (bin, 9_999_999)).collect(),
            sum: Some(Duration::from_secs(1 << 30)),
            min: Some(Duration::from_micros(100)),
            max: Some(Duration::from_secs(9)),
            ..Parts::default()
        };
        parts.unresolved = 7;
        let fine = Sketch::from_parts(parts).unwrap();
        let json = SketchJson::from(&fine);
        assert!(json.bins.len() <= MAX_BINS_TEXT, "{}", json.bins.len());
        assert!(json.level > fine.level() && json.relative_error > fine.relative_error());
        let again = json.to_sketch().unwrap();
        assert_eq!(
            (again.count(), again.unresolved(), again.sum()),
            (fine.count(), 7, fine.sum())
        );
        // Still of one family: it merges with a finer one as the finer ones would have.
        let mut merged = again.clone();
        merged.merge(&fine);
        let mut twice = fine.clone();
        twice.merge(&fine);
        while twice.level() < merged.level() {
            twice.coarsen();
        }
        assert_eq!(merged, twice);
    }
}
