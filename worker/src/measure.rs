//! From a finished trace to the measurement: the only place where the worker's bytes are parsed.

use std::time::Duration;

use streamlag_core::{
    AbortBy, ClockInfo, ClockName, Config, Failure, Head, Input, Measurement, Mono, Probe, Stamp,
};

use crate::probe_run::{Ending, Trace};

/// The step of a worker's `Date.now()`: nothing shorter is claimed.
pub const CLOCK_STEP: Duration = Duration::from_millis(1);

/// What the trace says, in the vocabulary of all vantages. `intent_ms`: when the probe was asked for or due.
///
/// No `WallClock` input: the worker has one clock, so comparing it with itself would prove nothing, and
/// the record says so by its flag. No `Parsed` input: parsing happens here, long after the reads.
pub fn measure(trace: &Trace, intent_ms: i64, dialect: &str) -> Measurement {
    let mut probe = Probe::new(Config {
        dialect: Some(dialect.to_owned()),
        framing: None,
        clock: ClockInfo {
            name: ClockName::WorkerDate,
            step: Some(CLOCK_STEP),
        },
    });
    let mut tell = |at_ms: i64, input: Input<'_>| probe.handle(stamp(at_ms), input, &mut ());
    tell(intent_ms, Input::Intent);
    if !matches!(trace.ending, Ending::Prober(_)) {
        tell(trace.sent_ms, Input::Send);
    }
    if let Some((at, head)) = &trace.head {
        let headers: Vec<(&str, &str)> = head
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let head = Head {
            status: head.status,
            headers: &headers,
            may_hide_headers: false,
        };
        tell(*at, Input::Headers(head));
    }
    // What held the reader up is known before the reads it made late are judged.
    for (from, until) in &trace.blocked {
        let until = stamp(*until);
        tell(*from, Input::MainThreadBlocked { until });
    }
    for (at, bytes) in &trace.reads {
        tell(*at, Input::Bytes(bytes));
    }
    tell(trace.ended_ms, ending(&trace.ending));
    probe.measurement()
}

fn ending(ending: &Ending) -> Input<'static> {
    match ending {
        Ending::Eof => Input::Eof,
        Ending::Lost(failure) => Input::Failed(*failure),
        Ending::TimedOut(phase) => Input::Aborted(AbortBy::Timeout(*phase)),
        Ending::TooLarge => Input::Aborted(AbortBy::Library),
        Ending::Prober(_) => Input::Failed(Failure::Prober),
    }
}

fn stamp(ms: i64) -> Stamp<Mono> {
    Stamp::from_ns(ms.saturating_mul(1_000_000))
}
