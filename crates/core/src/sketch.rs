//! A mergeable quantile sketch with a stated relative error, in bounded space.
//!
//! Logarithmic bins as in DDSketch (Masson et al., 2019), with the uniform collapse of UDDSketch (Epicoco
//! et al., 2020): when more than [`Sketch::MAX_BINS`] bins are live, neighbouring bins are joined, which
//! squares γ. Two sketches merge exactly: the result is the sketch of the union.

use std::collections::BTreeMap;
use std::time::Duration;

/// Counts of durations in logarithmic bins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sketch {
    /// How often the bins were joined; 0 is the finest.
    level: u8,
    bins: BTreeMap<i16, u64>,
    count: u64,
    sum_ns: u128,
    min_ns: Option<u64>,
    max_ns: Option<u64>,
}

impl Sketch {
    /// Most live bins.
    pub const MAX_BINS: usize = 96;
    /// γ at level 0: neighbouring bin borders differ by this factor.
    pub const GAMMA: f64 = 1.02;

    /// How many durations were added.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The exact sum, where anything was added.
    pub fn sum(&self) -> Option<Duration> {
        (self.count > 0)
            .then(|| Duration::from_nanos(u64::try_from(self.sum_ns).unwrap_or(u64::MAX)))
    }

    /// The exact shortest.
    pub fn min(&self) -> Option<Duration> {
        self.min_ns.map(Duration::from_nanos)
    }

    /// The exact longest.
    pub fn max(&self) -> Option<Duration> {
        self.max_ns.map(Duration::from_nanos)
    }
}
