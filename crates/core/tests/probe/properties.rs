//! What holds for any input in any order, with any stamps.

use std::time::Duration;

use proptest::prelude::*;
use streamlag_core::input::TimeoutPhase;
use streamlag_core::measurement::Timing;
use streamlag_core::{
    AbortBy, ClockInfo, Config, Failure, Head, Input, Measurement, Probe, Sketch, Stamp, Visibility,
};

use crate::script::{DONE, Heard, choice, finish, role, text, think, tool, usage};

/// One input with a stamp in nanoseconds. Bodies are owned, so that they can be cut anywhere.
#[derive(Debug, Clone)]
struct Told {
    at: i64,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Plain(Input<'static>),
    Body(Vec<u8>),
    Head(u16, String),
}

impl Told {
    fn to(&self, probe: &mut Probe, sink: &mut Heard) {
        let at = Stamp::from_ns(self.at);
        match &self.what {
            What::Plain(input) => probe.handle(at, *input, sink),
            What::Body(body) => probe.handle(at, Input::Bytes(body), sink),
            What::Head(status, value) => {
                let headers = ["retry-after", "date", "server-timing", "x-ratelimit-a"]
                    .map(|name| (name, value.as_str()));
                let head = Head {
                    status: *status,
                    headers: &headers,
                    may_hide_headers: *status % 2 == 0,
                };
                probe.handle(at, Input::Headers(head), sink);
            }
        }
    }
}

fn event() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(text("ab")),
        2 => Just(think("hm")),
        1 => Just(tool("{}")),
        1 => Just(role()),
        1 => Just(choice(1, r#""content":" ""#, "null")),
        1 => Just(finish("stop")),
        1 => (0..50u64, 0..50u64, proptest::option::of(0..60u64)).prop_map(|(i, o, r)| usage(i, o, r)),
        1 => Just(": ping\n\n".to_owned()),
        1 => Just("data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n".to_owned()),
        1 => Just("data: {\"value\":1}\n\ndata: {nope\n\n".to_owned()),
    ]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => proptest::collection::vec(event(), 1..5).prop_map(|events| events.concat().into_bytes()),
        1 => Just(DONE.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..40),
    ]
}

fn stamp() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => (0..4_000i64).prop_map(|ms| ms * 1_000_000),
        1 => any::<i64>(),
        1 => prop_oneof![Just(i64::MIN), Just(i64::MAX), Just(0)],
    ]
}

fn plain() -> impl Strategy<Value = Input<'static>> {
    prop_oneof![
        Just(Input::Intent),
        Just(Input::Send),
        Just(Input::Parsed),
        Just(Input::Eof),
        Just(Input::Failed(Failure::Reset)),
        Just(Input::Aborted(AbortBy::User)),
        Just(Input::Aborted(AbortBy::Timeout(TimeoutPhase::Total))),
        Just(Input::Visibility(Visibility::Hidden)),
        Just(Input::Visibility(Visibility::Frozen)),
        Just(Input::Visibility(Visibility::Visible)),
        stamp().prop_map(|ns| Input::WallClock(Stamp::from_ns(ns))),
        any::<u32>().prop_map(|through_read| Input::Committed { through_read }),
        (0..9u32).prop_map(|through_read| Input::Committed { through_read }),
        stamp().prop_map(|ns| Input::Painted {
            latest: Stamp::from_ns(ns)
        }),
        stamp().prop_map(|ns| Input::MainThreadBlocked {
            until: Stamp::from_ns(ns)
        }),
        any::<u64>().prop_map(|ns| Input::OwnCost(Duration::from_nanos(ns))),
    ]
}

fn what() -> impl Strategy<Value = What> {
    prop_oneof![
        3 => plain().prop_map(What::Plain),
        5 => body().prop_map(What::Body),
        1 => (any::<u16>(), ".{0,40}").prop_map(|(status, value)| What::Head(status, value)),
    ]
}

fn anything() -> impl Strategy<Value = Vec<Told>> {
    let told = (stamp(), what()).prop_map(|(at, what)| Told { at, what });
    proptest::collection::vec(told, 0..40)
}

/// A stream that is sent once, at 0, and then reads at rising stamps.
fn stream() -> impl Strategy<Value = Vec<Told>> {
    proptest::collection::vec((0..700_000_000i64, body()), 1..20).prop_map(|reads| {
        let send = Told {
            at: 0,
            what: What::Plain(Input::Send),
        };
        let mut at = 0;
        let reads = reads.into_iter().map(|(gap, body)| {
            at += gap;
            Told {
                at,
                what: What::Body(body),
            }
        });
        [send].into_iter().chain(reads).collect()
    })
}

fn probe() -> Probe {
    Probe::new(Config {
        dialect: Some("openai".to_owned()),
        framing: Some("sse".to_owned()),
        clock: ClockInfo {
            step: Some(Duration::from_micros(5)),
            ..ClockInfo::default()
        },
    })
}

