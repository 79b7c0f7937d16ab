//! What dialects remember from event to event: marks, counts and hashes, never text.

use super::calls::Calls;
use super::parts::Parts;

/// Most tool calls, parts and cut characters that are told apart; a server that sends more gets its own
/// mixed up, and no memory.
pub(super) const MOST: usize = 256;

/// The memory of one stream.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(super) said: Said,
    /// What was said came as messages instead of deltas: the next one has all of it and more.
    pub(super) by_messages: bool,
    /// A message has begun and not ended: another beginning is a restart.
    pub(crate) in_message: bool,
    /// An error was reported: another event about it reports the same one.
    pub(crate) has_failed: bool,
    /// Tool calls that came whole, so far.
    pub(super) whole_calls: u32,
    pub(super) snapshot: Snapshot,
    pub(super) halves: Halves,
    pub(super) calls: Calls,
    pub(super) parts: Parts,
    /// For text that has to be decoded; empty between events but for its capacity.
    pub(super) scratch: String,
    /// Tool calls that only their ids tell apart: the hash, and whether input was seen.
    by_id: Vec<(u64, bool)>,
}

/// What was said so far: a later repeat of the whole is not new.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Said {
    pub(super) text: bool,
    pub(super) reasoning: bool,
    pub(super) refusal: bool,
    pub(super) arguments: bool,
}

impl Said {
    pub(super) fn anything(self) -> bool {
        self.text || self.reasoning || self.refusal || self.arguments
    }

    pub(super) fn note(&mut self, channel: Channel) {
        *match channel {
            Channel::Content => &mut self.text,
            Channel::Reasoning => &mut self.reasoning,
            Channel::Refusal => &mut self.refusal,
            Channel::Tool(_) => &mut self.arguments,
        } = true;
    }
}

impl State {
    /// The answer starts over.
    pub(super) fn restart(&mut self) {
        self.said = Said::default();
        self.by_messages = false;
        self.whole_calls = 0;
        self.halves.clear();
        self.calls.clear();
        self.parts.clear();
    }

    /// The index of the call of that id, and whether it had input before.
    pub(crate) fn call(&mut self, id: &[u8], has_input: bool) -> (u32, bool) {
        let id = hash(id);
        let known = self.by_id.iter().position(|(known, _)| *known == id);
        let at = known.unwrap_or(self.by_id.len()).min(MOST - 1);
        if at == self.by_id.len() {
            self.by_id.push((id, false));
        }
        let mut had_input = false;
        if let Some((_, input)) = self.by_id.get_mut(at) {
            had_input = *input;
            *input |= has_input;
        }
        (at as u32, had_input)
    }
}

/// Which text a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Content,
    Reasoning,
    Refusal,
    /// The arguments of the call with that index.
    Tool(u32),
}

/// First halves of surrogate pairs, by the choice and channel whose text ended in them.
#[derive(Debug, Default)]
pub(super) struct Halves(Vec<(u32, Channel, u16)>);

impl Halves {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn take(&mut self, choice: u32, channel: Channel) -> Option<u16> {
        let of_that_text = |half: &(u32, Channel, u16)| (half.0, half.1) == (choice, channel);
        let at = self.0.iter().position(of_that_text)?;
        Some(self.0.swap_remove(at).2)
    }

    pub(super) fn put(&mut self, choice: u32, channel: Channel, half: Option<u16>) {
        if let Some(unit) = half
            && self.0.len() < MOST
        {
            self.0.push((choice, channel, unit));
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes the next one out, whosever it is.
    pub(super) fn pop(&mut self) -> Option<(u32, Channel)> {
        if self.0.is_empty() {
            return None;
        }
        let (choice, channel, _) = self.0.remove(0);
        Some((choice, channel))
    }
}

/// What was told of a message that comes as snapshots of all it says so far.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    id: u64,
    length: usize,
    hash: u64,
}

/// What a snapshot brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum News {
    /// Another message.
    Message,
    /// More of the same message: all behind this many bytes.
    More(usize),
    /// The same message says something else now.
    Other,
}

impl Snapshot {
    pub(super) fn take(&mut self, id: &[u8], text: &str) -> News {
        let id = hash(id);
        let told = text.as_bytes().get(..self.length);
        let news = if self.id != id {
            News::Message
        } else if told.is_some_and(|told| hash(told) == self.hash) {
            News::More(self.length)
        } else {
            News::Other
        };
        *self = Self {
            id,
            length: text.len(),
            hash: hash(text.as_bytes()),
        };
        news
    }
}

/// FNV-1a: tells texts apart without keeping them.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}
