//! The longest gaps as columns.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::packed::pack;
use super::words::Words;

/// One entry a gap, the longest first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Longest {
    /// Send → its start, µs, packed.
    pub at_us: String,
    /// Its length, µs, packed.
    pub gap_us: String,
    /// The read that ended it, from 0, packed.
    pub read: String,
    /// The event that ended it, from 0, packed.
    pub event: String,
    /// What it is put down to: `upstream`, `gateway_batching`, `main_thread`, `hidden`, `suspended`.
    pub cause: Words,
}

/// One long gap.
#[derive(Debug, Clone, PartialEq)]
pub struct GapJson {
    /// Send → its start, ms.
    pub at_ms: f64,
    /// Its length, ms.
    pub gap_ms: f64,
    /// The read that ended it, from 0.
    pub read: u32,
    /// The event that ended it, from 0.
    pub event: u32,
    /// `upstream`, `gateway_batching`, `main_thread`, `hidden`, `suspended`.
    pub cause: String,
}

pub(crate) fn serialize<S: Serializer>(rows: &[GapJson], to: S) -> Result<S::Ok, S::Error> {
    columns(rows).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<GapJson>, D::Error> {
    rows(&Longest::deserialize(from)?).map_err(D::Error::custom)
}

fn columns(rows: &[GapJson]) -> Longest {
    let column = |of: fn(&GapJson) -> i64| pack(rows.iter().map(|row| Some(of(row))));
    Longest {
        at_us: column(|row| super::us(row.at_ms)),
        gap_us: column(|row| super::us(row.gap_ms)),
        read: column(|row| row.read.into()),
        event: column(|row| row.event.into()),
        cause: Words::new(rows.iter().map(|row| Some(row.cause.as_str()))),
    }
}

fn rows(columns: &Longest) -> Result<Vec<GapJson>, String> {
    let times = |name: &str, text: &str| -> Result<Vec<f64>, String> {
        let us: Vec<u64> = super::whole(name, text)?;
        Ok(us.into_iter().map(super::ms).collect())
    };
    let at = times("at_us", &columns.at_us)?;
    let gap = times("gap_us", &columns.gap_us)?;
    let read: Vec<u32> = super::whole("read", &columns.read)?;
    let event: Vec<u32> = super::whole("event", &columns.event)?;
    let cause = columns.cause.rows("cause")?;
    super::same(
        at.len(),
        "at_us",
        &[
            ("gap_us", gap.len()),
            ("read", read.len()),
            ("event", event.len()),
            ("cause.each", cause.len()),
        ],
    )?;
    let rows = at.into_iter().zip(gap).zip(read).zip(event).zip(cause);
    rows.map(|((((at_ms, gap_ms), read), event), cause)| {
        let cause = cause.ok_or("the column cause.each has an entry \".\": every gap is put down to something, upstream where nothing else explains it")?;
        Ok(GapJson { at_ms, gap_ms, read, event, cause })
    })
    .collect()
}
