//! Claims about matching reads to events, with streams made by hand.

use super::*;
use harness::mock::Event;

/// A role of 10 bytes at once, then texts of 100 bytes at these times.
fn truth(written_ms: &[u64]) -> Truth {
    let event = |kind: &str, ms: u64, bytes| Event {
        kind: kind.to_owned(),
        scheduled_us: ms * 1_000,
        began_us: ms * 1_000,
        written_us: ms * 1_000 + 500,
        bytes,
    };
    let texts = written_ms.iter().map(|ms| event("content", *ms, 100));
    Truth {
        events: [event("role", 0, 10)].into_iter().chain(texts).collect(),
        ending: Some("complete".to_owned()),
    }
}

fn errors(reads: &[(f64, u64)], truth: &Truth) -> Errors {
    let mut errors = Errors::default();
    let seen = Seen::bare("x".to_owned(), "http://h:1/v1", reads.to_vec());
    errors.add(&seen, truth).unwrap();
    errors
}

/// In µs, so that they can be compared exactly.
fn us(errors: &[f64]) -> Vec<i64> {
    errors.iter().map(|ms| (ms * 1e3).round() as i64).collect()
}

#[test]
fn each_error_is_the_measured_time_less_the_true_one() {
    let reads = [(1.0, 10), (101.5, 100), (122.5, 100), (141.5, 100)];
    let errors = errors(&reads, &truth(&[100, 120, 140]));
    assert_eq!(us(&errors.ttft), [1_000]);
    assert_eq!(us(&errors.total), [1_000]);
    // The second text was a millisecond later than its neighbours.
    assert_eq!(us(&errors.gap), [1_000, 1_000]);
    assert_eq!((errors.coalesced, errors.texts), (0, 3));
    assert_eq!(us(&errors.server_late), [500; 4]);
}

#[test]
fn texts_that_came_in_one_read_are_counted_and_their_gaps_are_not() {
    let reads = [(1.0, 10), (101.0, 100), (150.0, 200), (161.0, 100)];
    let errors = errors(&reads, &truth(&[100, 120, 140, 160]));
    assert_eq!(errors.gap, [] as [f64; 0]);
    assert_eq!((errors.coalesced, errors.texts), (2, 4));
    assert_eq!(us(&errors.total), [500]);
}

#[test]
fn a_text_in_pieces_came_with_its_last_byte_and_one_with_a_role_is_still_alone() {
    let reads = [(101.0, 50), (102.0, 60), (121.0, 100)];
    let errors = errors(&reads, &truth(&[100, 120]));
    assert_eq!(us(&errors.ttft), [1_500]);
    assert_eq!(us(&errors.gap), [1_000]);
    assert_eq!(errors.coalesced, 0);
}

#[test]
fn a_record_keeps_the_first_reads_only_and_its_own_ttft_and_total_count() {
    let truth = truth(&[100, 120, 140]);
    let seen = Seen {
        ttft_ms: Some(100.75),
        total_ms: Some(141.0),
        // A coarse clock does not tell the role's read apart from the send.
        reads: vec![(None, 10), (Some(100.75), 100), (Some(120.75), 100)],
        bytes: 310,
        ..Seen::default()
    };
    let mut errors = Errors::default();
    errors.add(&seen, &truth).unwrap();
    assert_eq!(
        (us(&errors.ttft), us(&errors.total)),
        (vec![250], vec![500])
    );
    assert_eq!(errors.texts, 2);
}

#[test]
fn of_a_bare_loops_reads_no_more_gaps_are_compared_than_a_record_keeps() {
    let times: Vec<u64> = (1..=40).map(|i| i * 20).collect();
    let texts = times.iter().map(|ms| (*ms as f64 + 1.0, 100));
    let reads: Vec<_> = [(1.0, 10)].into_iter().chain(texts).collect();
    let errors = errors(&reads, &truth(&times));
    assert_eq!((errors.texts, errors.gap.len()), (READS - 1, READS - 2));
    assert_eq!(us(&errors.total), [500]);
}

#[test]
fn other_bytes_than_the_servers_are_refused() {
    let mut errors = Errors::default();
    let seen = Seen::bare("x".to_owned(), "http://h:1/v1", vec![(1.0, 11)]);
    let refused = errors.add(&seen, &truth(&[])).unwrap_err().to_string();
    assert!(
        refused.contains("11 bytes") && refused.contains("10"),
        "{refused}"
    );
}

#[test]
fn a_url_is_cut_behind_its_port() {
    assert_eq!(origin("http://127.0.0.1:7/openai/v1"), "http://127.0.0.1:7");
    assert_eq!(origin("http://127.0.0.1:7"), "http://127.0.0.1:7");
}
