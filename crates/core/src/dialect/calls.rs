//! Which piece of a tool call belongs to which call: not every server numbers its calls, and some give all
//! of them the number 0.

use super::Emitter;
use super::state::{MOST, hash};
use crate::json::Value;
use crate::words::Word;

/// Reads the calls, or pieces of calls, of one event.
pub(super) fn read(choice: u32, calls: Value<'_>, to: &mut Emitter<'_>) {
    for call in calls.items() {
        let function = call.get(Word::Function);
        let custom = call.get(Word::Custom);
        let index = to.state.calls.told(Piece {
            choice,
            index: call.get(Word::Index).count().map(|n| n as u32),
            id: call.get(Word::Id).bytes(),
            named: function.get(Word::Name).has_text() || custom.get(Word::Name).has_text(),
        });
        to.tool(
            choice,
            index,
            function.get(Word::Name),
            function.get(Word::Arguments),
        );
        to.tool(
            choice,
            index,
            custom.get(Word::Name),
            custom.get(Word::Input),
        );
    }
}

/// One piece of a call, as far as it says whose it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) choice: u32,
    /// The server's own index.
    pub(super) index: Option<u32>,
    pub(super) id: &'a [u8],
    /// It has the tool's name, so that a call may begin with it.
    pub(super) named: bool,
}

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug)]
struct Call {
    choice: u32,
    index: Option<u32>,
    id: Option<u64>,
    /// The index under which it is told.
    told: u32,
}

impl Calls {
    /// The index under which the piece's call is told.
    pub(super) fn told(&mut self, piece: Piece<'_>) -> u32 {
        let id = (!piece.id.is_empty()).then(|| hash(piece.id));
        let mut known = self.0.iter().rev().filter(|c| c.choice == piece.choice);
        let same = match (piece.index, id) {
            // A name under another id begins another call, whatever its number.
            (Some(index), _) => known
                .find(|call| call.index == Some(index))
                .filter(|call| !piece.named || id.is_none() || call.id.is_none() || id == call.id),
            (None, Some(id)) => known.find(|call| call.id == Some(id)),
            (None, None) => known.next().filter(|_| !piece.named),
        };
        if let Some(call) = same {
            return call.told;
        }
        let told = self.free(piece);
        if self.0.len() < MOST {
            self.0.push(Call {
                choice: piece.choice,
                index: piece.index,
                id,
                told,
            });
        }
        told
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The server's own index unless another call has it, else the next one.
    fn free(&self, piece: Piece<'_>) -> u32 {
        let taken = self.0.iter().filter(|call| call.choice == piece.choice);
        let next = taken.clone().map(|call| call.told.saturating_add(1)).max();
        piece
            .index
            .filter(|index| taken.clone().all(|call| call.told != *index))
            .or(next)
            .unwrap_or_default()
    }
}
