//! What the clocks do to durations.

use std::time::Duration;

use streamlag_core::measurement::GapCause;
use streamlag_core::{ClockInfo, ClockName, Config, Flags, Measurement, Probe};

use crate::script::{Do, Heard, ms, play, probe, read, tell, text, texts, with_step};

const HOUR: i64 = 3_600_000;

fn flagged(m: &Measurement, flag: Flags) -> bool {
    m.flags.contains(flag)
}

#[test]
fn a_backward_step_makes_what_spans_it_unknown_and_nothing_else() {
    let mut probe = probe();
    let mut heard = Heard::default();
    tell(&mut probe, &texts(&[300, 340, 320, 400]), &mut heard);
    let m = probe.measurement();
    assert_eq!(m.timing.ttft, ms(300), "before the step");
    assert_eq!(
        (m.timing.total, m.timing.generation, m.timing.stream_end),
        (None, None, None)
    );
    let gaps: Vec<_> = heard.gaps.iter().map(Duration::as_millis).collect();
    assert_eq!(gaps, [40, 80]);
    assert!(flagged(&m, Flags::CLOCK_ANOMALY) && !m.gaps.trusted);
    let at: Vec<_> = m.chunks.iter().map(|chunk| chunk.at).collect();
    assert_eq!(at, [ms(300), ms(340), None, None]);
}

#[test]
fn a_step_before_the_first_text_leaves_no_ttft() {
    let m = play(&texts(&[-5000, -4960]));
    assert_eq!(
        (m.timing.ttfb, m.timing.ttft, m.timing.generation),
        (None, None, ms(40))
    );
    assert!(flagged(&m, Flags::CLOCK_ANOMALY));
}

#[test]
fn a_new_attempt_has_a_clock_that_runs() {
    let mut steps = texts(&[300, 200]);
    steps.extend([(5000, Do::Send), (5100, read(&text("a")))]);
    let m = play(&steps);
    assert_eq!(m.timing.ttft, ms(100));
    assert_eq!(m.attempts.first().and_then(|first| first.ttft), ms(300));
}

/// A stream at 300, 340 and 400 ms, with these wall readings beside its three reads.
fn beside(wall: [i64; 3]) -> Measurement {
    let mut steps = texts(&[300, 340, 400]);
    for (i, wall) in wall.into_iter().enumerate().rev() {
        let (now, _) = steps[i + 1];
        steps.insert(i + 1, (now, Do::Wall(wall)));
    }
    play(&steps)
}

#[test]
fn a_wall_clock_that_gained_hours_slept() {
    let m = beside([300, 340, 400 + 3 * HOUR]);
    assert!(flagged(&m, Flags::SUSPENDED) && !m.gaps.trusted);
    assert_eq!(m.suspended, Some(Duration::from_secs(3 * 3600)));
    assert_eq!(
        (m.timing.ttft, m.timing.tpot, m.gaps.stalls),
        (ms(300), None, 0)
    );
    assert_eq!(
        m.gaps.longest.first().map(|gap| gap.cause),
        Some(GapCause::Suspended)
    );
}

#[test]
fn a_wall_clock_set_back_leaves_durations_alone() {
    let m = beside([300, 340, 400 - HOUR]);
    assert!(flagged(&m, Flags::CLOCK_ANOMALY) && !flagged(&m, Flags::SUSPENDED));
    assert_eq!(
        (m.timing.ttft, m.timing.total, m.suspended),
        (ms(300), ms(400), None)
    );
    assert!(m.gaps.trusted, "the stream's own clock ran well");
}

#[test]
fn a_wall_clock_that_agrees_says_nothing() {
    let m = beside([1_000_300, 1_000_340, 1_001_399]);
    assert!(
        !m.flags
            .intersects(Flags::SUSPENDED.with(Flags::CLOCK_ANOMALY))
    );
    assert!(!flagged(&m, Flags::NO_WALL_CLOCK));
    assert!(flagged(&play(&texts(&[100])), Flags::NO_WALL_CLOCK));
}

#[test]
fn sleep_beside_a_clock_that_goes_on_is_no_stall() {
    let m = play(&texts(&[300, 340, 340 + 3 * HOUR]));
    assert!(flagged(&m, Flags::SUSPENDED) && !m.gaps.trusted);
    assert_eq!((m.gaps.stalls, m.gaps.provider_stalls), (0, 0));
    assert!(
        flagged(&m, Flags::CLOCK_ANOMALY),
        "or the clock leapt: nothing tells"
    );
    // Three minutes of hidden thought are a silence that happens.
    assert!(!flagged(&play(&texts(&[300, 183_000])), Flags::SUSPENDED));
}

#[test]
fn a_long_wait_between_attempts_is_no_sleep() {
    let mut steps = texts(&[300]);
    steps.extend([(HOUR, Do::Send), (HOUR + 100, read(&text("a")))]);
    assert!(!flagged(&play(&steps), Flags::SUSPENDED));
}

#[test]
fn a_start_in_calendar_time_is_reckoned_from_the_reading_beside_it() {
    let m = play(&[(1000, Do::Wall(50_000)), (1200, Do::Send)]);
    assert_eq!(m.started_at.map(|at| at.ms()), Some(50_200.0));
}

#[test]
fn a_step_that_is_large_against_the_gaps_is_told() {
    let coarse = |step: Option<u64>, times: &[i64]| {
        let mut probe = with_step(step.map(Duration::from_millis));
        tell(&mut probe, &texts(times), &mut ());
        flagged(&probe.measurement(), Flags::COARSE_CLOCK)
    };
    assert!(coarse(Some(100), &[300, 300, 300, 400, 400, 500]));
    assert!(coarse(Some(16), &[300, 400, 500]));
    assert!(coarse(Some(1), &[300, 301, 302, 303]));
    assert!(!coarse(Some(1), &[300, 340, 380]));
    // Not measured, but it stands still and then leaps.
    assert!(coarse(None, &[300, 300, 300, 400, 400, 500]));
    assert!(!coarse(None, &[300, 340, 380]));
    assert!(!coarse(None, &[300, 300, 301, 302, 303]));
}

#[test]
fn a_workers_clock_that_stands_still_gives_no_rate() {
    let mut probe = Probe::new(Config {
        dialect: Some("openai".to_owned()),
        clock: ClockInfo {
            name: ClockName::WorkerDate,
            step: Some(Duration::from_millis(1)),
        },
        ..Config::default()
    });
    let mut heard = Heard::default();
    tell(&mut probe, &texts(&[100, 100, 100, 150]), &mut heard);
    let m = probe.measurement();
    assert_eq!(heard.gaps, [Duration::from_millis(50)]);
    assert_eq!(
        (m.timing.ttft, m.timing.tpot, m.gaps.unresolved),
        (ms(100), None, 2)
    );
}
