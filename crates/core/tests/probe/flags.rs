//! The rules that say what makes a number untrustworthy: what they see, and what they leave alone.

use std::time::Duration;

use streamlag_core::measurement::GapCause;
use streamlag_core::{Flags, Measurement, Visibility};

use crate::script::{
    DONE, Do, choice, finish, play, read, role, sent, tell, text, think, usage, with_step,
};

fn flagged(m: &Measurement, flag: Flags) -> bool {
    m.flags.contains(flag)
}

fn many(n: usize) -> String {
    text("x").repeat(n)
}

fn end() -> String {
    finish("stop") + DONE
}

#[test]
fn a_body_that_was_held_back_is_suspected() {
    let held = |reads: &[(i64, String)]| flagged(&play(&sent(reads)), Flags::BUFFERED_SUSPECTED);
    // The proxy releases all at the end, in one read, in two, in a few milliseconds.
    assert!(held(&[(8000, role() + &many(8) + &end())]));
    assert!(held(&[
        (6000, role() + &many(20)),
        (6003, many(20) + &end())
    ]));
    let burst: Vec<_> = (0..40).map(|i| (6000 + i / 2, text("x"))).collect();
    assert!(held(&burst));
    // What keeps the connection open afterwards is not the body's pace.
    assert!(held(&[
        (8000, role() + &many(8) + &end()),
        (60_000, ": idle\n\n".into())
    ]));
    // The compressor lets its first bytes go and keeps the rest.
    assert!(held(&[(90, role()), (7000, many(40) + &end())]));
    assert!(held(&[
        (90, role()),
        (7000, many(20)),
        (7002, many(20) + &end())
    ]));
}

#[test]
fn a_fast_answer_is_not_suspected() {
    let held = |reads: &[(i64, String)]| flagged(&play(&sent(reads)), Flags::BUFFERED_SUSPECTED);
    // Short answers, and quick ones.
    assert!(!held(&[(900, many(4) + &end())]));
    assert!(!held(&[(200, many(40) + &end())]));
    // A short answer after long hidden reasoning takes a small share of the time too.
    let answer: Vec<_> = (0..20).map(|i| (30_000 + 10 * i, text("x"))).collect();
    assert!(!held(&answer));
    // Text at an even pace.
    let steady: Vec<_> = (0..40).map(|i| (600 + 20 * i, text("x"))).collect();
    assert!(!held(&steady));
    // Keep-alives came all the time, and then a few words.
    assert!(!held(&[
        (1000, ": ping\n\n".into()),
        (9000, many(6) + &end())
    ]));
}

#[test]
fn a_held_back_body_has_no_token_rate() {
    let m = play(&sent(&[
        (6000, role() + &many(20)),
        (
            6003,
            many(20) + &finish("stop") + &usage(5, 40, None) + DONE,
        ),
    ]));
    assert_eq!(m.timing.tpot, None);
    assert_eq!(m.gaps.stalls, 0);
}

