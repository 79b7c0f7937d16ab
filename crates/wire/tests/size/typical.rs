//! What usual streams take.

use std::time::Duration;

use streamlag_wire::Vantage;

use crate::stream::{Dice, Read, Run, ms};

/// Tokens every 5 to 120 ms, sometimes two in a read, now and then a stall: a long answer as it comes.
fn read(dice: &mut Dice) -> Read {
    let stall = if dice.roll() < 0.01 {
        dice.spread(200.0, 2_000.0)
    } else {
        0.0
    };
    Read {
        after: ms(dice.spread(5.0, 120.0) + stall),
        events: 1 + usize::from(dice.roll() < 0.2),
        padding: 0,
        then: [
            ms(dice.spread(0.05, 2.0)),
            ms(dice.spread(0.1, 16.0)),
            ms(dice.spread(0.3, 12.0)),
            ms(dice.spread(0.3, 4.0)),
        ],
    }
}

#[test]
fn usual_streams_keep_every_sketch_at_full_resolution() {
    println!("vantage  reads  bytes");
    for vantage in [Vantage::Browser, Vantage::Edge, Vantage::Server] {
        for reads in [60, 300, 2_000, 20_000] {
            let mut run = Run::new(vantage);
            let mut dice = Dice(7);
            run.send(200);
            for _ in 0..reads {
                run.read(&read(&mut dice));
            }
            let (_, mut record) = run.end();
            let whole = record.clone();
            let text = record.to_json().expect("it is JSON");
            println!("{:7}  {reads:5}  {:5}", vantage.as_str(), text.len());
            assert!(
                text.len() <= streamlag_wire::fit::MAX_BYTES,
                "{}",
                text.len()
            );
            assert_eq!(record.chunks.len(), 32);
            if reads <= 2_000 {
                assert_eq!(record, whole, "nothing had to give way");
            }
        }
    }
}

#[test]
fn a_request_that_got_no_answer_is_small() {
    let (_, mut record) = {
        let mut run = Run::new(Vantage::Browser);
        run.refused(503, Duration::from_millis(3));
        run.end()
    };
    let bytes = record.to_json().expect("it is JSON").len();
    println!("refused: {bytes}");
    assert!(bytes < 2_048, "{bytes}");
}
