//! Script → timed list of pieces. Pure: no clock, no socket, and the only chance is seeded.

use std::time::Duration;

use crate::script::{Body, Script, Stop};
use crate::text;

/// What a script comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Schedule {
    /// When status and headers are due; `None`: never.
    pub(crate) headers: Option<Duration>,
    /// The pieces in order, by time.
    pub(crate) beats: Vec<Beat>,
    /// How and when the body ends.
    pub(crate) end: End,
}

/// A piece and when it is due. Pieces due at the same time go out in one write.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Beat {
    pub(crate) at: Duration,
    pub(crate) piece: Piece,
}

/// One thing to say, independent of the dialect that says it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// The opening without text.
    Role,
    Reasoning(String),
    Content(String),
    /// A part of a tool call's arguments.
    Tool(String),
    KeepAlive,
    /// An error inside the stream.
    Error,
    /// Why the answer ended.
    Finish,
    Usage,
    /// The terminal marker.
    Done,
    /// The whole answer at once.
    Whole,
    /// A web page.
    Page,
    /// An error body.
    Refusal,
}

/// How the body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Cleanly, right after the last piece.
    Clean,
    /// Cleanly, at this time, without a terminal piece.
    Eof(Duration),
    /// The connection is reset at this time.
    Cut(Duration),
    /// Never.
    Hang,
}

impl Schedule {
    /// Works out the script.
    pub(crate) fn of(script: &Script) -> Self {
        if script.status != 200 && script.body != Body::Hang {
            let piece = match script.body {
                Body::Html => Piece::Page,
                _ => Piece::Refusal,
            };
            return Self::single(script.headers.unwrap_or_default(), None, piece);
        }
        match script.body {
            Body::Hang => Self {
                headers: script.headers,
                beats: Vec::new(),
                end: End::Hang,
            },
            Body::Html => Self::single(script.headers.unwrap_or_default(), None, Piece::Page),
            Body::Json => {
                let done = generated_times(script).last().copied();
                let done = done.unwrap_or(script.first);
                Self::single(done, script.headers, Piece::Whole)
            }
            Body::Stream => stream(script),
        }
    }

    fn single(at: Duration, headers: Option<Duration>, piece: Piece) -> Self {
        Self {
            headers: Some(headers.unwrap_or(at).min(at)),
            beats: vec![Beat { at, piece }],
            end: End::Clean,
        }
    }
}

fn stream(script: &Script) -> Schedule {
    let headers = script.headers.unwrap_or_default();
    let times = generated_times(script);
    let stop_after = script.stop.map_or(u32::MAX, Stop::after) as usize;
    let mut beats = Vec::new();
    if !script.no_role {
        beats.push((headers, Piece::Role));
    }
    let pieces = generated_pieces(script);
    beats.extend(times.iter().copied().zip(pieces).take(stop_after));

    let last = times[..times.len().min(stop_after)].last().copied();
    let after_last = |wait: Duration| last.map_or(script.first.max(headers), |last| last + wait);
    let (last_piece, end) = ending(script, after_last, &mut beats);
    add_keepalives(script, headers, last_piece, &mut beats);
    hold_back(script, headers, last_piece, &mut beats);

    // Held back by a proxy, the headers wait with the body, unless the script sets their time.
    let first_beat = beats.first().map_or(headers, |(at, _)| *at);
    let held = script.buffered && script.headers.is_none();
    let beats = beats.into_iter().map(|(at, piece)| Beat { at, piece });
    Schedule {
        headers: Some(if held { first_beat } else { headers }),
        beats: beats.collect(),
        end,
    }
}

/// Adds the last pieces; returns the time of the last of all and how the body ends.
fn ending(
    script: &Script,
    after_last: impl Fn(Duration) -> Duration,
    beats: &mut Vec<(Duration, Piece)>,
) -> (Duration, End) {
    let broken = after_last(script.gap);
    match script.stop {
        Some(Stop::Cut(_)) => (broken, End::Cut(broken)),
        Some(Stop::Eof(_)) => (broken, End::Eof(broken)),
        Some(Stop::Error(_)) => {
            beats.push((broken, Piece::Error));
            (broken, End::Clean)
        }
        None => {
            let done = after_last(script.tail.unwrap_or(script.gap));
            let pieces = [Piece::Finish, Piece::Usage, Piece::Done];
            let wanted = pieces
                .into_iter()
                .filter(|p| !(script.no_usage && *p == Piece::Usage));
            beats.extend(wanted.map(|piece| (done, piece)));
            (done, End::Clean)
        }
    }
}

/// When each generated event is due, whether or not the script breaks off before.
fn generated_times(script: &Script) -> Vec<Duration> {
    let mut chance = Chance(script.seed);
    let start = script.first.max(script.headers.unwrap_or_default());
    let mut nominal = start;
    let mut latest = Duration::ZERO;
    (0..script.generated())
        .map(|i| {
            if i > 0 {
                nominal += step_before(script, i);
            }
            let moved = chance.moved(nominal, script.jitter);
            latest = latest.max(moved).max(script.headers.unwrap_or_default());
            latest
        })
        .collect()
}

/// From event `i − 1` to event `i`: a stall, a gap, or nothing inside a burst.
fn step_before(script: &Script, i: u32) -> Duration {
    match script.stalls.iter().find(|(after, _)| *after == i) {
        Some((_, length)) => *length,
        None if i.is_multiple_of(script.burst) => script.gap,
        None => Duration::ZERO,
    }
}

/// The generated events' texts, in order.
pub(crate) fn generated_pieces(script: &Script) -> impl Iterator<Item = Piece> {
    let reasoning = text::reasoning(script.reasoning, script.text_chars);
    let content = text::answer(script.n, script.text_chars);
    let tool = text::tool_arguments(script.tool);
    let reasoning = reasoning.into_iter().map(Piece::Reasoning);
    let content = content.into_iter().map(Piece::Content);
    reasoning
        .chain(content)
        .chain(tool.into_iter().map(Piece::Tool))
}

fn add_keepalives(
    script: &Script,
    headers: Duration,
    last: Duration,
    beats: &mut Vec<(Duration, Piece)>,
) {
    let Some(every) = script.keepalive else {
        return;
    };
    let mut at = headers + every;
    while at < last {
        beats.push((at, Piece::KeepAlive));
        at += every;
    }
    beats.sort_by_key(|(at, _)| *at); // stable: pieces of one time keep their order
}

fn hold_back(script: &Script, headers: Duration, last: Duration, beats: &mut [(Duration, Piece)]) {
    for (at, _) in beats {
        if script.buffered {
            *at = last;
        } else if let Some(every) = script.flush {
            let ticks = (*at - headers).as_nanos().div_ceil(every.as_nanos());
            *at = headers + every * u32::try_from(ticks).unwrap_or(u32::MAX);
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, seeded, good enough to move events about.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `at`, moved evenly by at most `jitter` either way, never before 0.
    fn moved(&mut self, at: Duration, jitter: Duration) -> Duration {
        if jitter.is_zero() {
            return at;
        }
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (at + jitter.mul_f64(2.0 * share)).saturating_sub(jitter)
    }
}

#[cfg(test)]
mod tests;
