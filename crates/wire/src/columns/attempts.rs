//! The attempts as columns.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::packed::pack;
use super::words::Words;

/// One entry an attempt, in order: the first ones and the last.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Attempts {
    /// First send → this send, µs, packed. `.`: the clock ran backwards.
    pub sent_us: String,
    /// Its own send → its first generated text, µs, packed. `.`: none came.
    pub ttft_us: String,
    /// Its own send → its end, µs, packed. `.`: its end was not seen.
    pub end_us: String,
    /// HTTP status, packed. `.`: none arrived.
    pub status: String,
    /// Why it failed, in the words of `error_class`. `.`: it did not.
    pub error_class: Words,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttemptJson {
    /// First send → this send, ms.
    pub sent_ms: Option<f64>,
    /// Its own send → its first generated text, ms.
    pub ttft_ms: Option<f64>,
    /// Its own send → its end, ms.
    pub end_ms: Option<f64>,
    /// HTTP status.
    pub status: Option<u16>,
    /// Why it failed.
    pub error_class: Option<String>,
}

pub(crate) fn serialize<S: Serializer>(rows: &[AttemptJson], to: S) -> Result<S::Ok, S::Error> {
    columns(rows).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<AttemptJson>, D::Error> {
    rows(&Attempts::deserialize(from)?).map_err(D::Error::custom)
}

fn columns(rows: &[AttemptJson]) -> Attempts {
    let times =
        |of: fn(&AttemptJson) -> Option<f64>| pack(rows.iter().map(|row| of(row).map(super::us)));
    Attempts {
        sent_us: times(|row| row.sent_ms),
        ttft_us: times(|row| row.ttft_ms),
        end_us: times(|row| row.end_ms),
        status: pack(rows.iter().map(|row| row.status.map(i64::from))),
        error_class: Words::new(rows.iter().map(|row| row.error_class.as_deref())),
    }
}

fn rows(columns: &Attempts) -> Result<Vec<AttemptJson>, String> {
    let times = |name: &str, text: &str| -> Result<Vec<Option<f64>>, String> {
        let us: Vec<Option<u64>> = super::optional(name, text)?;
        Ok(us.into_iter().map(|us| us.map(super::ms)).collect())
    };
    let sent = times("sent_us", &columns.sent_us)?;
    let ttft = times("ttft_us", &columns.ttft_us)?;
    let end = times("end_us", &columns.end_us)?;
    let status: Vec<Option<u16>> = super::optional("status", &columns.status)?;
    let class = columns.error_class.rows("error_class")?;
    super::same(
        sent.len(),
        "sent_us",
        &[
            ("ttft_us", ttft.len()),
            ("end_us", end.len()),
            ("status", status.len()),
            ("error_class.each", class.len()),
        ],
    )?;
    let rows = sent.into_iter().zip(ttft).zip(end).zip(status).zip(class);
    Ok(rows
        .map(
            |((((sent_ms, ttft_ms), end_ms), status), error_class)| AttemptJson {
                sent_ms,
                ttft_ms,
                end_ms,
                status,
                error_class,
            },
        )
        .collect())
}
