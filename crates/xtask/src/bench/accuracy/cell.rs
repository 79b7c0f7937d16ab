//! How many streams at once, and how often each number of them is tried.

use std::time::Duration;

/// One load under which both are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    /// What the table calls it.
    pub(super) name: &'static str,
    /// Streams at once.
    pub(super) streams: usize,
    /// Silence before it.
    pub(super) pause: Duration,
    /// The target that is asked.
    pub(super) target: &'static str,
}

/// Long enough for processors and timers to have gone to sleep.
const IDLE: Duration = Duration::from_millis(200);

/// In the order in which a round has them.
pub(super) const CELLS: [Cell; 4] = [
    cell("idle", 1, IDLE, "alone"),
    cell("1", 1, Duration::ZERO, "alone"),
    cell("10", 10, Duration::ZERO, "many"),
    cell("50", 50, Duration::ZERO, "many"),
];

/// Each round of many streams gives many samples: fewer rounds are enough for as many.
const SAMPLES_A_ROUND: usize = 3;

const fn cell(name: &'static str, streams: usize, pause: Duration, target: &'static str) -> Cell {
    Cell {
        name,
        streams,
        pause,
        target,
    }
}

impl Cell {
    /// How many of `rounds` have this cell, where so many of its streams are measured.
    pub(super) fn turns(&self, measured: usize, rounds: usize) -> usize {
        if self.streams == 1 {
            return rounds;
        }
        let wanted = (rounds * SAMPLES_A_ROUND).div_ceil(measured.max(1));
        wanted.clamp(rounds.min(2), rounds)
    }

    /// Whether this round has it: its turns are spread evenly, so that a busy minute hits all cells alike.
    pub(super) fn is_due(&self, measured: usize, rounds: usize, round: usize) -> bool {
        let turns = self.turns(measured, rounds);
        (round + 1) * turns / rounds > round * turns / rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_rounds_give_each_load_of_many_streams_three_hundred_samples() {
        for cell in CELLS.iter().filter(|cell| cell.streams > 1) {
            for most in [11, 50] {
                let measured = cell.streams.min(most);
                let due = (0..100).filter(|round| cell.is_due(measured, 100, *round));
                let turns = due.count();
                assert_eq!(turns, cell.turns(measured, 100));
                assert!(turns * measured >= 300, "{} of {most}: {turns}", cell.name);
            }
        }
    }

    #[test]
    fn every_cell_has_its_turn_however_few_the_rounds_are() {
        for (cell, rounds) in CELLS.iter().flat_map(|cell| [1, 2, 20].map(|n| (cell, n))) {
            let due = (0..rounds).filter(|round| cell.is_due(cell.streams, rounds, *round));
            assert!(due.count() >= rounds.min(2), "{} in {rounds}", cell.name);
        }
    }
}
