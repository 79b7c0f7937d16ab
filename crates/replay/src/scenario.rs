//! Timed steps: requests, chunks, aborts, retries, what the page did meanwhile.

use std::collections::BTreeMap;

use serde::Deserialize;
use streamlag_core::{AbortBy, Head, Input, Mono, Stamp, Visibility};

use crate::case::{self, Closing};
use crate::drive::Drive;
use crate::error::CaseError;

/// One step.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Step {
    /// When, in ms.
    t: f64,
    /// What: `request`, `headers`, `chunk`, `eof`, `reset`, `abort`, `visibility`, …
    ev: String,
    /// Of which request, from 1; the latest where it is not said.
    n: Option<u32>,
    text: Option<String>,
    bytes_base64: Option<String>,
    status: Option<u16>,
    headers: BTreeMap<String, String>,
    by: Option<String>,
    state: Option<String>,
    /// Until when, for what lasts.
    until: Option<f64>,
    /// The wall clock's reading beside `t`.
    #[serde(alias = "wall")]
    wall_ms: Option<f64>,
}

/// Plays the steps; a body that is still open after the last one ends there.
pub(crate) fn play(steps: &[Step], drive: &mut Drive) -> Result<(), CaseError> {
    let mut request = 0;
    for (index, step) in steps.iter().enumerate() {
        one(step, &mut request, drive).map_err(|source| CaseError::Step {
            index,
            event: step.ev.clone(),
            source: Box::new(source),
        })?;
    }
    if let Some(last) = steps.last() {
        drive.close(case::stamp(last.t)?, Closing::Eof);
    }
    Ok(())
}

fn one(step: &Step, request: &mut u32, drive: &mut Drive) -> Result<(), CaseError> {
    let at = case::stamp(step.t)?;
    if let Some(wall) = step.wall_ms {
        drive.tell(at, Input::WallClock(case::stamp(wall)?));
    }
    if matches!(step.ev.as_str(), "request" | "send" | "fetch" | "retry") {
        *request = step.n.unwrap_or(request.saturating_add(1));
        drive.request(at);
    } else if step.n.is_none_or(|n| n == *request) {
        // A step of an earlier request has nobody left who reads it.
        act(step, at, drive)?;
    }
    Ok(())
}

fn act(step: &Step, at: Stamp<Mono>, drive: &mut Drive) -> Result<(), CaseError> {
    match step.ev.as_str() {
        "intent" => drive.tell(at, Input::Intent),
        "headers" | "response" => {
            let headers: Vec<_> = step
                .headers
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            drive.headers_timed = true;
            drive.tell(
                at,
                Input::Headers(Head {
                    status: step.status.unwrap_or(200),
                    headers: &headers,
                    may_hide_headers: false,
                }),
            );
        }
        "chunk" | "read" | "data" | "bytes" => match (&step.text, &step.bytes_base64) {
            (Some(text), None) => drive.bytes(at, text.as_bytes()),
            (None, Some(encoded)) => drive.bytes(at, &case::decode_base64(encoded)?),
            (None, None) => return Err(CaseError::Missing("text` or `bytes_base64")),
            (Some(_), Some(_)) => return Err(CaseError::TwoBodies),
        },
        "abort" | "cancel" => {
            drive.close(at, Closing::Aborted(case::abort_by(step.by.as_deref())));
        }
        "pagehide" | "unload" => drive.close(at, Closing::Aborted(AbortBy::Page)),
        "visibility" => {
            let state = step.state.as_deref().ok_or(CaseError::Missing("state"))?;
            drive.tell(at, Input::Visibility(case::visibility(state)?));
        }
        "freeze" | "frozen" => drive.tell(at, Input::Visibility(Visibility::Frozen)),
        "hidden" => drive.tell(at, Input::Visibility(Visibility::Hidden)),
        "visible" | "resume" => drive.tell(at, Input::Visibility(Visibility::Visible)),
        "blocked" | "longtask" | "long_task" => {
            let until = case::stamp(step.until.ok_or(CaseError::Missing("until"))?)?;
            drive.tell(at, Input::MainThreadBlocked { until });
        }
        "frame" | "paint" => drive.frame(at),
        "wall" | "wall_clock" => {}
        end => drive.close(at, case::closing(end)?),
    }
    Ok(())
}
