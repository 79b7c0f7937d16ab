//! The first reads as columns.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::packed::pack;

/// One entry a read, in order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Chunks {
    /// Time from the read before to this one; the first: from the send. µs, packed. `.`: when it came is not
    /// known, since the clock ran backwards or did not step; the next one counts from the last that is.
    pub after_us: String,
    /// Bytes of the read, packed.
    pub bytes: String,
    /// Events that it completed, packed.
    pub events: String,
    /// `1`: at least one of them held generated text; `0`: none did. One letter a read.
    pub generated: String,
}

/// One read.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkJson {
    /// Send → read, ms. `None`: the clock ran backwards, or did not step in between.
    pub at_ms: Option<f64>,
    /// Its bytes.
    pub bytes: u32,
    /// Events it completed, comments left out.
    pub events: u16,
    /// Whether any of them held generated text.
    pub generated: bool,
}

pub(crate) fn serialize<S: Serializer>(rows: &[ChunkJson], to: S) -> Result<S::Ok, S::Error> {
    columns(rows).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ChunkJson>, D::Error> {
    rows(&Chunks::deserialize(from)?).map_err(D::Error::custom)
}

fn columns(rows: &[ChunkJson]) -> Chunks {
    let mut before = 0;
    let after = rows.iter().map(|row| {
        let at = super::us(row.at_ms?);
        let after = at - before;
        before = at;
        Some(after)
    });
    Chunks {
        after_us: pack(after),
        bytes: pack(rows.iter().map(|row| Some(row.bytes.into()))),
        events: pack(rows.iter().map(|row| Some(row.events.into()))),
        generated: rows
            .iter()
            .map(|row| if row.generated { '1' } else { '0' })
            .collect(),
    }
}

fn rows(columns: &Chunks) -> Result<Vec<ChunkJson>, String> {
    let after: Vec<Option<u64>> = super::optional("after_us", &columns.after_us)?;
    let bytes: Vec<u32> = super::whole("bytes", &columns.bytes)?;
    let events: Vec<u16> = super::whole("events", &columns.events)?;
    let generated = columns.generated.chars().map(|letter| match letter {
        '0' => Ok(false),
        '1' => Ok(true),
        _ => Err(format!(
            "the column generated has {letter:?}: write 1 for a read with generated text, else 0"
        )),
    });
    let generated = generated.collect::<Result<Vec<bool>, String>>()?;
    super::same(
        after.len(),
        "after_us",
        &[
            ("bytes", bytes.len()),
            ("events", events.len()),
            ("generated", generated.len()),
        ],
    )?;
    let mut before = 0_u64;
    let rows = after.into_iter().zip(bytes).zip(events).zip(generated);
    Ok(rows
        .map(|(((after, bytes), events), generated)| ChunkJson {
            at_ms: after.map(|after| {
                before = before.saturating_add(after);
                super::ms(before)
            }),
            bytes,
            events,
            generated,
        })
        .collect())
}
