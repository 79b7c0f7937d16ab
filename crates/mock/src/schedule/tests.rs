//! Claims about schedules, by their times in milliseconds.

use super::*;

fn schedule(spec: &str) -> Schedule {
    Schedule::of(&spec.parse().unwrap_or_else(|e| panic!("{spec}: {e}")))
}

fn ms(at: Duration) -> f64 {
    at.as_secs_f64() * 1000.0
}

/// Times of the generated pieces.
fn generated(spec: &str) -> Vec<f64> {
    let is_generated = |piece: &Piece| {
        matches!(
            piece,
            Piece::Content(_) | Piece::Reasoning(_) | Piece::Tool(_)
        )
    };
    let beats = schedule(spec).beats;
    let generated = beats.iter().filter(|b| is_generated(&b.piece));
    generated.map(|b| ms(b.at)).collect()
}

fn check(spec: &str, expected: &[f64]) {
    let found = generated(spec);
    assert_eq!(found.len(), expected.len(), "{spec}: {found:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() < 1e-6, "{spec}: {found:?}");
    }
}

#[test]
fn events_follow_first_and_gap() {
    check("first=300,gap=40,n=3", &[300.0, 340.0, 380.0]);
    check("first=10,gap=0.5,n=3", &[10.0, 10.5, 11.0]);
}

#[test]
fn nothing_comes_before_the_headers() {
    check("headers=50,first=10,gap=5,n=2", &[50.0, 55.0]);
}

#[test]
fn a_stall_replaces_the_gap_after_so_many_events() {
    check("first=0,gap=10,n=4,stall=2:500", &[0.0, 10.0, 510.0, 520.0]);
}

#[test]
fn a_burst_shares_one_time() {
    check(
        "first=5,gap=100,n=5,burst=2",
        &[5.0, 5.0, 105.0, 105.0, 205.0],
    );
}

#[test]
fn a_flush_waits_for_the_next_tick_after_the_headers() {
    check(
        "headers=20,first=30,gap=200,n=4,flush=500",
        &[520.0, 520.0, 520.0, 1020.0],
    );
}

#[test]
fn buffered_sends_all_at_the_end_headers_too() {
    check("first=10,gap=10,n=3,buffered", &[40.0, 40.0, 40.0]);
    let held = schedule("first=10,gap=10,n=3,buffered");
    assert_eq!(held.headers.map(ms), Some(40.0));
    let early = schedule("first=10,gap=10,n=3,buffered,headers=5");
    assert_eq!(early.headers.map(ms), Some(5.0));
}

#[test]
fn reasoning_comes_before_content_and_tools_after() {
    let kinds: Vec<_> = schedule("n=1,reasoning=1,tool=1")
        .beats
        .into_iter()
        .map(|b| match b.piece {
            Piece::Reasoning(_) => "reasoning",
            Piece::Content(_) => "content",
            Piece::Tool(_) => "tool",
            Piece::Role => "role",
            _ => "",
        })
        .collect();
    assert_eq!(kinds[..4], ["role", "reasoning", "content", "tool"]);
}

#[test]
fn the_same_seed_gives_the_same_jitter_and_another_seed_another() {
    let of = |seed| generated(&format!("first=300,gap=40,n=50,jitter=60,seed={seed}"));
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

#[test]
fn jitter_stays_in_its_bounds_and_keeps_the_order() {
    let times = generated("first=300,gap=40,n=200,jitter=60");
    assert!(times.is_sorted());
    for (i, at) in times.iter().enumerate() {
        let nominal = 300.0 + 40.0 * i as f64;
        assert!((at - nominal).abs() <= 60.0 + 1e-6, "event {i} at {at}");
    }
    assert!(times[0] >= 240.0);
}

#[test]
fn keepalives_tick_between_headers_and_end() {
    let beats = schedule("headers=10,first=1200,gap=10,n=2,keepalive=500").beats;
    let ticks: Vec<_> = beats
        .iter()
        .filter(|b| b.piece == Piece::KeepAlive)
        .map(|b| ms(b.at))
        .collect();
    assert_eq!(ticks, [510.0, 1010.0]);
    assert!(beats.is_sorted_by_key(|b| b.at));
}

#[test]
fn a_stream_ends_one_gap_after_its_last_event_or_after_its_tail() {
    let last = |spec| {
        schedule(spec)
            .beats
            .last()
            .map(|b| (ms(b.at), b.piece.clone()))
    };
    assert_eq!(last("first=10,gap=10,n=2"), Some((30.0, Piece::Done)));
    assert_eq!(
        last("first=10,gap=10,n=2,tail=0"),
        Some((20.0, Piece::Done))
    );
}

#[test]
fn a_stream_that_breaks_off_has_no_terminal_piece() {
    for (spec, end) in [
        (
            "first=10,gap=10,n=5,cut_at=2",
            End::Cut(Duration::from_millis(30)),
        ),
        (
            "first=10,gap=10,n=5,eof_at=0",
            End::Eof(Duration::from_millis(10)),
        ),
    ] {
        let schedule = schedule(spec);
        assert_eq!(schedule.end, end, "{spec}");
        assert!(schedule.beats.iter().all(|b| b.piece != Piece::Done));
    }
    let failed = schedule("first=10,gap=10,n=5,error_at=2");
    assert_eq!(
        failed.beats.last().map(|b| b.piece.clone()),
        Some(Piece::Error)
    );
    assert_eq!(generated("first=10,gap=10,n=5,error_at=2").len(), 2);
}

#[test]
fn a_status_or_a_page_is_one_piece_and_a_hang_is_none() {
    assert_eq!(schedule("status=429").beats[0].piece, Piece::Refusal);
    assert_eq!(schedule("status=502,html").beats[0].piece, Piece::Page);
    let hang = schedule("hang");
    assert_eq!(
        (hang.headers, hang.beats.len(), hang.end),
        (None, 0, End::Hang)
    );
    let whole = schedule("first=10,gap=10,n=3,json");
    assert_eq!((whole.beats.len(), ms(whole.beats[0].at)), (1, 30.0));
}
