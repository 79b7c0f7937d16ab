//! Request bodies: read within a limit, unpacked, and split into records.

use std::io::Read;
use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http::StatusCode;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::answer::Failure;

/// Most records of one request.
pub(crate) const MOST_RECORDS: usize = 10_000;
/// Longest wait for a body to arrive.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many times the limit is read and dropped before the answer, so that a client that sends all before
/// it reads gets to see the answer and not a broken connection.
const DRAINED: usize = 8;

/// Why a body cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("the body is larger than {limit} bytes; send less at once")]
    TooLarge { limit: usize },
    #[error("more than {MOST_RECORDS} records in one body; send fewer at once")]
    TooMany,
    #[error("the body did not arrive within {} s", PATIENCE.as_secs())]
    Slow,
    #[error("the body ended early")]
    CutOff,
    #[error("the body is empty; send one record, an array of records, or one record a line")]
    Empty,
    #[error("content-encoding {0:?} is not known; use gzip, deflate or none")]
    Encoding(String),
    #[error("the body does not unpack as its content-encoding says: {0}")]
    Unpack(String),
    #[error("the body is not JSON: {0}")]
    NotJson(String),
}

impl From<BodyError> for Failure {
    fn from(error: BodyError) -> Self {
        let status = match error {
            BodyError::TooLarge { .. } | BodyError::TooMany => StatusCode::PAYLOAD_TOO_LARGE,
            BodyError::Slow => StatusCode::REQUEST_TIMEOUT,
            BodyError::Encoding(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, "bad_body", error.to_string())
    }
}

/// The whole body, at most `limit` bytes of it.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, BodyError> {
    tokio::time::timeout(PATIENCE, read_all(body, limit))
        .await
        .unwrap_or(Err(BodyError::Slow))
}

async fn read_all(body: Body, limit: usize) -> Result<Bytes, BodyError> {
    let mut stream = body.into_data_stream();
    let mut kept = BytesMut::new();
    let mut total = 0_usize;
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| BodyError::CutOff)?;
        total = total.saturating_add(chunk.len());
        if total > limit.saturating_mul(DRAINED) {
            break;
        }
        if total <= limit {
            kept.extend_from_slice(&chunk);
        } else {
            kept = BytesMut::new();
        }
    }
    if total > limit {
        return Err(BodyError::TooLarge { limit });
    }
    Ok(kept.freeze())
}

/// Undoes the content encoding. What unpacks to more than `limit` is refused before it fills the memory.
pub(crate) fn unpack(
    body: Bytes,
    encoding: Option<&str>,
    limit: usize,
) -> Result<Bytes, BodyError> {
    let packed: &[u8] = &body;
    let mut reader: Box<dyn Read + '_> = match encoding.map(str::trim) {
        None | Some("" | "identity") => return Ok(body),
        Some("gzip") => Box::new(flate2::read::MultiGzDecoder::new(packed)),
        Some("deflate") => Box::new(flate2::read::ZlibDecoder::new(packed)),
        Some(other) => return Err(BodyError::Encoding(other.chars().take(32).collect())),
    };
    let mut unpacked = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    reader
        .by_ref()
        .take(most)
        .read_to_end(&mut unpacked)
        .map_err(|error| BodyError::Unpack(error.to_string()))?;
    if unpacked.len() > limit {
        return Err(BodyError::TooLarge { limit });
    }
    Ok(unpacked.into())
}

/// The texts of the records in a body: one JSON value, an array of them, or one a line. A line that is not
/// JSON takes nothing else with it; `Err` holds what is wrong there.
pub(crate) fn split(body: &[u8]) -> Result<Vec<Result<&str, String>>, BodyError> {
    let body = body
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(body)
        .trim_ascii();
    match body.first() {
        None => Err(BodyError::Empty),
        Some(b'[') => array(body),
        Some(_) => match serde_json::from_slice::<&RawValue>(body) {
            Ok(one) => Ok(vec![Ok(one.get())]),
            Err(error) => lines(body, &error),
        },
    }
}

fn lines<'a>(
    body: &'a [u8],
    as_one_value: &serde_json::Error,
) -> Result<Vec<Result<&'a str, String>>, BodyError> {
    let lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut pieces = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        if pieces.len() == MOST_RECORDS {
            return Err(BodyError::TooMany);
        }
        let value = serde_json::from_slice::<&RawValue>(line);
        pieces.push(value.map(RawValue::get).map_err(|error| error.to_string()));
    }
    // No line stands alone: it was meant as one value, and one sentence says what is wrong with it.
    if pieces.iter().all(Result::is_err) {
        return Err(BodyError::NotJson(as_one_value.to_string()));
    }
    Ok(pieces)
}

fn array(body: &[u8]) -> Result<Vec<Result<&str, String>>, BodyError> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let pieces = deserializer
        .deserialize_seq(Pieces)
        .and_then(|pieces| deserializer.end().map(|()| pieces))
        .map_err(|error| BodyError::NotJson(error.to_string()))?;
    pieces.ok_or(BodyError::TooMany)
}

/// Stops keeping at the limit: an array of a million numbers is small as text and large as values.
struct Pieces;

impl<'de> Visitor<'de> for Pieces {
    type Value = Option<Vec<Result<&'de str, String>>>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an array of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut pieces = Vec::new();
        let mut more = 0_usize;
        while let Some(value) = seq.next_element::<&RawValue>()? {
            if pieces.len() < MOST_RECORDS {
                pieces.push(Ok(value.get()));
            } else {
                more += 1;
            }
        }
        Ok((more == 0).then_some(pieces))
    }
}

#[cfg(test)]
mod tests;
