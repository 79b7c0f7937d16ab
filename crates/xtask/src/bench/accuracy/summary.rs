//! Many errors in a few numbers, and whether they are good enough.

use serde_json::{Value, json};
use streamlag_wire::sketch::LEAST;

/// A P99 of at most this many times the floor's is good enough.
const MOST_RATIO: f64 = 1.2;

/// Quantiles of errors, each only where there are enough of them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Summary {
    pub(super) n: usize,
    pub(super) p50: Option<f64>,
    pub(super) p95: Option<f64>,
    pub(super) p99: Option<f64>,
    /// The one that is farthest from 0, with its sign.
    pub(super) worst: Option<f64>,
}

impl Summary {
    /// Nearest rank: the smallest value that at least this share of all do not exceed.
    pub(super) fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let [p50, p95, p99] = LEAST.map(|(share, least)| {
            let enough = sorted.len() as u64 >= least;
            enough.then(|| nearest_rank(&sorted, share)).flatten()
        });
        let farthest = |a: &f64, b: &f64| a.abs().total_cmp(&b.abs());
        Self {
            n: sorted.len(),
            p50,
            p95,
            p99,
            worst: sorted.iter().copied().max_by(farthest),
        }
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        json!({ "n": self.n, "p50": self.p50, "p95": self.p95, "p99": self.p99, "worst": self.worst })
    }
}

fn nearest_rank(sorted: &[f64], share: f64) -> Option<f64> {
    let rank = (sorted.len() as f64 * share).ceil().max(1.0);
    sorted.get(rank as usize - 1).copied()
}

/// What became of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Met,
    Missed,
    /// Missed by less than what the clock can tell.
    MissedWithinStep,
    /// There are too few samples to say.
    TooFew,
}

impl Verdict {
    /// For the table.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "MISSED",
            Self::MissedWithinStep => "MISSED (< clock step)",
            Self::TooFew => "too few",
        }
    }
}

/// The two goals of one metric under one load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Judged {
    /// How far ours is above the floor at the median, ms.
    pub(super) above_ms: Option<f64>,
    pub(super) median: Verdict,
    /// Our P99 / the floor's.
    pub(super) ratio: Option<f64>,
    pub(super) tail: Verdict,
}

/// Holds ours against the floor. `most_above_ms`: what is good enough at the median.
pub(super) fn judge(ours: &Summary, floor: &Summary, most_above_ms: f64, step_ms: f64) -> Judged {
    let above_ms = ours.p50.zip(floor.p50).map(|(ours, floor)| ours - floor);
    let p99 = ours.p99.zip(floor.p99);
    let verdict = |over: Option<f64>| match over {
        None => Verdict::TooFew,
        Some(over) if over <= 0.0 => Verdict::Met,
        Some(over) if over < step_ms => Verdict::MissedWithinStep,
        Some(_) => Verdict::Missed,
    };
    Judged {
        above_ms,
        // The goal of a coarse clock is its step: there a miss is a miss.
        median: match above_ms {
            None => Verdict::TooFew,
            Some(above) if above <= most_above_ms => Verdict::Met,
            Some(_) => Verdict::Missed,
        },
        // A floor of 0 or below it has no multiple: nothing but itself is as good.
        ratio: p99
            .filter(|(_, floor)| *floor > 0.0)
            .map(|(ours, floor)| ours / floor),
        tail: verdict(
            p99.map(|(ours, floor)| ours - floor * if floor > 0.0 { MOST_RATIO } else { 1.0 }),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(p50: f64, p99: f64) -> Summary {
        Summary {
            n: 300,
            p50: Some(p50),
            p99: Some(p99),
            ..Summary::default()
        }
    }

    #[test]
    fn quantiles_are_values_that_were_seen_and_need_enough_of_them() {
        let values: Vec<f64> = (1..=300).rev().map(f64::from).collect();
        let all = Summary::of(&values);
        assert_eq!(
            (all.p50, all.p95, all.p99),
            (Some(150.0), Some(285.0), Some(297.0))
        );
        let hundred = Summary::of(&values[200..]);
        assert_eq!((hundred.p95, hundred.p99), (Some(95.0), None));
        let few = Summary::of(&values[281..]);
        assert_eq!((few.n, few.p50, few.p95), (19, None, None));
        assert_eq!(Summary::of(&[]).worst, None);
    }

    #[test]
    fn the_worst_is_the_farthest_on_either_side() {
        assert_eq!(Summary::of(&[-3.0, 0.5, 2.0]).worst, Some(-3.0));
    }

    #[test]
    fn a_goal_is_met_up_to_its_limit_and_missed_beyond() {
        let at_the_limit = judge(&summary(1.5, 2.4), &summary(1.25, 2.0), 0.25, 0.0);
        assert_eq!(
            (at_the_limit.median, at_the_limit.tail),
            (Verdict::Met, Verdict::Met)
        );
        let beyond = judge(&summary(1.6, 2.5), &summary(1.25, 2.0), 0.25, 0.0);
        assert_eq!(
            (beyond.median, beyond.tail),
            (Verdict::Missed, Verdict::Missed)
        );
        assert_eq!(beyond.ratio, Some(1.25));
    }

    #[test]
    fn below_the_floor_is_good_enough_even_where_the_floor_has_no_multiple() {
        let judged = judge(&summary(-0.5, -0.5), &summary(0.0, -0.25), 0.25, 1.0);
        assert_eq!(
            (judged.median, judged.tail, judged.ratio),
            (Verdict::Met, Verdict::Met, None)
        );
        let worse = judge(&summary(0.0, 0.5), &summary(0.0, -0.5), 0.25, 1.0);
        assert_eq!(worse.tail, Verdict::Missed);
    }

    #[test]
    fn a_miss_that_the_clock_cannot_tell_is_still_called_one() {
        let judged = judge(&summary(0.5, 1.5), &summary(0.5, 1.0), 1.0, 1.0);
        assert_eq!(judged.tail, Verdict::MissedWithinStep);
        assert!(judged.tail.word().contains("MISSED"));
    }

    #[test]
    fn too_few_samples_are_no_verdict() {
        let judged = judge(&Summary::default(), &summary(1.0, 1.0), 1.0, 1.0);
        assert_eq!(
            (judged.median, judged.tail),
            (Verdict::TooFew, Verdict::TooFew)
        );
    }
}
