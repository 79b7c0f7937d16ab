//! A sketch as JSON.

use serde::{Deserialize, Serialize};

/// A quantile sketch: see `streamlag_core::Sketch` for what the bins mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SketchJson {
    /// How many samples.
    pub n: u64,
    /// Exact sum.
    pub sum_ms: Option<f64>,
    /// Exact shortest.
    pub min_ms: Option<f64>,
    /// Exact longest.
    pub max_ms: Option<f64>,
    /// Estimates at the usual ranks, for readers without a sketch library. `None` below the least n.
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
