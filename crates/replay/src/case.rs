//! One case: bytes, how they were split into reads, and what the clocks said.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use serde::Deserialize;
use serde_json::Value;
use streamlag_core::clock::{ClockInfo, ClockName};
use streamlag_core::{AbortBy, Failure, Stamp, TimeoutPhase, Visibility, Wall};

use crate::error::CaseError;
use crate::pieces::Part;
use crate::scenario::Step;

/// A line of a case file. Fields that only say what is expected are left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Case {
    pub(crate) id: String,
    /// The dialect, as a caller who knows its provider would name it.
    pub(crate) fmt: Option<String>,
    /// The framing; `json` and `none` say that there is none.
    pub(crate) framing: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) bytes_base64: Option<String>,
    /// Parts to be repeated and joined, for very large input.
    #[serde(rename = "gen")]
    pub(crate) recipe: Vec<Part>,
    /// Timed steps instead of a body.
    pub(crate) scenario: Vec<Step>,
    /// Byte offsets at which reads end.
    pub(crate) splits: Vec<usize>,
    /// Bytes of every read, instead of splits.
    pub(crate) read_size: Option<usize>,
    /// What the clock said as each read was delivered; the request was sent at 0.
    pub(crate) at_ms: Vec<f64>,
    /// What the wall clock said beside it.
    pub(crate) wall_ms: Vec<f64>,
    pub(crate) t_headers_ms: Option<f64>,
    pub(crate) t_eof_ms: Option<f64>,
    pub(crate) end_mode: Option<String>,
    pub(crate) visibility: Vec<(f64, String)>,
    /// When frames were painted.
    pub(crate) frames_ms: Vec<f64>,
    /// The clock's name or resolution.
    pub(crate) clock: Option<Value>,
    pub(crate) status: Option<u16>,
    pub(crate) headers: BTreeMap<String, String>,
    /// Headers that the platform does not show to the page.
    pub(crate) headers_hidden: Vec<String>,
    /// What the local wall clock says.
    pub(crate) now_utc: Option<String>,
}

impl Case {
    pub(crate) fn parse(line: &str) -> Result<Self, CaseError> {
        let case: Self = serde_json::from_str(line)?;
        if case.id.is_empty() {
            return Err(CaseError::Missing("id"));
        }
        match case.read_size {
            Some(0) => Err(CaseError::value("read_size", 0, "number of bytes")()),
            _ => Ok(case),
        }
    }

    /// The framing, where the hint names one.
    pub(crate) fn framing(&self) -> Option<&str> {
        let framing = self.framing.as_deref()?;
        (!matches!(framing, "json" | "none")).then_some(framing)
    }

    /// Whether any clock reading of the stream is given. Without one, no duration was observed.
    pub(crate) fn is_timed(&self) -> bool {
        !self.at_ms.is_empty() || self.t_headers_ms.is_some() || self.t_eof_ms.is_some()
    }

    /// The local wall clock's reading in `now_utc`.
    pub(crate) fn now(&self) -> Result<Option<Stamp<Wall>>, CaseError> {
        let Some(text) = &self.now_utc else {
            return Ok(None);
        };
        let since_epoch = |time: SystemTime| time.duration_since(SystemTime::UNIX_EPOCH).ok();
        let ns = humantime::parse_rfc3339(text)
            .ok()
            .and_then(since_epoch)
            .and_then(|since| i64::try_from(since.as_nanos()).ok())
            .ok_or_else(CaseError::value("now_utc", text, "RFC 3339 time"))?;
        Ok(Some(Stamp::from_ns(ns)))
    }

    pub(crate) fn clock(&self) -> Result<ClockInfo, CaseError> {
        self.clock.as_ref().map_or(Ok(ClockInfo::default()), clock)
    }

    pub(crate) fn ending(&self) -> Result<Closing, CaseError> {
        match self.end_mode.as_deref() {
            None => Ok(Closing::Eof),
            Some(mode) => closing(mode),
        }
    }
}

