//! Arrival gaps and what they are put down to.

use std::time::Duration;

use streamlag_core::measurement::{GapCause, Measurement};
use streamlag_core::{Input, Visibility};

use crate::script::{Do, Heard, at, ms, play, probe, read, sent, tell, text, texts};

fn causes(m: &Measurement) -> Vec<GapCause> {
    m.gaps.longest.iter().map(|gap| gap.cause).collect()
}

#[test]
fn equal_stamps_are_unresolved() {
    let two = text("a") + &text("b");
    let m = play(&sent(&[(100, two.clone()), (100, two), (150, text("c"))]));
    assert_eq!((m.gaps.sketch.count(), m.gaps.unresolved), (1, 3));
    assert_eq!((m.gaps.sketch.min(), m.gaps.sketch.max()), (ms(50), ms(50)));
}

#[test]
fn only_more_than_the_limit_is_choppy_or_stuck() {
    let m = play(&texts(&[100, 300, 501, 1001, 1502]));
    assert_eq!(
        (m.gaps.choppy, m.gaps.stalls, m.gaps.provider_stalls),
        (3, 1, 1)
    );
    assert_eq!(m.gaps.stall_total, Duration::from_millis(501));
}

#[test]
fn the_longest_are_kept_longest_first_with_their_place() {
    let mut times = vec![100];
    for gap in [40, 900, 30, 800, 20, 700, 10, 600, 650, 750, 850, 610] {
        times.push(times.last().unwrap() + gap);
    }
    let m = play(&texts(&times));
    let lengths: Vec<_> = m
        .gaps
        .longest
        .iter()
        .map(|gap| gap.length.as_millis())
        .collect();
    assert_eq!(lengths, [900, 850, 800, 750, 700, 650, 610, 600]);
    let first = m.gaps.longest.first().unwrap();
    assert_eq!(
        (first.at, first.read, first.event),
        (Duration::from_millis(140), 2, 2)
    );
    assert_eq!(m.gaps.stalls, 8);
}

#[test]
fn every_stall_counts_though_only_the_longest_are_kept() {
    let times: Vec<_> = (0..41).map(|i| 100 + i * 600).collect();
    let m = play(&texts(&times));
    assert_eq!(
        (m.gaps.choppy, m.gaps.stalls, m.gaps.provider_stalls),
        (40, 40, 40)
    );
    assert_eq!(m.gaps.stall_total, Duration::from_millis(40 * 600));
    assert_eq!(m.gaps.longest.len(), Measurement::LONGEST);
}

#[test]
fn a_hidden_page_sees_no_stall() {
    let mut steps = texts(&[100, 140, 3000, 3040, 4000]);
    steps.insert(3, (200, Do::See(Visibility::Hidden)));
    steps.insert(5, (3010, Do::See(Visibility::Visible)));
    let m = play(&steps);
    assert_eq!(
        (m.gaps.stalls, m.gaps.provider_stalls),
        (1, 1),
        "only the one in sight"
    );
    assert_eq!(m.gaps.hidden_stalls, 1);
    assert_eq!(causes(&m)[..2], [GapCause::Hidden, GapCause::Upstream]);
    assert!(m.gaps.trusted);
}

#[test]
fn a_frozen_page_cannot_be_trusted_with_gaps() {
    let mut steps = texts(&[100, 140, 3000]);
    steps.insert(3, (200, Do::See(Visibility::Frozen)));
    let m = play(&steps);
    assert!(!m.gaps.trusted);
    assert_eq!(m.gaps.stalls, 0);
}

#[test]
fn a_blocked_main_thread_is_not_the_providers_fault_even_when_told_late() {
    let mut steps = texts(&[100, 140, 900, 940]);
    steps.push((150, Do::Blocked(800)));
    let m = play(&steps);
    assert_eq!((m.gaps.stalls, m.gaps.provider_stalls), (1, 0));
    assert_eq!(causes(&m)[0], GapCause::MainThread);
}

#[test]
fn a_short_block_does_not_explain_a_long_gap() {
    let mut steps = texts(&[100, 140, 900, 940]);
    // The same block, told twice, is one block.
    steps.push((150, Do::Blocked(400)));
    steps.push((150, Do::Blocked(400)));
    let m = play(&steps);
    assert_eq!((m.gaps.stalls, m.gaps.provider_stalls), (1, 1));
    assert_eq!(causes(&m)[0], GapCause::Upstream);
}

#[test]
fn no_gap_reaches_across_attempts() {
    let mut heard = Heard::default();
    let mut probe = probe();
    let steps = [
        (0, Do::Send),
        (200, read(&text("a"))),
        (1260, Do::Send),
        (1500, read(&text("a"))),
        (1550, read(&text("b"))),
    ];
    tell(&mut probe, &steps, &mut heard);
    assert_eq!(heard.gaps, [Duration::from_millis(50)]);
    assert_eq!(probe.measurement().gaps.sketch.count(), 1);
    assert_eq!(heard.text, "ab", "the second attempt replaces the first");
}

#[test]
fn a_stream_of_any_length_takes_bounded_room() {
    let mut probe = probe();
    probe.handle(at(0), Input::Send, &mut ());
    let body = text("x");
    let mut now = 0;
    for i in 0..20_000 {
        // Gaps of 1 ms to 3 s, never the same twice in a row; every tenth one in a blocked thread.
        now += 1 + (i * 7919) % 3000;
        probe.handle(at(now), Input::Bytes(body.as_bytes()), &mut ());
        if i % 10 == 0 {
            let blocked = Input::MainThreadBlocked { until: at(now) };
            probe.handle(at(now - 2999), blocked, &mut ());
        }
    }
    let m = probe.measurement();
    assert_eq!(m.gaps.sketch.count(), 19_999);
    assert!(m.gaps.sketch.bins().len() <= streamlag_core::Sketch::MAX_BINS);
    assert_eq!((m.gaps.longest.len(), m.chunks.len()), (8, 32));
    assert!(m.gaps.provider_stalls < m.gaps.stalls);
}
