//! Streams that nobody expects, through a real probe.

use proptest::prelude::*;
use streamlag_core::{ErrorClass, Flags, Measurement, Outcome, Sketch, TimeoutPhase};
use streamlag_wire::record::Record;
use streamlag_wire::{Vantage, fit, validate};

use crate::stream::{Dice, Read, Run, context, ms};

/// What a stream may be like: times over nine decades, from a microsecond to a quarter of an hour.
#[derive(Debug, Clone)]
struct Shape {
    vantage: Vantage,
    seed: u64,
    reads: usize,
    refusals: u64,
    gap_ms: (f64, f64),
    draw_ms: (f64, f64),
    events: f64,
    padding: f64,
}

fn shapes() -> impl Strategy<Value = Shape> {
    let vantage = prop_oneof![
        3 => Just(Vantage::Browser),
        1 => Just(Vantage::Edge),
        1 => Just(Vantage::Server),
    ];
    let range = || {
        (0.0..=1.0f64, 0.0..=1.0f64).prop_map(|(a, b)| {
            let at = |share: f64| 1e-3 * 1e9f64.powf(share);
            (at(a.min(b)), at(a.max(b)))
        })
    };
    let reads = prop_oneof![0usize..40, 40usize..2_500];
    (
        vantage,
        any::<u64>(),
        reads,
        0u64..30,
        range(),
        range(),
        1.0..40.0f64,
        1.0..40_000.0f64,
    )
        .prop_map(
            |(vantage, seed, reads, refusals, gap_ms, draw_ms, events, padding)| Shape {
                vantage,
                seed,
                reads,
                refusals,
                gap_ms,
                draw_ms,
                events,
                padding,
            },
        )
}

fn measured(shape: &Shape) -> (Measurement, Record) {
    let mut run = Run::new(shape.vantage);
    let mut dice = Dice(shape.seed);
    let statuses = [429, 503, 500, 529, 408];
    for refusal in 0..shape.refusals {
        let status = statuses[(refusal * (1 + shape.seed % 3)) as usize % statuses.len()];
        run.refused(status, ms(dice.spread(0.001, 900_000.0)));
    }
    run.send(200);
    for _ in 0..shape.reads {
        let (low, high) = shape.draw_ms;
        let then = [(); 4].map(|()| ms(dice.spread(low, high)));
        run.read(&Read {
            after: ms(dice.spread(shape.gap_ms.0, shape.gap_ms.1)),
            events: dice.spread(1.0, shape.events) as usize,
            padding: dice.spread(1.0, shape.padding) as usize - 1,
            then,
        });
    }
    run.end()
}

/// The sketch in the record is that of the measurement, only coarser.
fn holds(fine: &Sketch, sent: Option<&streamlag_wire::SketchJson>) {
    let coarse = sent
        .expect("it is there")
        .to_sketch()
        .expect("it is a sketch");
    // Seldom once, and never more than twice: half the bins each time.
    assert!(
        coarse.level() <= fine.level() + 2,
        "{} {}",
        coarse.level(),
        fine.level()
    );
    let mut fine = fine.clone();
    while fine.level() < coarse.level() {
        assert!(fine.coarsen());
    }
    assert_eq!(coarse, fine);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_stream_gives_a_record_that_fits_and_loses_nothing_but_resolution(shape in shapes()) {
        let (m, mut record) = measured(&shape);
        let whole = record.clone();

        let text = record.to_json().expect("it is JSON");
        prop_assert!(text.len() <= fit::MAX_BYTES, "{} bytes", text.len());
        let read = validate::record(serde_json::from_str(&text).expect("it is JSON"), 1e13).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(&read, &record);
        // All but the resolution of the sketches is as it was.
        let mut rest = read;
        rest.sketches = whole.sketches.clone();
        prop_assert_eq!(rest, whole);
        holds(&m.gaps.sketch, record.sketches.gaps.as_ref());
        if let Some(parse) = &m.parse {
            holds(parse, record.sketches.parse.as_ref());
        }
        if let Some(render) = &m.render {
            holds(&render.holdback, record.sketches.holdback.as_ref());
            holds(&render.lag_earliest, record.sketches.lag_earliest.as_ref());
            holds(&render.lag_latest, record.sketches.lag_latest.as_ref());
        }
    }
}

/// Every flag, but for those that say that no text, one text or no known text came.
fn flags_of_a_long_stream() -> Flags {
    let short = [
        Flags::SINGLE_BURST,
        Flags::NOT_STREAMED,
        Flags::UNRECOGNISED_FORMAT,
        Flags::EMPTY_ANSWER,
    ];
    let long = Flags::ALL.iter().filter(|(flag, _)| !short.contains(flag));
    long.fold(Flags::default(), |all, (flag, _)| all.with(*flag))
}

/// Through the probe goes the worst stream; then what else may befall it is added.
#[test]
fn the_worst_stream_keeps_all_attempts_reads_and_gaps() {
    for seed in 0..8 {
        let (mut m, _) = measured(&Shape {
            vantage: Vantage::Browser,
            seed,
            reads: 2_500,
            refusals: 30,
            gap_ms: (1e-3, 1e6),
            draw_ms: (1e-3, 1e6),
            events: 40.0,
            padding: 40_000.0,
        });
        m.flags = flags_of_a_long_stream();
        m.complete = false;
        m.outcome = Outcome::Timeout;
        m.error = Some(ErrorClass::Timeout);
        m.timeout_phase = Some(TimeoutPhase::BetweenChunks);
        m.suspended = m.timing.total;
        let mut record = Record::new(&m, context(Vantage::Browser));
        let whole = record.clone();
        let bytes = record.to_json().expect("it is JSON").len();
        let within = |record: &Record| {
            let gaps = record.sketches.gaps.as_ref();
            gaps.map_or(1.0, |gaps| gaps.relative_error)
        };
        println!(
            "the worst stream: {bytes} bytes, gaps within {} instead of {}, {} entries left out",
            within(&record),
            within(&whole),
            record.http.left_out
        );
        assert!(within(&record) < 0.32, "{}", within(&record));
        assert!(bytes <= fit::MAX_BYTES, "{bytes}");
        assert_eq!(
            (
                whole.attempts.len(),
                whole.chunks.len(),
                whole.gaps.longest.len()
            ),
            (16, 32, 8)
        );
        assert_eq!(
            (&record.attempts, &record.chunks, &record.gaps),
            (&whole.attempts, &whole.chunks, &whole.gaps)
        );
    }
}
