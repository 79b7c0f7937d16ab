//! A mergeable quantile sketch with a stated relative error, in bounded space.
//!
//! Logarithmic bins as in DDSketch (Masson et al., 2019), with the uniform collapse of UDDSketch (Epicoco
//! et al., 2020): when more than [`Sketch::MAX_BINS`] bins are live, neighbouring bins are joined, which
//! squares γ. Two sketches merge exactly: the result is the sketch of the union, whatever the order.
//!
//! Bin borders are 2^(i/35), compared as integers: every platform puts a value into the same bin, and no
//! logarithm has to be linked into a page.

mod borders;

use std::time::Duration;

/// Counts of durations in logarithmic bins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sketch {
    /// How often the bins were joined; 0 is the finest.
    level: u8,
    /// Index and count, in rising order of the index. A sorted list: there are few, and it links small.
    bins: Vec<(i16, u64)>,
    /// Samples of no length: shorter than the clock's step.
    unresolved: u64,
    /// Samples with a length.
    resolved: u64,
    sum_ns: u128,
    min_ns: Option<u64>,
    max_ns: Option<u64>,
}

/// A sketch taken apart, as it travels.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// See [`Sketch::level`].
    pub level: u8,
    /// See [`Sketch::bins`].
    pub bins: Vec<(i16, u64)>,
    /// See [`Sketch::unresolved`].
    pub unresolved: u64,
    /// See [`Sketch::sum`].
    pub sum: Option<Duration>,
    /// See [`Sketch::min`].
    pub min: Option<Duration>,
    /// See [`Sketch::max`].
    pub max: Option<Duration>,
}

impl Sketch {
    /// Most live bins.
    pub const MAX_BINS: usize = 96;
    /// γ at level 0: neighbouring bin borders differ by this factor, 2^(1/35).
    pub const GAMMA: f64 = 1.020_001_609_421_119;

    /// Adds one duration. Zero means shorter than the clock's step: it counts, but has no length.
    pub fn add(&mut self, duration: Duration) {
        let ns = nanos(duration);
        let Some(index) = borders::index(ns) else {
            self.unresolved = self.unresolved.saturating_add(1);
            return;
        };
        self.sum_ns = self.sum_ns.saturating_add(u128::from(ns));
        self.min_ns = Some(self.min_ns.map_or(ns, |min| min.min(ns)));
        self.max_ns = Some(self.max_ns.map_or(ns, |max| max.max(ns)));
        self.put(index >> self.level, 1);
        self.fit();
    }

    /// Adds all of `other`: the result is the sketch of both sets of durations.
    pub fn merge(&mut self, other: &Self) {
        while self.level < other.level {
            self.join_neighbours();
        }
        let finer_by = self.level.saturating_sub(other.level);
        for (index, count) in &other.bins {
            self.put(index >> finer_by, *count);
        }
        self.fit();
        self.unresolved = self.unresolved.saturating_add(other.unresolved);
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.min_ns = [self.min_ns, other.min_ns].into_iter().flatten().min();
        self.max_ns = [self.max_ns, other.max_ns].into_iter().flatten().max();
    }

    /// The duration at rank `q` (0 to 1, nearest rank), within [`Sketch::relative_error`]. `None` when
    /// nothing was added, `q` is not a rank, or the sample of that rank was not resolved by the clock.
    pub fn quantile(&self, q: f64) -> Option<Duration> {
        if !(0.0..=1.0).contains(&q) || self.count() == 0 {
            return None;
        }
        let rank = ((q * self.count() as f64).ceil() as u64).clamp(1, self.count());
        let mut below = self.unresolved;
        if rank <= below {
            return None;
        }
        for (index, count) in &self.bins {
            below = below.saturating_add(*count);
            if rank <= below {
                return Some(self.within_range(borders::middle(*index, self.level)));
            }
        }
        self.max()
    }

    /// Joins neighbouring bins once: half the bins at about twice the error, and still mergeable. `false`
    /// when there is nothing left to join.
    pub fn coarsen(&mut self) -> bool {
        let more = self.bins.len() > 1 && borders::last(self.level.saturating_add(1)).is_some();
        if more {
            self.join_neighbours();
        }
        more
    }

    /// How many durations lie between the two, both included, as far as the bins tell.
    pub fn count_between(&self, low: Duration, high: Duration) -> u64 {
        let range = nanos(low) as f64..=nanos(high) as f64;
        self.bins
            .iter()
            .filter(|(index, _)| range.contains(&borders::middle(*index, self.level)))
            .fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The bound on the relative error of [`Sketch::quantile`].
    pub fn relative_error(&self) -> f64 {
        borders::relative_error(self.level)
    }

    /// How many durations were added, unresolved ones included.
    pub const fn count(&self) -> u64 {
        self.resolved.saturating_add(self.unresolved)
    }

    /// How many of them were shorter than the clock's step.
    pub const fn unresolved(&self) -> u64 {
        self.unresolved
    }

    /// The exact sum, where anything with a length was added.
    pub fn sum(&self) -> Option<Duration> {
        (self.resolved > 0)
            .then(|| Duration::from_nanos(u64::try_from(self.sum_ns).unwrap_or(u64::MAX)))
    }

    /// The exact shortest that was resolved.
    pub fn min(&self) -> Option<Duration> {
        self.min_ns.map(Duration::from_nanos)
    }

    /// The exact longest.
    pub fn max(&self) -> Option<Duration> {
        self.max_ns.map(Duration::from_nanos)
    }

    /// How often neighbouring bins were joined.
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// Live bins and their counts, rising. Bin i of level L spans 2^(i·2^L/35) to 2^((i+1)·2^L/35) ns.
    pub fn bins(&self) -> &[(i16, u64)] {
        &self.bins
    }

    /// Puts a sketch together again. `None` when the parts are no sketch's: bins out of order or range.
    pub fn from_parts(parts: Parts) -> Option<Self> {
        let last_bin = borders::last(parts.level)?;
        let mut sketch = Self {
            level: parts.level,
            unresolved: parts.unresolved,
            ..Self::default()
        };
        let mut last = -1;
        for (index, count) in parts.bins {
            if index <= last || index > last_bin || count == 0 {
                return None;
            }
            last = index;
            sketch.put(index, count);
        }
        if sketch.resolved > 0 {
            sketch.sum_ns = parts.sum?.as_nanos();
            sketch.min_ns = Some(nanos(parts.min?));
            sketch.max_ns = Some(nanos(parts.max?)).filter(|max| Some(*max) >= sketch.min_ns);
            sketch.max_ns?;
        }
        sketch.fit();
        Some(sketch)
    }

    /// An estimate never leaves the range that was seen.
    fn within_range(&self, ns: f64) -> Duration {
        let low = self.min_ns.unwrap_or(0);
        let high = self.max_ns.unwrap_or(u64::MAX).max(low);
        Duration::from_nanos((ns as u64).clamp(low, high))
    }

    fn put(&mut self, index: i16, count: u64) {
        self.resolved = self.resolved.saturating_add(count);
        match self.bins.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(at) => {
                if let Some((_, live)) = self.bins.get_mut(at) {
                    *live = live.saturating_add(count);
                }
            }
            Err(at) => self.bins.insert(at, (index, count)),
        }
    }

    fn fit(&mut self) {
        while self.bins.len() > Self::MAX_BINS {
            self.join_neighbours();
        }
    }

    fn join_neighbours(&mut self) {
        self.level = self.level.saturating_add(1);
        for (index, _) in &mut self.bins {
            *index >>= 1;
        }
        self.bins.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
