//! Everything at once: more than any one stream can show.

use std::time::Duration;

use streamlag_core::measurement::{
    Attempt, Chunk, Counts, Gap, GapCause, Gaps, Http, Render, Timing, Tokens,
};
use streamlag_core::{ErrorClass, Flags, Measurement, Outcome, Sketch, TimeoutPhase};
use streamlag_wire::{Record, Vantage, fit};

use crate::stream::{Dice, HEADERS, context, ms};

/// As many bins as there can be, spread over nine decades, with `samples` in each.
fn full(dice: &mut Dice, samples: u32) -> Sketch {
    let mut sketch = Sketch::default();
    for _ in 0..4_000 {
        sketch.add(ms(dice.spread(0.001, 1e6)));
    }
    let once = sketch.clone();
    for _ in 0..samples.ilog2() {
        let twice = sketch.clone();
        sketch.merge(&twice);
    }
    sketch.merge(&once);
    sketch
}

fn flags() -> Flags {
    Flags::ALL
        .iter()
        .fold(Flags::default(), |all, (flag, _)| all.with(*flag))
}

/// Every field there, durations up to `longest_ms`, counts of up to `most`.
fn everything(longest_ms: f64, most: u32) -> Measurement {
    let mut dice = Dice(3);
    let long = ms(longest_ms);
    let d = Some(long);
    let timing = Timing {
        wait: d,
        headers: d,
        ttfb: d,
        ttft: d,
        ttft_at_least: None,
        ttfo: d,
        first_answer: d,
        first_visible: d,
        generation: d,
        total: d,
        stream_end: d,
        tail_wait: d,
        user_total: d,
        user_ttft: d,
        tpot: d,
        answer_tpot: d,
    };
    let counts = Counts {
        reads: most,
        bytes: most.into(),
        events: most,
        comments: most,
        generated: most,
        content: most,
        reasoning: most,
        tool: most,
        invalid: most,
        unknown: most,
        answer_chars: most.into(),
        reasoning_chars: most.into(),
        choices: most,
        tool_calls: most,
    };
    let causes = [
        GapCause::Upstream,
        GapCause::GatewayBatching,
        GapCause::MainThread,
        GapCause::Hidden,
        GapCause::Suspended,
    ];
    let gap = |i: usize| Gap {
        at: long,
        length: long,
        read: most,
        event: most,
        cause: causes
            .get(i % causes.len())
            .copied()
            .unwrap_or(GapCause::Upstream),
    };
    let sketch = |dice: &mut Dice| full(dice, (most / 1_000).min(1_000));
    let gaps = Gaps {
        sketch: sketch(&mut dice),
        longest: (0..Measurement::LONGEST).map(gap).collect(),
        choppy: most,
        stalls: most,
        stall_total: long,
        hidden_stalls: most,
        provider_stalls: most,
        trusted: true,
        unresolved: most,
    };
    let render = Render {
        holdback: sketch(&mut dice),
        lag_earliest: sketch(&mut dice),
        lag_latest: sketch(&mut dice),
        first_paint: d,
        frames: most,
        censored: most,
        not_shown: most,
    };
    let mut at = Duration::ZERO;
    let chunks = (0..Measurement::CHUNKS).map(|_| {
        at += ms(dice.spread(0.001, longest_ms));
        Chunk {
            at: Some(at),
            bytes: dice.spread(1.0, most.into()) as u32,
            events: dice.spread(1.0, 60_000.0) as u16,
            generated: true,
        }
    });
    let chunks = chunks.collect();
    let classes = [
        ErrorClass::RateLimited,
        ErrorClass::Overloaded,
        ErrorClass::Server,
    ];
    let attempt = |i: usize| Attempt {
        sent: d,
        ttft: d,
        end: d,
        status: Some(429),
        error: classes.get(i % 3).copied(),
    };
    Measurement {
        started_at: Some(streamlag_core::Stamp::from_ns(1_793_000_000_000_000_000)),
        outcome: Outcome::Timeout,
        complete: true,
        error: Some(ErrorClass::ContentFilter),
        timeout_phase: Some(TimeoutPhase::BetweenChunks),
        http: http(),
        framing: Some("aws_eventstream"),
        dialect: Some("anthropic"),
        timing,
        gaps,
        parse: Some(sketch(&mut dice)),
        parse_total: d,
        render: Some(render),
        tokens: Tokens {
            usage: Some(streamlag_core::delta::Usage {
                input: Some(most.into()),
                output: Some(most.into()),
                reasoning: Some(most.into()),
                cached: Some(most.into()),
                ..Default::default()
            }),
            output: Some(most.into()),
            answer: Some(most.into()),
            usage_is_final: true,
            hidden_reasoning: true,
            ..Tokens::default()
        },
        counts,
        chunks,
        attempts: (0..Measurement::ATTEMPTS).map(attempt).collect(),
        attempts_seen: most,
        finish: Some("content_filter".into()),
        end: Some("message_stop".into()),
        flags: flags(),
        suspended: d,
        server_reported: vec![
            ("load_duration", 12.345),
            ("prompt_eval_duration", 123.456),
            ("eval_duration", 1234.567),
        ],
        own_cost: d,
        ..Measurement::default()
    }
}

