//! The three places in which both are measured.

use anyhow::{Context, Result};
use harness::mock;

use super::cell::{CELLS, Cell};
use super::errors::{Errors, Seen};

/// A place where streamlag and a bare loop can ask the same server.
pub(super) trait Vantage {
    /// What the table calls it.
    fn name(&self) -> &'static str;

    /// What is done in it, in a sentence.
    fn about(&self) -> &'static str;

    /// How far above the floor is good enough at the median, ms.
    fn goal_ms(&self) -> f64;

    /// Most streams of a cell that can be measured; the others only run beside them.
    fn most_measured(&self) -> usize;

    /// As many streams at once as the cell says, measured as a user has it.
    async fn ours(&mut self, cell: &Cell) -> Result<Vec<Seen>>;

    /// The same with a bare loop.
    async fn floor(&mut self, cell: &Cell) -> Result<Vec<Seen>>;
}

/// Both under one load.
#[derive(Debug, Clone)]
pub(super) struct Both {
    pub(super) cell: Cell,
    pub(super) ours: Errors,
    pub(super) floor: Errors,
    /// The coarsest clock that measured, ms.
    pub(super) step_ms: f64,
}

/// All loads in turn, round by round; whether ours or the floor comes first changes each time. The first round
/// opens connections and warms up, and does not count.
///
/// # Errors
/// When a stream was not measured.
pub(super) async fn measure(place: &mut impl Vantage, rounds: usize) -> Result<Vec<Both>> {
    let mut all = CELLS.map(|cell| Both {
        cell,
        ours: Errors::default(),
        floor: Errors::default(),
        step_ms: 0.0,
    });
    for cell in &CELLS {
        place.ours(cell).await?;
        place.floor(cell).await?;
    }
    let most = place.most_measured();
    let mut turns = [0_usize; CELLS.len()];
    for round in 0..rounds {
        if round % 10 == 0 {
            eprintln!("  {}: round {} of {rounds}", place.name(), round + 1);
        }
        for (both, turn) in all.iter_mut().zip(&mut turns) {
            let measured = both.cell.streams.min(most);
            if both.cell.is_due(measured, rounds, round) {
                both.turn(place, *turn % 2 == 0).await?;
                *turn += 1;
            }
        }
    }
    Ok(all.to_vec())
}

impl Both {
    async fn turn(&mut self, place: &mut impl Vantage, ours_first: bool) -> Result<()> {
        for is_ours in [ours_first, !ours_first] {
            tokio::time::sleep(self.cell.pause).await;
            let seen = match is_ours {
                true => place.ours(&self.cell).await?,
                false => place.floor(&self.cell).await?,
            };
            let errors = match is_ours {
                true => &mut self.ours,
                false => &mut self.floor,
            };
            for seen in &seen {
                let truth = mock::truth(&seen.server, &seen.id).await;
                let truth = truth.context("the server must know what it was asked")?;
                errors.add(seen, &truth)?;
                self.step_ms = self.step_ms.max(seen.step_ms.unwrap_or_default());
            }
        }
        Ok(())
    }
}
