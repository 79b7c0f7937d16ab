//! Any inputs at any stamps: a probe never panics and never reports a duration that could not be.
#![no_main]

use std::time::Duration;

use streamlag_core::measurement::Counts;
use streamlag_core::{
    AbortBy, Config, Failure, Head, Input, Measurement, Mono, Outcome, Probe, Stamp, TimeoutPhase,
    Visibility,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let whole = told(data, false);
    honest(&whole);
    // A reading is a stamp, not a piece of the body: what two readings at one stamp bring is one arrival.
    let halved = told(data, true);
    assert_eq!(whole.timing, halved.timing);
    assert_eq!(whole.gaps.sketch, halved.gaps.sketch);
    assert_eq!(whole.tokens, halved.tokens);
    assert_eq!(
        (whole.outcome, whole.error, &whole.finish, &whole.end),
        (halved.outcome, halved.error, &halved.finish, &halved.end)
    );
    let counts = Counts {
        reads: whole.counts.reads,
        ..halved.counts
    };
    assert_eq!(whole.counts, counts);
});

/// Tells a probe all that the input says; bytes in one read or in two.
fn told(data: &[u8], halved: bool) -> Measurement {
    let mut probe = Probe::new(Config::default());
    let mut now = Stamp::<Mono>::from_ns(1_000_000_000);
    let mut rest = data;
    while let Some((&[op, step, length], tail)) = rest.split_first_chunk::<3>() {
        let (payload, tail) = tail.split_at(usize::from(length).min(tail.len()));
        rest = tail;
        now = advance(now, step);
        match input(op, now, payload) {
            Input::Bytes(bytes) if halved => {
                let (head, tail) = bytes.split_at(bytes.len() / 2);
                probe.handle(now, Input::Bytes(head), &mut ());
                probe.handle(now, Input::Bytes(tail), &mut ());
            }
            input => probe.handle(now, input, &mut ()),
        }
    }
    probe.measurement()
}

/// Nothing is reported that could not be.
fn honest(m: &Measurement) {
    let t = &m.timing;
    for (sooner, later) in [
        (t.ttfb, t.ttft),
        (t.ttft, t.ttfo),
        (t.ttfo, t.first_answer),
        (t.first_answer, t.first_visible),
        (t.ttft, t.total),
        (t.generation, t.total),
    ] {
        if let (Some(sooner), Some(later)) = (sooner, later) {
            assert!(sooner <= later, "{m:?}");
        }
    }
    for duration in [
        t.ttft,
        t.generation,
        t.tpot,
        t.answer_tpot,
        m.gaps.sketch.min(),
    ] {
        assert_ne!(
            duration,
            Some(Duration::ZERO),
            "equal stamps are unresolved, not 0: {m:?}"
        );
    }
    assert!(t.ttft.is_none() || t.ttft_at_least.is_none(), "{m:?}");
    let mut own = m.server_reported.iter();
    assert!(own.all(|(_, ms)| ms.is_finite() && *ms >= 0.0), "{m:?}");
    let gaps = m.gaps.sketch.count() + u64::from(m.gaps.unresolved);
    assert!(
        gaps <= u64::from(m.counts.generated.saturating_sub(1)),
        "{m:?}"
    );
    assert!(!m.complete || m.error.is_none(), "{m:?}");
    assert!(m.outcome != Outcome::Ok || m.complete, "{m:?}");
}

/// Mostly forwards by up to seconds; sometimes standing still, backwards or to the end of time.
fn advance(now: Stamp<Mono>, step: u8) -> Stamp<Mono> {
    match step {
        0..=15 => now,
        250..=252 => Stamp::from_ns(now.ns().saturating_sub(5_000_000_000)),
        253 => Stamp::from_ns(i64::MIN),
        254 => Stamp::from_ns(i64::MAX),
        255 => Stamp::from_ns(now.ns().saturating_add(3_600_000_000_000)),
        _ => Stamp::from_ns(now.ns().saturating_add(i64::from(step) * 10_000_000)),
    }
}

fn input(op: u8, now: Stamp<Mono>, payload: &[u8]) -> Input<'_> {
    let text = std::str::from_utf8(payload).unwrap_or_default();
    match op % 24 {
        0 => Input::Intent,
        1 => Input::Send,
        2 => Input::Headers(Head {
            status: 200,
            headers: &[("content-type", "text/event-stream")],
            may_hide_headers: false,
        }),
        3 => Input::Headers(Head {
            status: u16::from_le_bytes([payload.first().copied().unwrap_or_default(), 2]),
            headers: &[
                ("retry-after", "3"),
                ("date", "Sun, 29 Nov 2026 19:00:00 GMT"),
            ],
            may_hide_headers: true,
        }),
        4 => Input::Eof,
        5 => Input::Failed(Failure::Reset),
        6 => Input::Failed(Failure::Prober),
        7 => Input::Aborted(AbortBy::User),
        8 => Input::Aborted(AbortBy::Timeout(TimeoutPhase::BetweenChunks)),
        9 => Input::Visibility(Visibility::Hidden),
        10 => Input::Visibility(Visibility::Visible),
        11 => Input::WallClock(Stamp::from_ns(now.ns().saturating_mul(i64::from(op)))),
        12 => Input::Committed {
            through_read: u32::from(payload.first().copied().unwrap_or_default()),
        },
        13 => Input::Painted {
            latest: Stamp::from_ns(now.ns().saturating_add(1_000_000)),
        },
        14 => Input::MainThreadBlocked {
            until: Stamp::from_ns(now.ns().saturating_add(200_000_000)),
        },
        15 => Input::OwnCost(Duration::from_nanos(payload.len() as u64)),
        16 => Input::Parsed,
        17 if !text.is_empty() => Input::Headers(Head {
            status: 429,
            headers: &[],
            may_hide_headers: false,
        }),
        _ => Input::Bytes(payload),
    }
}
