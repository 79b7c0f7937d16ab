//! `POST /v1/records`: checks each record, stores the good ones, and says what became of all.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::CONTENT_ENCODING;
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::Value;
use streamlag_wire::fit::MAX_BYTES_OF_LONG_TEXTS;
use streamlag_wire::{Vantage, validate};

use crate::answer::{Failure, json_text};
use crate::auth::EdgeAuth;
use crate::server::App;
use crate::store::Entry;
use crate::{body, clock};

/// The path that signatures name.
pub(crate) const PATH: &str = "/v1/records";
/// Largest body, as sent and as unpacked.
const MAX_BODY: usize = 8 << 20;
/// Largest record: twice what ours can be, for fields of newer versions and for white space. A record holds
/// numbers and words; what is larger is somebody's content.
const MAX_RECORD: usize = 2 * MAX_BYTES_OF_LONG_TEXTS;
/// Bodies from this size on are parsed where they hold up nothing else.
const LARGE: usize = 64 << 10;

/// What became of a request's records.
#[derive(Debug, Default, Serialize)]
struct Report {
    accepted: usize,
    duplicate: usize,
    rejected: Vec<Rejected>,
}

/// One record that was not taken.
#[derive(Debug, PartialEq, Serialize)]
struct Rejected {
    /// Its place in the body, from 0.
    index: usize,
    /// Its id, where one could be read.
    id: Option<String>,
    /// Path of the field; `.` for the whole.
    field: String,
    /// What is wrong, in words.
    reason: String,
}

pub(crate) async fn post(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    let sent = body::read(body, MAX_BODY).await?;
    let encoding = headers
        .get(CONTENT_ENCODING)
        .map(|value| value.to_str().unwrap_or("?"));
    let encoding = encoding.map(str::to_owned);
    let parse = {
        let sent = sent.clone();
        move || parse(sent, encoding.as_deref())
    };
    let parsed = if sent.len() < LARGE {
        parse()?
    } else {
        // Values are larger than their text: not too many texts at once.
        let _turn = app.parsing.acquire().await;
        let task = tokio::task::spawn_blocking(parse).await;
        task.map_err(|_| Failure::bad_request("the body could not be parsed"))??
    };
    authenticate(&app, &headers, &sent, parsed.from_edge)?;
    let appended = app.store.append(parsed.entries).await?;
    Ok(report(Report {
        accepted: appended.accepted,
        duplicate: appended.duplicate,
        rejected: parsed.rejected,
    }))
}

fn report(report: Report) -> Response {
    let nothing_kept = report.accepted + report.duplicate == 0;
    let status = match nothing_kept && !report.rejected.is_empty() {
        true => StatusCode::BAD_REQUEST,
        false => StatusCode::OK,
    };
    match serde_json::to_string(&report) {
        Ok(text) => json_text(status, text),
        Err(_) => status.into_response(),
    }
}

/// With a worker configured, only it may speak for the edge.
fn authenticate(
    app: &App,
    headers: &HeaderMap,
    sent: &[u8],
    from_edge: bool,
) -> Result<(), Failure> {
    match &app.edge {
        Some(edge) if from_edge || EdgeAuth::is_claimed(headers) => edge
            .auth
            .check(headers, PATH, sent, clock::now_s())
            .map_err(|error| {
                Failure::new(StatusCode::UNAUTHORIZED, "signature", error.to_string())
            }),
        _ => Ok(()),
    }
}

#[derive(Debug, Default)]
struct Parsed {
    entries: Vec<Entry>,
    rejected: Vec<Rejected>,
    from_edge: bool,
}

fn parse(sent: Bytes, encoding: Option<&str>) -> Result<Parsed, Failure> {
    let unpacked = body::unpack(sent, encoding, MAX_BODY)?;
    let now_ms = clock::now_ms() as f64;
    let mut parsed = Parsed::default();
    for (index, piece) in body::split(&unpacked)?.into_iter().enumerate() {
        let checked = match piece {
            Ok(text) => check(text, now_ms),
            Err(reason) => Err(refuse(None, ".", format!("is not JSON: {reason}"))),
        };
        match checked {
            Ok((entry, vantage)) => {
                parsed.from_edge |= vantage == Vantage::Edge;
                parsed.entries.push(entry);
            }
            Err(rejected) => parsed.rejected.push(Rejected { index, ..rejected }),
        }
    }
    Ok(parsed)
}

fn check(text: &str, now_ms: f64) -> Result<(Entry, Vantage), Rejected> {
    if text.len() > MAX_RECORD {
        let reason = format!("has {} bytes; at most {MAX_RECORD} are taken", text.len());
        return Err(refuse(None, ".", reason));
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|error| refuse(None, ".", format!("is not JSON: {error}")))?;
    let id = value.get("id").and_then(Value::as_str);
    let id: Option<String> = id.map(|id| id.chars().take(64).collect());
    // As parsed, not as sent: of a field that is there twice, all readers are to see the same one.
    let json = value.to_string();
    let record = validate::record(value, now_ms)
        .map_err(|invalid| refuse(id.clone(), &invalid.field, invalid.reason))?;
    let entry = Entry::new(&record, json);
    let entry = entry.ok_or_else(|| refuse(id, "id", "is not 32 hex digits".to_owned()))?;
    Ok((entry, record.vantage))
}

fn refuse(id: Option<String>, field: &str, reason: String) -> Rejected {
    Rejected {
        index: 0,
        id,
        field: field.to_owned(),
        reason,
    }
}
