//! What a probe has seen → its [`Measurement`].

use crate::failure;
use crate::flags::batching::Period;
use crate::flags::{Flags, buffering, coarse, throttle};
use crate::measurement::{Counts, ErrorClass, Http, Measurement, Timing, Tokens};
use crate::probe::Probe;
use crate::watch::Reading;

/// The measurement of what `probe` has seen so far.
pub(crate) fn of(probe: &Probe) -> Measurement {
    let attempt = &probe.attempt;
    let answer = &attempt.answer;
    let verdict = attempt.verdict();
    let tokens = answer.usage.tokens(answer.seen());
    let flags = flags(probe);
    let unread = Flags::SUSPENDED.with(Flags::READER_THROTTLED);
    let trusted =
        !flags.intersects(unread) && !probe.watch.ran_backwards() && !probe.excuses.was_frozen();
    let reader = attempt.reader.as_ref();
    Measurement {
        clock: probe.config.clock,
        started_at: probe
            .first_send
            .and_then(|send| probe.watch.wall_at(send.at)),
        outcome: verdict.outcome,
        complete: verdict.complete,
        error: verdict.error,
        timeout_phase: verdict.timeout_phase,
        error_count: answer
            .errors
            .count()
            .max(u32::from(verdict.error.is_some())),
        http: http(probe, verdict.error),
        framing: reader.and_then(|reader| reader.framing()),
        dialect: reader.and_then(|reader| reader.dialect()),
        timing: timing(probe, &tokens, flags),
        gaps: attempt.gaps.measured(period(probe), trusted),
        parse: attempt.parse.clone(),
        parse_total: attempt.parse.as_ref().and_then(|parse| parse.sum()),
        render: attempt.screen.measured(attempt.segments.send),
        tokens,
        counts: Counts {
            generated: attempt.gaps.arrivals(),
            ..answer.counts
        },
        chunks: attempt.chunks.clone(),
        attempts: attempts(probe),
        attempts_seen: probe.attempts_seen,
        finish: answer.finish.clone(),
        end: answer.marker.clone(),
        flags,
        suspended: probe.watch.suspended,
        server_reported: answer.server_reported.clone(),
        own_cost: probe.own_cost,
    }
}

fn http(probe: &Probe, error: Option<ErrorClass>) -> Http {
    let answered = &probe.attempt.answered;
    let headers_at = probe.attempt.headers_at();
    let wall = headers_at.and_then(|headers| probe.watch.wall_at(headers.at));
    let now_s = wall.map(|wall| wall.ns().div_euclid(1_000_000_000));
    let status = answered.http.status;
    Http {
        retry_after: answered.retry_after_at(now_s),
        retryable: error.map(|class| failure::is_retryable(class, status)),
        ..answered.http.clone()
    }
}

fn timing(probe: &Probe, tokens: &Tokens, flags: Flags) -> Timing {
    let segments = &probe.attempt.segments;
    let since_first_send = |reading: Reading| reading.since(probe.first_send?);
    // An intent after the sending is not what led to it.
    let led_to_it = |intent: &Reading| {
        let send = probe.first_send;
        send.is_some_and(|send| send.since_or_zero(*intent).is_some())
    };
    let intent = probe.intent.filter(led_to_it);
    let censored = probe.attempt.verdict().censored && !probe.attempt.answer.seen().generated;
    // Over a sleep, a restart or a held-back body the count and the window are not of the same text.
    let unmeasurable = flags.intersects(
        Flags::SUSPENDED
            .with(Flags::RESTARTED)
            .with(Flags::BUFFERED_SUSPECTED),
    );
    let rate_of = |count: Option<u64>| count.filter(|_| !unmeasurable);
    let all = if tokens.hidden_reasoning {
        tokens.answer
    } else {
        tokens.output
    };
    Timing {
        wait: intent.and_then(|intent| probe.first_send?.since(intent)),
        user_total: intent.and_then(|intent| segments.user_total(intent)),
        user_ttft: probe.first_text.and_then(since_first_send),
        ttft_at_least: censored.then(|| segments.end()).flatten(),
        tpot: rate_of(all).and_then(|tokens| segments.per_token(tokens)),
        answer_tpot: rate_of(tokens.answer).and_then(|tokens| segments.per_output_token(tokens)),
        ..segments.timing()
    }
}

fn attempts(probe: &Probe) -> Vec<crate::measurement::Attempt> {
    let mut attempts = probe.earlier.clone();
    if probe.attempts_seen > 0 {
        attempts.push(probe.attempt.summary(probe.first_send));
    }
    attempts
}

fn flags(probe: &Probe) -> Flags {
    let attempt = &probe.attempt;
    let answer = &attempt.answer;
    let arrivals = arrivals(probe);
    let mut flags = probe
        .watch
        .flags
        .with(answer.flags)
        .with(answer.usage.flags(answer.seen()));
    let verdict = attempt.verdict();
    let no_answer = answer.counts.content == 0 && answer.counts.tool == 0;
    for (flag, holds) in [
        (Flags::BUFFERED_SUSPECTED, buffering::buffered(arrivals)),
        (Flags::SINGLE_BURST, buffering::single_burst(arrivals)),
        (Flags::CLOCK_ANOMALY, probe.watch.may_have_leapt()),
        (Flags::COARSE_CLOCK, coarse::coarse(steps(probe))),
        (Flags::NO_WALL_CLOCK, !probe.watch.sees_sleep()),
        (Flags::HIDDEN, probe.excuses.was_hidden()),
        (
            Flags::READER_THROTTLED,
            throttle::throttled(&attempt.blocks),
        ),
        (Flags::READER_LATE, attempt.late.flagged()),
        (Flags::UNRECOGNISED_FORMAT, answer.is_unrecognised()),
        (Flags::EMPTY_ANSWER, verdict.complete && no_answer),
    ] {
        if holds {
            flags.insert(flag);
        }
    }
    if period(probe).is_some() {
        flags.insert(Flags::PERIODIC_BATCHING);
    }
    flags
}

fn period(probe: &Probe) -> Option<Period> {
    let choices = probe.attempt.answer.counts.choices;
    let step = probe.config.clock.step;
    probe.attempt.blocks.gateway_period(choices, step)
}

fn arrivals(probe: &Probe) -> buffering::Arrivals {
    let segments = &probe.attempt.segments;
    let timing = segments.timing();
    buffering::Arrivals {
        events: probe.attempt.gaps.arrivals(),
        window: segments.window(),
        body: segments.body(),
        ttfb: timing.ttfb,
        ttft: timing.ttft,
    }
}

fn steps(probe: &Probe) -> coarse::Steps {
    let attempt = &probe.attempt;
    coarse::Steps {
        step: probe.config.clock.step,
        median: attempt.gaps.median(),
        shortest: attempt.gaps.shortest(),
        reads: attempt.answer.counts.reads,
        equal: attempt.equal_reads,
    }
}
