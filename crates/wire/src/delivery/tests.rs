use super::*;

const S: fn(u64) -> Duration = Duration::from_secs;

fn outbox(change: impl FnOnce(&mut Policy)) -> Outbox {
    let mut policy = Policy::default();
    change(&mut policy);
    Outbox::new(policy)
}

fn push(outbox: &mut Outbox, id: &str, bytes: usize) {
    outbox.push(id.to_owned(), "x".repeat(bytes));
}

fn sent(step: Step) -> Batch {
    match step {
        Step::Send(batch) => batch,
        other => panic!("expected a batch, got {other:?}"),
    }
}

#[test]
fn records_that_wait_together_go_together_one_a_line() {
    let mut o = outbox(|_| ());
    push(&mut o, "a", 2);
    push(&mut o, "b", 3);
    let batch = sent(o.next(S(0)));
    assert_eq!(
        (batch.ids, batch.body.as_str()),
        (vec!["a".into(), "b".into()], "xx\nxxx")
    );
    push(&mut o, "c", 1);
    assert_eq!(o.next(S(0)), Step::Idle, "one batch at a time");
    o.settle(batch.ticket, Reply::Taken, S(1), 1.0);
    assert_eq!(sent(o.next(S(1))).ids, ["c"]);
}

#[test]
fn a_batch_keeps_to_its_limits_but_a_single_large_record_still_goes() {
    let mut o = outbox(|p| (p.batch_bytes, p.batch_records) = (10, 2));
    for (id, bytes) in [("a", 30), ("b", 4), ("c", 4), ("d", 1)] {
        push(&mut o, id, bytes);
    }
    for ids in [vec!["a"], vec!["b", "c"], vec!["d"]] {
        let batch = sent(o.next(S(0)));
        assert_eq!(batch.ids, ids);
        o.settle(batch.ticket, Reply::Taken, S(0), 0.0);
    }
    assert_eq!((o.next(S(0)), o.pending()), (Step::Idle, 0));
}

#[test]
fn the_wait_doubles_with_each_failure_up_to_the_longest_and_ends_with_success() {
    let mut o = outbox(|p| p.longest_wait = S(4));
    push(&mut o, "a", 1);
    let mut now = S(0);
    for wait in [1, 2, 4, 4] {
        let batch = sent(o.next(now));
        o.settle(batch.ticket, Reply::Failed, now, 1.0);
        assert_eq!(o.next(now), Step::WaitUntil(now + S(wait)));
        now += S(wait);
    }
    let batch = sent(o.next(now));
    o.settle(batch.ticket, Reply::Taken, now, 1.0);
    push(&mut o, "b", 1);
    assert_eq!(sent(o.next(now)).ids, ["b"]);
}

#[test]
fn the_spread_moves_a_wait_between_half_and_full() {
    for (spread, ms) in [(0.0, 500), (1.0, 1000), (7.0, 1000)] {
        let mut o = outbox(|_| ());
        push(&mut o, "a", 1);
        let batch = sent(o.next(S(0)));
        o.settle(batch.ticket, Reply::Failed, S(0), spread);
        assert_eq!(o.next(S(0)), Step::WaitUntil(Duration::from_millis(ms)));
    }
}

#[test]
fn a_failed_batch_goes_again_in_its_old_order_before_newer_records() {
    let mut o = outbox(|_| ());
    push(&mut o, "a", 1);
    push(&mut o, "b", 1);
    let batch = sent(o.next(S(0)));
    push(&mut o, "c", 1);
    o.settle(batch.ticket, Reply::Failed, S(0), 1.0);
    assert_eq!(sent(o.next(S(1))).ids, ["a", "b", "c"]);
}

#[test]
fn a_pause_is_honoured_even_at_exit_but_a_back_off_is_not() {
    let mut o = outbox(|_| ());
    push(&mut o, "a", 1);
    let batch = sent(o.next(S(0)));
    o.settle(batch.ticket, Reply::Pause(S(30)), S(0), 1.0);
    assert_eq!(o.next(S(29)), Step::WaitUntil(S(30)));
    assert_eq!(o.next_at_exit(S(29), 1000), None);
    let batch = sent(o.next(S(30)));
    o.settle(batch.ticket, Reply::Failed, S(30), 1.0);
    assert!(o.next_at_exit(S(30), 1000).is_some());
}

#[test]
fn at_exit_the_room_counts_what_is_already_on_its_way() {
    let mut o = outbox(|_| ());
    push(&mut o, "a", 600);
    let _on_its_way = sent(o.next(S(0)));
    push(&mut o, "b", 300);
    push(&mut o, "c", 300);
    assert_eq!(o.next_at_exit(S(0), 500), None);
    assert_eq!(o.next_at_exit(S(0), 1000).unwrap().ids, ["b"]);
    assert_eq!(o.next_at_exit(S(0), 1000), None, "no room left for c");
    assert_eq!(o.pending(), 3);
}

#[test]
fn beyond_what_is_kept_the_oldest_is_dropped_and_counted() {
    let mut o = outbox(|p| (p.keep_records, p.keep_bytes) = (2, 100));
    for id in ["a", "b", "c"] {
        push(&mut o, id, 10);
    }
    assert_eq!((o.dropped(), o.pending()), (1, 2));
    push(&mut o, "d", 95);
    assert_eq!((o.dropped(), sent(o.next(S(0))).ids), (3, vec!["d".into()]));
}

#[test]
fn a_batch_that_is_too_large_goes_in_halves_and_a_single_record_is_given_up() {
    let mut o = outbox(|_| ());
    push(&mut o, "a", 1);
    push(&mut o, "b", 1);
    let batch = sent(o.next(S(0)));
    o.settle(batch.ticket, Reply::TooLarge, S(0), 1.0);
    let batch = sent(o.next(S(0)));
    assert_eq!(batch.ids, ["a"]);
    o.settle(batch.ticket, Reply::TooLarge, S(0), 1.0);
    assert_eq!((o.dropped(), sent(o.next(S(0))).ids), (1, vec!["b".into()]));
}

#[test]
fn settling_an_unknown_batch_changes_nothing() {
    let mut o = outbox(|_| ());
    push(&mut o, "a", 1);
    o.settle(99, Reply::Failed, S(0), 1.0);
    assert!(matches!(o.next(S(0)), Step::Send(_)));
}
