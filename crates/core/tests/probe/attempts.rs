//! A request that is sent again.

use streamlag_core::measurement::Measurement;
use streamlag_core::{AbortBy, ErrorClass, Failure, Outcome};

use crate::script::{DONE, Do, finish, ms, play, read, role, text};

/// Sent, ttft and end in ms, and the class of the failure.
type Line = (Option<u64>, Option<u64>, Option<u64>, Option<ErrorClass>);

fn lines(m: &Measurement) -> Vec<Line> {
    let ms = |d: Option<std::time::Duration>| d.map(|d| d.as_millis() as u64);
    m.attempts
        .iter()
        .map(|a| (ms(a.sent), ms(a.ttft), ms(a.end), a.error))
        .collect()
}

fn answer(from: i64) -> [(i64, Do); 3] {
    [
        (from, read(&text("a"))),
        (from + 50, read(&text("b"))),
        (from + 60, read(&(finish("stop") + DONE))),
    ]
}

#[test]
fn each_attempt_has_its_own_numbers() {
    let mut steps = vec![
        (0, Do::Send),
        (200, read(&text("a"))),
        (260, Do::Fail(Failure::Reset)),
        (1260, Do::Send),
    ];
    steps.extend(answer(1500));
    let m = play(&steps);
    assert_eq!(
        lines(&m),
        [
            (Some(0), Some(200), Some(260), Some(ErrorClass::Reset)),
            (Some(1260), Some(240), Some(300), None),
        ]
    );
    assert_eq!((m.timing.ttft, m.timing.user_ttft), (ms(240), ms(200)));
    assert_eq!(
        (m.outcome, m.error, m.attempts_seen),
        (Outcome::Ok, None, 2)
    );
}

#[test]
fn a_refused_attempt_ends_where_it_was_last_heard_of() {
    let limited = Do::Head(429, vec![("retry-after", "1")]);
    let mut steps = vec![
        (0, Do::Send),
        (100, limited.clone()),
        (1100, Do::Send),
        (1150, Do::Head(503, vec![])),
        (1160, read("{\"error\":{\"code\":503}}")),
        (3000, Do::Send),
        (3020, Do::Head(200, vec![])),
    ];
    steps.extend(answer(3300));
    let m = play(&steps);
    assert_eq!(
        lines(&m),
        [
            (Some(0), None, Some(100), Some(ErrorClass::RateLimited)),
            (Some(1100), None, Some(60), Some(ErrorClass::Overloaded)),
            (Some(3000), Some(300), Some(360), None),
        ]
    );
    assert_eq!((m.timing.user_ttft, m.http.status), (ms(3300), Some(200)));
    assert_eq!(m.attempts.first().and_then(|first| first.status), Some(429));
}

#[test]
fn an_attempt_dropped_without_a_word_has_no_end() {
    let mut steps = vec![(0, Do::Send), (50, read(&role())), (900, Do::Send)];
    steps.extend(answer(1000));
    let m = play(&steps);
    assert_eq!(lines(&m)[0], (Some(0), None, None, None));
}

#[test]
fn an_attempt_that_a_library_gave_up_is_no_error() {
    let mut steps = vec![
        (0, Do::Send),
        (300, read(&text("a"))),
        (500, Do::Abort(AbortBy::Library)),
        (4000, Do::Send),
    ];
    steps.extend(answer(4350));
    let m = play(&steps);
    assert_eq!(lines(&m)[0].3, None);
    assert_eq!((m.timing.user_ttft, m.timing.ttft), (ms(300), ms(350)));
}

#[test]
fn many_attempts_are_counted_and_the_first_and_the_last_kept() {
    let mut steps = Vec::new();
    for i in 0..100 {
        steps.extend([(i * 10, Do::Send), (i * 10 + 5, Do::Head(500, vec![]))]);
    }
    let m = play(&steps);
    assert_eq!(
        (m.attempts_seen, m.attempts.len()),
        (100, Measurement::ATTEMPTS)
    );
    assert_eq!(m.attempts.last().and_then(|last| last.sent), ms(990));
}

#[test]
fn what_an_ended_body_still_says_is_not_heard() {
    let mut steps = vec![(0, Do::Send)];
    steps.extend(answer(100));
    steps.push((170, Do::Eof));
    let before = play(&steps);
    steps.extend([
        (180, Do::Fail(Failure::Reset)),
        (190, read(&text("late"))),
        (200, Do::Head(500, vec![])),
        (210, Do::Abort(AbortBy::User)),
    ]);
    assert_eq!(play(&steps), before);
}
