//! The sketches as columns.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::sketch::{SketchJson, Sketches};

/// One entry a sketch; see [`SketchJson`] for what the columns mean.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Table {
    /// What was sketched: `gaps`, `parse`, `holdback`, `lag_earliest`, `lag_latest`. What is not named was
    /// not observed. Other names are taken and passed over.
    pub of: Vec<String>,
    /// How many samples.
    pub n: Vec<u64>,
    /// Exact sum.
    pub sum_ms: Vec<Option<f64>>,
    /// Exact shortest that the clock resolved.
    pub min_ms: Vec<Option<f64>>,
    /// Exact longest.
    pub max_ms: Vec<Option<f64>>,
    /// Median, within `relative_error`.
    pub p50_ms: Vec<Option<f64>>,
    /// 95th percentile, the same.
    pub p95_ms: Vec<Option<f64>>,
    /// 99th percentile, the same.
    pub p99_ms: Vec<Option<f64>>,
    /// The bound on the relative error of the three.
    pub relative_error: Vec<f64>,
    /// How often neighbouring bins were joined.
    pub level: Vec<u8>,
    /// Counts, packed.
    pub bins: Vec<String>,
}

pub(crate) fn serialize<S: Serializer>(sketches: &Sketches, to: S) -> Result<S::Ok, S::Error> {
    table(sketches).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Sketches, D::Error> {
    sketches(Table::deserialize(from)?).map_err(D::Error::custom)
}

fn table(sketches: &Sketches) -> Table {
    let mut table = Table::default();
    for (name, sketch) in sketches.all() {
        let Some(sketch) = sketch else { continue };
        table.of.push(name.to_owned());
        table.n.push(sketch.n);
        table.sum_ms.push(sketch.sum_ms);
        table.min_ms.push(sketch.min_ms);
        table.max_ms.push(sketch.max_ms);
        table.p50_ms.push(sketch.p50_ms);
        table.p95_ms.push(sketch.p95_ms);
        table.p99_ms.push(sketch.p99_ms);
        table.relative_error.push(sketch.relative_error);
        table.level.push(sketch.level);
        table.bins.push(sketch.bins.clone());
    }
    table
}

fn sketches(table: Table) -> Result<Sketches, String> {
    let rows = table.of.len();
    super::same(
        rows,
        "of",
        &[
            ("n", table.n.len()),
            ("sum_ms", table.sum_ms.len()),
            ("min_ms", table.min_ms.len()),
            ("max_ms", table.max_ms.len()),
            ("p50_ms", table.p50_ms.len()),
            ("p95_ms", table.p95_ms.len()),
            ("p99_ms", table.p99_ms.len()),
            ("relative_error", table.relative_error.len()),
            ("level", table.level.len()),
            ("bins", table.bins.len()),
        ],
    )?;
    let mut sketches = Sketches::default();
    for (row, name) in table.of.iter().enumerate() {
        let time = |column: &[Option<f64>]| column.get(row).copied().flatten();
        let sketch = SketchJson {
            n: table.n.get(row).copied().unwrap_or_default(),
            sum_ms: time(&table.sum_ms),
            min_ms: time(&table.min_ms),
            max_ms: time(&table.max_ms),
            p50_ms: time(&table.p50_ms),
            p95_ms: time(&table.p95_ms),
            p99_ms: time(&table.p99_ms),
            relative_error: table.relative_error.get(row).copied().unwrap_or_default(),
            level: table.level.get(row).copied().unwrap_or_default(),
            bins: table.bins.get(row).cloned().unwrap_or_default(),
        };
        if let Err(reason) = sketch.bins() {
            return Err(format!("the sketch of {name}: the column bins {reason}"));
        }
        if sketch.to_sketch().is_none() {
            return Err(format!(
                "the sketch of {name} is none: its counts sum up to n at most, its bins and level lie in \
                 range, and where a bin counts something sum_ms, min_ms and max_ms are there and in order"
            ));
        }
        let Some((_, place)) = sketches
            .places()
            .into_iter()
            .find(|(known, _)| known == name)
        else {
            continue;
        };
        if place.replace(sketch).is_some() {
            return Err(format!("the sketch of {name} is there twice: give it once"));
        }
    }
    Ok(sketches)
}