/// How a body's end is told to the probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    Eof,
    Failed(Failure),
    Aborted(AbortBy),
    /// It does not end: the connection stays open.
    Open,
}

pub(crate) fn closing(word: &str) -> Result<Closing, CaseError> {
    Ok(match word {
        "eof" | "close" | "end" | "fin" | "clean" | "done" => Closing::Eof,
        "reset" | "rst" | "econnreset" | "disconnect" | "cut" => Closing::Failed(Failure::Reset),
        "error" | "network" | "network_error" => Closing::Failed(Failure::Network),
        "dns" => Closing::Failed(Failure::Dns),
        "refused" | "connect" => Closing::Failed(Failure::Connect),
        "tls" => Closing::Failed(Failure::Tls),
        "timeout" => Closing::Aborted(AbortBy::Timeout(TimeoutPhase::Total)),
        "abort" | "cancel" => Closing::Aborted(AbortBy::User),
        "open" | "none" | "hang" => Closing::Open,
        other => return Err(CaseError::value("end_mode", other, "end that is known")()),
    })
}

pub(crate) fn abort_by(word: Option<&str>) -> AbortBy {
    match word {
        None | Some("user" | "stop") => AbortBy::User,
        Some("page" | "pagehide" | "unload" | "navigation" | "tab") => AbortBy::Page,
        Some("timeout" | "deadline") => AbortBy::Timeout(TimeoutPhase::Total),
        // A library, a framework, the application: whoever it was, it was its own decision.
        Some(_) => AbortBy::Library,
    }
}

pub(crate) fn visibility(word: &str) -> Result<Visibility, CaseError> {
    Ok(match word {
        "visible" | "resumed" | "resume" => Visibility::Visible,
        "hidden" => Visibility::Hidden,
        "frozen" | "freeze" => Visibility::Frozen,
        other => {
            return Err(CaseError::value(
                "visibility",
                other,
                "visibility that is known",
            )());
        }
    })
}

/// Milliseconds as a reading of a clock.
pub(crate) fn stamp<C: streamlag_core::Clock>(ms: f64) -> Result<Stamp<C>, CaseError> {
    Stamp::from_ms(ms).ok_or_else(CaseError::value("ms", ms, "clock reading"))
}

pub(crate) fn decode_base64(text: &str) -> Result<Vec<u8>, CaseError> {
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|reason| CaseError::value("bytes_base64", reason, "base64")())
}

/// A name (`workers`, `coarse100`), a resolution in ms, or an object of both.
fn clock(value: &Value) -> Result<ClockInfo, CaseError> {
    let object = value.as_object();
    let field = |names: &[&str]| {
        let object = object?;
        names.iter().find_map(|name| object.get(*name))
    };
    let name = value
        .as_str()
        .or_else(|| field(&["name", "kind"])?.as_str());
    let resolution = value
        .as_f64()
        .or_else(|| field(&["resolution_ms", "step_ms", "resolution"])?.as_f64());
    if name.is_none() && resolution.is_none() {
        return Err(CaseError::value(
            "clock",
            value,
            "clock's name or resolution",
        )());
    }
    let named = name.map(named_clock).unwrap_or_default();
    let step = match resolution {
        Some(ms) => Some(
            Duration::try_from_secs_f64(ms / 1e3)
                .map_err(|_| CaseError::value("clock", ms, "resolution in ms")())?,
        ),
        None => named.step,
    };
    Ok(ClockInfo { step, ..named })
}

fn named_clock(name: &str) -> ClockInfo {
    let coarse = name
        .strip_prefix("coarse")
        .and_then(|ms| ms.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok());
    let (name, step) = match name {
        "performance.now" | "performance" => (ClockName::Performance, None),
        "workers" | "worker" | "worker.date_now" => {
            (ClockName::WorkerDate, Some(Duration::from_millis(1)))
        }
        "instant" | "monotonic" => (ClockName::Instant, None),
        _ => (ClockName::Given, coarse.map(Duration::from_millis)),
    };
    ClockInfo { name, step }
}