#[test]
fn one_burst_is_more_than_one_event_at_one_reading() {
    let burst = |reads: &[(i64, String)]| flagged(&play(&sent(reads)), Flags::SINGLE_BURST);
    assert!(burst(&[(90, role()), (900, many(4) + &end())]));
    assert!(burst(&[(900, many(2)), (900, many(2))]));
    assert!(
        !burst(&[(900, text("Yes") + &end())]),
        "one event is no burst"
    );
    assert!(!burst(&[(900, many(4)), (901, text("x"))]));
    let both = choice(0, r#""content":"a","reasoning_content":"b""#, "null");
    assert!(
        !burst(&[(900, both)]),
        "one event of two kinds is one event"
    );
}

/// Blocks of events at these times.
fn blocks(times: &[i64], size: usize) -> Measurement {
    let mut reads = vec![(90, role())];
    reads.extend(times.iter().map(|now| (*now, many(size))));
    play(&sent(&reads))
}

fn every(period: i64, n: i64) -> Vec<i64> {
    (0..n).map(|i| 600 + period * i).collect()
}

#[test]
fn blocks_at_an_even_pace_are_a_gateways() {
    let periodic = |times: &[i64], size| flagged(&blocks(times, size), Flags::PERIODIC_BATCHING);
    for period in [50, 100, 250, 500, 1000, 2000] {
        assert!(periodic(&every(period, 6), 8), "{period}");
        assert!(periodic(&every(period, 40), 3), "{period}");
    }
    assert!(periodic(&every(500, 4), 8), "four blocks are enough");
    // Network jitter, a flush with nothing to send, and a last one that ends with the text.
    assert!(periodic(&[600, 1110, 1590, 2105, 2600, 3120], 8));
    assert!(periodic(&[600, 1100, 1600, 2600, 3100, 3600], 8));
    assert!(periodic(&[600, 1100, 1600, 2100, 2180], 8));
    // One flush that arrives as three reads.
    let split: Vec<_> = every(500, 6)
        .into_iter()
        .flat_map(|t| [t, t + 1, t + 2])
        .collect();
    assert!(periodic(&split, 3));
}

#[test]
fn other_rhythms_are_not() {
    let periodic = |times: &[i64], size| flagged(&blocks(times, size), Flags::PERIODIC_BATCHING);
    assert!(!periodic(&every(40, 60), 1), "a steady model");
    assert!(!periodic(&every(500, 20), 1), "a slow model");
    assert!(
        !periodic(&[600, 900, 1700, 1950, 3100, 3300], 8),
        "bursts at odd times"
    );
    assert!(!periodic(&every(500, 3), 8), "too few");
    assert!(!periodic(&every(20, 40), 8), "network coalescing");
    // Two answers in parallel come in pairs.
    let pair = choice(0, r#""content":"a""#, "null") + &choice(1, r#""content":"b""#, "null");
    let pairs: Vec<_> = every(60, 20)
        .into_iter()
        .map(|t| (t, pair.clone()))
        .collect();
    assert!(!flagged(&play(&sent(&pairs)), Flags::PERIODIC_BATCHING));
}

#[test]
fn waiting_for_the_next_flush_is_no_stall_of_the_provider() {
    let mut times = every(1000, 8);
    times.push(times.last().unwrap() + 4000);
    let m = blocks(&times, 8);
    assert!(flagged(&m, Flags::PERIODIC_BATCHING));
    assert_eq!(
        (m.gaps.stalls, m.gaps.provider_stalls),
        (8, 1),
        "the long one is its own"
    );
    let causes: Vec<_> = m.gaps.longest.iter().map(|gap| gap.cause).collect();
    assert_eq!(causes[..2], [GapCause::Upstream, GapCause::GatewayBatching]);
}

#[test]
fn a_coarse_clock_makes_no_rhythm() {
    let stamps = [
        300, 300, 300, 400, 400, 400, 500, 500, 500, 600, 600, 700, 700,
    ];
    let mut probe = with_step(Some(Duration::from_millis(100)));
    tell(
        &mut probe,
        &sent(&stamps.map(|now| (now, text("x")))),
        &mut (),
    );
    let m = probe.measurement();
    assert!(flagged(&m, Flags::COARSE_CLOCK) && !flagged(&m, Flags::PERIODIC_BATCHING));
}

/// Reads of so many events at these times, hidden from 350 to `until`.
fn hidden(times: &[i64], size: usize, until: i64) -> Measurement {
    let mut steps = vec![(0, Do::See(Visibility::Visible)), (0, Do::Send)];
    steps.push((300, read(&text("s"))));
    steps.extend(times.iter().map(|now| (*now, read(&many(size)))));
    steps.push((350, Do::See(Visibility::Hidden)));
    steps.push((until, Do::See(Visibility::Visible)));
    steps.sort_by_key(|(now, _)| *now);
    play(&steps)
}

#[test]
fn reads_at_the_pace_of_a_hidden_timer_are_throttled() {
    for times in [
        [1300, 2300, 3300, 4300],
        [1290, 2310, 3305, 4296],
        [60_000, 120_000, 180_000, 240_000],
    ] {
        let m = hidden(&times, 20, 300_000);
        assert!(
            flagged(&m, Flags::READER_THROTTLED.with(Flags::HIDDEN)),
            "{times:?}"
        );
        assert!(!flagged(&m, Flags::PERIODIC_BATCHING));
        assert!(!m.gaps.trusted);
        assert_eq!(m.gaps.provider_stalls, 0);
    }
}

#[test]
fn a_hidden_page_whose_reads_go_on_is_not_throttled() {
    let times: Vec<_> = (0..40).map(|i| 400 + 40 * i).collect();
    let m = hidden(&times, 1, 300_000);
    assert!(flagged(&m, Flags::HIDDEN) && !flagged(&m, Flags::READER_THROTTLED));
    assert!(m.gaps.trusted);
    // A gateway's flushes, seen before and after a short look away.
    let times: Vec<_> = (0..20).map(|i| 800 + 500 * i).collect();
    let m = hidden(&times, 8, 900);
    assert!(flagged(&m, Flags::PERIODIC_BATCHING) && !flagged(&m, Flags::READER_THROTTLED));
}

#[test]
fn reads_that_waited_for_a_busy_reader_are_late() {
    let late = |busy: i64, idle: i64| {
        let mut steps = vec![(0, Do::Send)];
        let mut now = 100;
        for _ in 0..5 {
            steps.extend([(now, read(&text("x"))), (now + busy, Do::Parsed)]);
            now += busy + idle;
        }
        flagged(&play(&steps), Flags::READER_LATE)
    };
    assert!(late(20, 0));
    assert!(!late(20, 5), "it waited for them");
    assert!(!late(1, 0), "they came that fast");
}

#[test]
fn an_answer_without_text_is_told() {
    let empty = |body: String| flagged(&play(&sent(&[(100, body)])), Flags::EMPTY_ANSWER);
    assert!(empty(role() + &end()));
    assert!(empty(think("only") + &finish("length") + DONE));
    assert!(!empty(text("a") + &end()));
    assert!(!empty(role()), "it has not ended");
}

#[test]
fn a_usage_that_contradicts_itself_is_told() {
    let odd = |usage: String| {
        let body = text("a") + &finish("stop") + &usage + DONE;
        flagged(&play(&sent(&[(100, body)])), Flags::USAGE_INCONSISTENT)
    };
    assert!(odd(usage(43, 10, Some(11))));
    assert!(odd(usage(43, 0, None)), "no token for a visible text");
    assert!(
        odd(usage(43, 10, None) + &usage(43, 5, None)),
        "a running total that fell"
    );
    assert!(!odd(usage(43, 10, Some(10))));
    assert!(!odd(usage(43, 5, None) + &usage(43, 10, None)));
}
