//! One case: bytes, how they were split into reads, and what the clocks said.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail, ensure};
use base64::Engine as _;
use serde::Deserialize;
use serde_json::Value;
use streamlag_core::clock::{ClockInfo, ClockName};
use streamlag_core::{AbortBy, Failure, Stamp, TimeoutPhase, Visibility, Wall};

use super::pieces::Part;
use super::scenario::Step;

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
    pub(crate) fn parse(line: &str) -> anyhow::Result<Self> {
        let case: Self = serde_json::from_str(line).context("is no case")?;
        ensure!(!case.id.is_empty(), "the case has no `id`");
        ensure!(case.read_size != Some(0), "`read_size` is 0");
        Ok(case)
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
    pub(crate) fn now(&self) -> anyhow::Result<Option<Stamp<Wall>>> {
        let Some(text) = &self.now_utc else {
            return Ok(None);
        };
        let now = humantime::parse_rfc3339(text)
            .with_context(|| format!("`now_utc` is no RFC 3339 time: {text:?}"))?;
        let since = now.duration_since(SystemTime::UNIX_EPOCH)?;
        Ok(Some(Stamp::from_ns(i64::try_from(since.as_nanos())?)))
    }

    pub(crate) fn clock(&self) -> anyhow::Result<ClockInfo> {
        self.clock.as_ref().map_or(Ok(ClockInfo::default()), clock)
    }

    pub(crate) fn ending(&self) -> anyhow::Result<Closing> {
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

pub(crate) fn closing(word: &str) -> anyhow::Result<Closing> {
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
        other => bail!("an end of the kind {other:?} is not known"),
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

pub(crate) fn visibility(word: &str) -> anyhow::Result<Visibility> {
    Ok(match word {
        "visible" | "resumed" | "resume" => Visibility::Visible,
        "hidden" => Visibility::Hidden,
        "frozen" | "freeze" => Visibility::Frozen,
        other => bail!("a visibility of {other:?} is not known"),
    })
}

/// Milliseconds as a reading of a clock.
pub(crate) fn stamp<C: streamlag_core::Clock>(ms: f64) -> anyhow::Result<Stamp<C>> {
    Stamp::from_ms(ms).with_context(|| format!("{ms} ms is no clock reading"))
}

pub(crate) fn decode_base64(text: &str) -> anyhow::Result<Vec<u8>> {
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .context("`bytes_base64` is not base64")
}

/// A name (`workers`, `coarse100`), a resolution in ms, or an object of both.
fn clock(value: &Value) -> anyhow::Result<ClockInfo> {
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
    ensure!(
        name.is_some() || resolution.is_some(),
        "`clock` names neither a clock nor a resolution: {value}"
    );
    let named = name.map(named_clock).unwrap_or_default();
    let step = match resolution {
        Some(ms) => Some(
            Duration::try_from_secs_f64(ms / 1e3)
                .with_context(|| format!("`clock`: {ms} ms is no resolution"))?,
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
