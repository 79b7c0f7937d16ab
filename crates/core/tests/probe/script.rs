//! Streams as step tables: what happened when, in whole milliseconds of a fake clock.

use std::time::Duration;

use streamlag_core::{
    AbortBy, ClockInfo, Config, Delta, EventKinds, Failure, Head, Input, Measurement, Mono, Probe,
    Sink, Stamp, Visibility,
};

/// One thing that happens.
#[derive(Debug, Clone)]
pub(crate) enum Do {
    Intent,
    Send,
    Head(u16, Vec<(&'static str, &'static str)>),
    /// The same, where the platform hides headers.
    HiddenHead(u16, Vec<(&'static str, &'static str)>),
    Read(String),
    Parsed,
    Eof,
    Fail(Failure),
    Abort(AbortBy),
    See(Visibility),
    /// Wall-clock reading, ms.
    Wall(i64),
    Commit(u32),
    /// A frame whose latest bound is so many ms later.
    Paint(i64),
    /// The main thread was blocked until.
    Blocked(i64),
}

/// A clock reading.
pub(crate) fn at(ms: i64) -> Stamp<Mono> {
    Stamp::from_ns(ms.saturating_mul(1_000_000))
}

/// A duration.
pub(crate) fn ms(ms: u64) -> Option<Duration> {
    Some(Duration::from_millis(ms))
}

/// Tells a probe all steps.
pub(crate) fn tell(probe: &mut Probe, steps: &[(i64, Do)], sink: &mut dyn Sink) {
    for (now, step) in steps {
        one(probe, at(*now), step, sink);
    }
}

fn one(probe: &mut Probe, now: Stamp<Mono>, step: &Do, sink: &mut dyn Sink) {
    let head = |status: u16, may_hide: bool, headers: &[(&str, &str)], probe: &mut Probe| {
        let head = Head {
            status,
            headers,
            may_hide_headers: may_hide,
        };
        probe.handle(now, Input::Headers(head), &mut ());
    };
    let input = match step {
        Do::Head(status, headers) => return head(*status, false, headers, probe),
        Do::HiddenHead(status, headers) => return head(*status, true, headers, probe),
        Do::Intent => Input::Intent,
        Do::Send => Input::Send,
        Do::Read(body) => Input::Bytes(body.as_bytes()),
        Do::Parsed => Input::Parsed,
        Do::Eof => Input::Eof,
        Do::Fail(failure) => Input::Failed(*failure),
        Do::Abort(by) => Input::Aborted(*by),
        Do::See(state) => Input::Visibility(*state),
        Do::Wall(wall) => Input::WallClock(Stamp::from_ns(wall * 1_000_000)),
        Do::Commit(through_read) => Input::Committed {
            through_read: *through_read,
        },
        Do::Paint(later) => Input::Painted {
            latest: Stamp::from_ns(now.ns() + later * 1_000_000),
        },
        Do::Blocked(until) => Input::MainThreadBlocked { until: at(*until) },
    };
    probe.handle(now, input, sink);
}

/// A probe for the steps' dialect.
pub(crate) fn probe() -> Probe {
    with_step(None)
}

/// The same with a measured clock step.
pub(crate) fn with_step(step: Option<Duration>) -> Probe {
    Probe::new(Config {
        dialect: Some("openai".to_owned()),
        clock: ClockInfo {
            step,
            ..ClockInfo::default()
        },
        ..Config::default()
    })
}

/// The measurement of the steps.
pub(crate) fn play(steps: &[(i64, Do)]) -> Measurement {
    let mut probe = probe();
    tell(&mut probe, steps, &mut ());
    probe.measurement()
}

/// A stream that is sent at 0 and then gives these reads.
pub(crate) fn sent(reads: &[(i64, String)]) -> Vec<(i64, Do)> {
    let reads = reads.iter().map(|(now, body)| (*now, read(body)));
    [(0, Do::Send)].into_iter().chain(reads).collect()
}

/// A stream of single-letter texts at these times, well finished with the last.
pub(crate) fn texts(times: &[i64]) -> Vec<(i64, Do)> {
    let mut steps = sent(
        &times
            .iter()
            .map(|now| (*now, text("x")))
            .collect::<Vec<_>>(),
    );
    if let Some((_, Do::Read(last))) = steps.last_mut() {
        last.push_str(&finish("stop"));
        last.push_str(DONE);
    }
    steps
}

pub(crate) fn read(body: &str) -> Do {
    Do::Read(body.to_owned())
}

pub(crate) const DONE: &str = "data: [DONE]\n\n";

pub(crate) fn text(text: &str) -> String {
    choice(0, &format!(r#""content":"{text}""#), "null")
}

pub(crate) fn think(text: &str) -> String {
    choice(0, &format!(r#""reasoning_content":"{text}""#), "null")
}

pub(crate) fn role() -> String {
    choice(0, r#""role":"assistant","content":"""#, "null")
}

pub(crate) fn tool(arguments: &str) -> String {
    let call = format!(r#"{{"index":0,"function":{{"name":"f","arguments":"{arguments}"}}}}"#);
    choice(0, &format!(r#""tool_calls":[{call}]"#), "null")
}

pub(crate) fn finish(reason: &str) -> String {
    choice(0, "", &format!("{reason:?}"))
}

/// One chunk of one choice.
pub(crate) fn choice(index: u32, delta: &str, finish: &str) -> String {
    format!(
        "data: {{\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":{index},\"delta\":{{{delta}}},\"finish_reason\":{finish}}}]}}\n\n"
    )
}

pub(crate) fn usage(input: u64, output: u64, reasoning: Option<u64>) -> String {
    let details = reasoning.map_or(String::new(), |n| {
        format!(r#","completion_tokens_details":{{"reasoning_tokens":{n}}}"#)
    });
    let total = input + output;
    format!(
        "data: {{\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{{\"prompt_tokens\":{input},\"completion_tokens\":{output},\"total_tokens\":{total}{details}}}}}\n\n"
    )
}

/// Keeps the answer's text and every gap.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    pub(crate) text: String,
    pub(crate) gaps: Vec<Duration>,
    pub(crate) kinds: Vec<EventKinds>,
}

impl Sink for Heard {
    fn delta(&mut self, _: Stamp<Mono>, delta: &Delta<'_>) {
        match delta {
            Delta::Content { text, .. } => self.text.push_str(text),
            Delta::Restart => self.text.clear(),
            _ => {}
        }
    }

    fn event(&mut self, _: Stamp<Mono>, kinds: EventKinds, _: bool) {
        self.kinds.push(kinds);
    }

    fn gap(&mut self, _: Stamp<Mono>, length: Duration) {
        self.gaps.push(length);
    }
}
