//! The quantile sketch keeps its promises: its error, its size, its merges.

use std::time::Duration;

use proptest::prelude::*;
use streamlag_core::Sketch;

fn sketch(ns: &[u64]) -> Sketch {
    let mut sketch = Sketch::default();
    for ns in ns {
        sketch.add(Duration::from_nanos(*ns));
    }
    sketch
}

fn union(a: &Sketch, b: &Sketch) -> Sketch {
    let mut union = a.clone();
    union.merge(b);
    union
}

/// Anything from nothing to centuries, most of it in the range of a stream.
fn durations() -> impl Strategy<Value = Vec<u64>> {
    let ns = prop_oneof![
        6 => (1u64..3000, 0u32..7).prop_map(|(ns, zeros)| ns * 10u64.pow(zeros)),
        1 => any::<u64>(),
        1 => Just(0),
    ];
    proptest::collection::vec(ns, 0..400)
}

proptest! {
    #[test]
    fn a_merge_is_the_sketch_of_the_union(a in durations(), b in durations(), c in durations()) {
        let all = [a.clone(), b.clone(), c.clone()].concat();
        let (a, b, c) = (sketch(&a), sketch(&b), sketch(&c));
        prop_assert_eq!(union(&union(&a, &b), &c), sketch(&all));
        prop_assert_eq!(union(&c, &union(&b, &a)), sketch(&all));
    }

    #[test]
    fn every_quantile_lies_within_the_stated_error(mut ns in durations(), q in 0.0..=1.0f64) {
        let sketch = sketch(&ns);
        prop_assert!(sketch.bins().len() <= Sketch::MAX_BINS);
        ns.sort_unstable();
        let rank = ((q * ns.len() as f64).ceil() as usize).max(1) - 1;
        match (ns.get(rank), sketch.quantile(q)) {
            (None | Some(0), estimate) => prop_assert_eq!(estimate, None),
            (Some(_), None) => prop_assert!(false, "a resolved sample has an estimate"),
            (Some(exact), Some(estimate)) => {
                let off = (estimate.as_nanos() as f64 - *exact as f64).abs();
                // An estimate is a whole number of nanoseconds.
                let bound = sketch.relative_error() * *exact as f64 * (1.0 + 1e-12) + 1.0;
                prop_assert!(off <= bound, "{} {:?}", exact, estimate);
            }
        }
    }

    #[test]
    fn sum_and_extremes_are_exact(ns in durations()) {
        let sketch = sketch(&ns);
        let lengths = || ns.iter().copied().filter(|ns| *ns > 0);
        prop_assert_eq!(sketch.count(), ns.len() as u64);
        prop_assert_eq!(sketch.unresolved(), (ns.len() - lengths().count()) as u64);
        prop_assert_eq!(sketch.min(), lengths().min().map(Duration::from_nanos));
        prop_assert_eq!(sketch.max(), lengths().max().map(Duration::from_nanos));
        let sum: u128 = lengths().map(u128::from).sum();
        let sum = u64::try_from(sum).unwrap_or(u64::MAX);
        prop_assert_eq!(sketch.sum(), (sum > 0).then(|| Duration::from_nanos(sum)));
    }
}

#[test]
fn the_error_follows_from_how_often_bins_were_joined() {
    let fine = sketch(&[1_000_000, 1_500_000]);
    assert_eq!(fine.level(), 0);
    assert!((fine.relative_error() - 0.0099).abs() < 1e-4);
    // Gaps of a stream from 1 ms to 3 s: joined twice, 4 %.
    let wide = sketch(&(1..3000).map(|ms| ms * 1_000_000).collect::<Vec<_>>());
    assert_eq!(wide.level(), 2);
    assert!((wide.relative_error() - 0.0396).abs() < 1e-4);
    let gamma = (1.0 + fine.relative_error()) / (1.0 - fine.relative_error());
    assert!((gamma - Sketch::GAMMA).abs() < 1e-9);
}

#[test]
fn ranks_that_do_not_exist_have_no_value() {
    let sketch = sketch(&[5]);
    for q in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        assert_eq!(sketch.quantile(q), None);
    }
    assert_eq!(Sketch::default().quantile(0.5), None);
    assert_eq!(sketch.quantile(0.0), Some(Duration::from_nanos(5)));
}
