//! Lists of like things as columns: a record names a field once, not once an entry.
//!
//! In Rust these lists are rows ([`crate::record::ChunkJson`] and the like); in JSON each is an object of
//! columns, and entry i of every column belongs to row i. Whole numbers that come in long lists are
//! written as one text a column, see [`packed`]; words from a closed list as [`words`].

pub mod attempts;
pub mod chunks;
pub mod longest;
pub mod packed;
pub mod sketches;
pub mod words;

/// Microseconds, the unit of packed times.
fn us(ms: f64) -> i64 {
    (ms * 1e3).round() as i64
}

/// Milliseconds, the unit of times everywhere else.
fn ms(us: u64) -> f64 {
    us as f64 / 1e3
}

/// Refuses columns that do not have one entry a row.
fn same(rows: usize, first: &str, columns: &[(&str, usize)]) -> Result<(), String> {
    match columns.iter().find(|(_, entries)| *entries != rows) {
        None => Ok(()),
        Some((name, entries)) => Err(format!(
            "the column {name} has {entries} entries and {first} has {rows}: give every column one a row"
        )),
    }
}

/// Reads a column in which every entry must be there and fit its type.
fn whole<T: TryFrom<i64>>(name: &str, text: &str) -> Result<Vec<T>, String> {
    optional(name, text)?
        .into_iter()
        .map(|entry| entry.ok_or_else(|| format!("the column {name} has an entry \".\", which stands for null: here every row needs a number")))
        .collect()
}

/// Reads a column whose entries may be null.
fn optional<T: TryFrom<i64>>(name: &str, text: &str) -> Result<Vec<Option<T>>, String> {
    let entries = packed::unpack(text).map_err(|error| format!("the column {name} {error}"))?;
    let fits = |n: i64| {
        T::try_from(n).map_err(|_| {
            format!("the column {name} has the number {n}, which is negative or too large for it")
        })
    };
    entries
        .into_iter()
        .map(|n| n.map(fits).transpose())
        .collect()
}