fn http() -> Http {
    let limits = HEADERS
        .iter()
        .filter(|(name, _)| name.contains("ratelimit"));
    Http {
        status: Some(200),
        retry_after: Some(Duration::from_secs(20)),
        retry_after_known: true,
        retryable: Some(true),
        request_id: Some("req_011CSHoEeqs5C35K2UUqR7Fy".into()),
        relay_id: Some("0123456789abcdef0123456789abcdef".into()),
        rate_limits: limits
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect(),
        server_timing: vec![("upstream".into(), Some(12.345)), ("cache".into(), None)],
    }
}

/// Two sizes of numbers: a long stream's, and such as no stream has.
#[test]
fn everything_at_once_fits_and_reads_and_gaps_stay_whole() {
    for (longest_ms, most) in [(99_999.999, 99_999), (9_999_999.999, 9_999_999)] {
        let (before, record, bytes) = fitted(longest_ms, most);
        let errors = record
            .sketches
            .gaps
            .as_ref()
            .map(|gaps| gaps.relative_error);
        println!(
            "everything up to {longest_ms} ms and {most}: {bytes} bytes, {} of {} attempts, gaps within {errors:?}",
            record.attempts.len(),
            before.attempts.len(),
        );
        assert!(bytes <= fit::MAX_BYTES, "{bytes} bytes");
        assert_eq!(record.chunks, before.chunks);
        assert_eq!(record.gaps, before.gaps);
        assert_eq!(record.attempts.first(), before.attempts.first());
        assert_eq!(record.attempts.last(), before.attempts.last());
        let said = before.http.rate_limits.len()
            + before.http.server_timing.len()
            + before.server_reported.len();
        let kept = record.http.rate_limits.len()
            + record.http.server_timing.len()
            + record.server_reported.len();
        assert_eq!(
            record.http.left_out as usize,
            said - kept,
            "what is left out is counted"
        );
        assert_eq!(
            (
                &record.timing,
                &record.counts,
                &record.flags,
                &record.tokens,
                &record.render
            ),
            (
                &before.timing,
                &before.counts,
                &before.flags,
                &before.tokens,
                &before.render
            )
        );
    }
}

#[test]
fn a_record_with_every_number_at_its_limit_fits() {
    let (before, record, bytes) = fitted(1e9, u32::MAX);
    assert!(bytes <= fit::MAX_BYTES, "{bytes} bytes");
    assert_eq!(record.gaps, before.gaps);
    assert!(record.chunks.len() >= 24, "{}", record.chunks.len());
}

#[test]
fn texts_from_outside_are_bounded_too() {
    let mut m = everything(9_999_999.999, 9_999_999);
    // Controls take six bytes each in JSON.
    m.finish = Some("\u{1}".repeat(32));
    m.end.clone_from(&m.finish);
    let long = |i: usize, of: &str| format!("{i:02}{}", of.repeat(62));
    m.http.rate_limits = (0..16).map(|i| (long(i, "r"), long(i, "\""))).collect();
    m.http.server_timing = (0..16)
        .map(|i| (long(i, "t"), Some(1_234_567.891)))
        .collect();
    m.http.request_id = Some("\"".repeat(64));
    m.http.relay_id = Some("i".repeat(64));
    let mut context = context(Vantage::Edge);
    let text = "x".repeat(1_000);
    for place in [
        &mut context.region,
        &mut context.colo,
        &mut context.app,
        &mut context.release,
        &mut context.prompt_id,
        &mut context.target.side,
        &mut context.target.base_url,
        &mut context.target.model,
        &mut context.target.key_alias,
    ] {
        *place = Some(text.clone());
    }
    context.target.id.clone_from(&text);
    let mut record = Record::new(&m, context);
    let text = record.to_json().expect("it is JSON");
    println!("every text at its limit: {} bytes", text.len());
    assert!(
        text.len() <= fit::MAX_BYTES_OF_LONG_TEXTS,
        "{} bytes",
        text.len()
    );
    let read =
        streamlag_wire::validate::record(serde_json::from_str(&text).expect("it is JSON"), 1e13);
    let read = read.expect("the collector takes it");
    assert_eq!(
        (&read.chunks, &read.gaps, &read.http),
        (&record.chunks, &record.gaps, &record.http)
    );
}

fn fitted(longest_ms: f64, most: u32) -> (Record, Record, usize) {
    let m = everything(longest_ms, most);
    let before = Record::new(&m, context(Vantage::Browser));
    let mut record = before.clone();
    let text = record.to_json().expect("it is JSON");
    (before, record, text.len())
}
