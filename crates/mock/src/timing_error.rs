//! How far the writes were from their schedule: the ground truth states its own error.

use serde::Serialize;

/// The server's own timing error over the events of the log, in µs. `null` where nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TimingError {
    /// Events.
    pub n: usize,
    /// Median of written − scheduled.
    pub p50_us: Option<u64>,
    /// 95th percentile of it.
    pub p95_us: Option<u64>,
    /// 99th percentile of it.
    pub p99_us: Option<u64>,
    /// The worst of it.
    pub max_us: Option<u64>,
    /// Median of written − began: how far the truth itself is uncertain.
    pub write_p50_us: Option<u64>,
    /// 99th percentile of it.
    pub write_p99_us: Option<u64>,
    /// The worst of it.
    pub write_max_us: Option<u64>,
}

impl TimingError {
    /// From written − scheduled and written − began of every event.
    pub(crate) fn of(mut late: Vec<u64>, mut writing: Vec<u64>) -> Self {
        late.sort_unstable();
        writing.sort_unstable();
        Self {
            n: late.len(),
            p50_us: nearest_rank(&late, 50),
            p95_us: nearest_rank(&late, 95),
            p99_us: nearest_rank(&late, 99),
            max_us: late.last().copied(),
            write_p50_us: nearest_rank(&writing, 50),
            write_p99_us: nearest_rank(&writing, 99),
            write_max_us: writing.last().copied(),
        }
    }
}

impl std::fmt::Display for TimingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms =
            |us: Option<u64>| us.map_or("—".to_owned(), |us| format!("{:.2}", us as f64 / 1e3));
        write!(
            f,
            "written − scheduled over {} events: p50 {} ms, p95 {} ms, p99 {} ms, max {} ms",
            self.n,
            ms(self.p50_us),
            ms(self.p95_us),
            ms(self.p99_us),
            ms(self.max_us)
        )
    }
}

/// The smallest value that at least `percent` of all values do not exceed.
fn nearest_rank(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