fn firsts(t: &Timing) -> [Option<Duration>; 8] {
    [
        t.wait,
        t.headers,
        t.ttfb,
        t.ttft,
        t.ttfo,
        t.first_answer,
        t.first_visible,
        t.user_ttft,
    ]
}

/// Every duration that a measurement claims to have seen pass.
fn durations(m: &Measurement) -> Vec<Duration> {
    let t = &m.timing;
    let others = [
        t.ttft_at_least,
        t.generation,
        t.total,
        t.stream_end,
        t.tail_wait,
        t.user_total,
        t.tpot,
        t.answer_tpot,
        m.suspended,
        m.gaps.sketch.min(),
        m.gaps.sketch.quantile(0.5),
        m.parse.as_ref().and_then(Sketch::min),
        m.render.as_ref().and_then(|render| render.first_paint),
    ];
    let gaps = m.gaps.longest.iter().map(|gap| Some(gap.length));
    let attempts = m.attempts.iter().flat_map(|a| [a.ttft, a.end]);
    let all = firsts(t)
        .into_iter()
        .chain(others)
        .chain(gaps)
        .chain(attempts);
    all.flatten().collect()
}

fn honest(m: &Measurement) {
    for duration in durations(m) {
        assert!(!duration.is_zero(), "a zero was invented: {m:?}");
        assert!(duration.as_nanos() <= u128::from(u64::MAX), "{m:?}");
    }
    assert!(m.chunks.len() <= Measurement::CHUNKS);
    assert!(m.gaps.longest.len() <= Measurement::LONGEST);
    assert!(m.gaps.longest.is_sorted_by(|a, b| a.length >= b.length));
    assert!(m.attempts.len() <= Measurement::ATTEMPTS);
    assert!(m.gaps.provider_stalls <= m.gaps.stalls && m.gaps.stalls <= m.gaps.choppy);
    assert!(m.gaps.sketch.bins().len() <= Sketch::MAX_BINS);
    assert!(!m.complete || m.error.is_none());
    assert_eq!(m.http.retryable.is_some(), m.error.is_some());
    assert!(m.timing.ttft_at_least.is_none() || m.timing.ttft.is_none());
}

proptest! {
    // Every case takes a measurement after every input, which is what costs.
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_is_invented(told in anything()) {
        let mut probe = probe();
        let mut heard = Heard::default();
        for told in &told {
            told.to(&mut probe, &mut heard);
            honest(&probe.measurement());
        }
        prop_assert!(heard.gaps.iter().all(|gap| !gap.is_zero()));
    }

    #[test]
    fn a_longer_prefix_never_changes_an_earlier_stamp(told in anything()) {
        let mut probe = probe();
        let mut before = probe.measurement();
        for told in &told {
            told.to(&mut probe, &mut Heard::default());
            let now = probe.measurement();
            // A new attempt has stamps of its own; those of the one before stay in its line.
            let again = matches!(told.what, What::Plain(Input::Send));
            if !again {
                for (was, is) in firsts(&before.timing).iter().zip(firsts(&now.timing)) {
                    prop_assert!(was.is_none() || *was == is, "{:?} {:?}", before.timing, now.timing);
                }
                for (was, is) in before.chunks.iter().zip(&now.chunks) {
                    prop_assert_eq!((was.at, was.bytes), (is.at, is.bytes));
                }
            }
            let lines = before.attempts.len().saturating_sub(1);
            if now.attempts.len() > lines {
                prop_assert_eq!(&before.attempts[..lines], &now.attempts[..lines]);
            }
            before = now;
        }
    }

    #[test]
    fn reads_cut_anywhere_mean_the_same(told in stream(), cut in 1..9usize) {
        let (mut whole, mut pieces) = (probe(), probe());
        let (mut one, mut other) = (Heard::default(), Heard::default());
        for told in &told {
            told.to(&mut whole, &mut one);
            let What::Body(body) = &told.what else {
                told.to(&mut pieces, &mut other);
                continue;
            };
            for piece in body.chunks(cut) {
                let what = What::Body(piece.to_vec());
                Told { at: told.at, what }.to(&mut pieces, &mut other);
            }
        }
        let (one_m, other_m) = (whole.measurement(), pieces.measurement());
        prop_assert_eq!((one.text, one.gaps, one.kinds), (other.text, other.gaps, other.kinds));
        prop_assert_eq!(one_m.timing, other_m.timing);
        prop_assert_eq!(&one_m.gaps.sketch, &other_m.gaps.sketch);
        prop_assert_eq!(one_m.gaps.unresolved, other_m.gaps.unresolved);
        prop_assert_eq!(one_m.tokens, other_m.tokens);
        prop_assert_eq!((one_m.outcome, one_m.error, one_m.flags), (other_m.outcome, other_m.error, other_m.flags));
        prop_assert_eq!((one_m.finish, one_m.end), (other_m.finish, other_m.end));
        let mut counts = other_m.counts;
        counts.reads = one_m.counts.reads;
        prop_assert_eq!(one_m.counts, counts);
    }
}
