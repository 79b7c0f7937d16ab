//! What dialects speak through: it turns JSON values into deltas, keeps count of the event's kinds, and
//! joins characters that the provider cut in two.

use std::borrow::Cow;
use std::mem;

use crate::delta::{Delta, EventKinds, Usage};
use crate::json::{Value, compact, decode, lossy};
use crate::reader::Events;

/// What a dialect remembers from event to event: marks and counts, never text.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Answer text was seen: a later repeat of the whole is not new.
    pub(crate) has_text: bool,
    /// A message has begun and not ended: another beginning is a restart.
    pub(crate) in_message: bool,
    /// An error was reported: another event about it reports the same one.
    pub(crate) has_failed: bool,
    /// Arguments of a tool call were seen; as above.
    pub(crate) has_arguments: bool,
    /// Tool calls that came whole, so far.
    whole_calls: u32,
    /// Tool calls that are known by a name of their own: its hash, and whether input was seen.
    calls: Vec<(u64, bool)>,
    snapshot: Snapshot,
    halves: Vec<Half>,
    scratch: String,
}

impl State {
    /// The index of the call of that id, and whether it had input before.
    pub(crate) fn call(&mut self, id: &[u8], has_input: bool) -> (u32, bool) {
        let id = hash(id);
        let at = self.calls.iter().position(|(known, _)| *known == id);
        let at = at.unwrap_or_else(|| {
            self.calls.push((id, false));
            self.calls.len() - 1
        });
        let mut had_input = false;
        if let Some((_, input)) = self.calls.get_mut(at) {
            had_input = *input;
            *input |= has_input;
        }
        (at as u32, had_input)
    }
}

/// What was shown of a message that comes as snapshots.
#[derive(Debug, Default)]
struct Snapshot {
    id: u64,
    length: usize,
    hash: u64,
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

/// The first half of a surrogate pair that a text ended in.
#[derive(Debug, Clone, Copy)]
struct Half {
    channel: Channel,
    choice: u32,
    unit: u16,
}

/// Takes what one event means.
pub(crate) struct Emitter<'e> {
    pub(crate) state: &'e mut State,
    pub(crate) kinds: EventKinds,
    out: &'e mut dyn Events,
}

impl<'e> Emitter<'e> {
    pub(crate) fn new(state: &'e mut State, out: &'e mut dyn Events) -> Self {
        Self {
            state,
            kinds: EventKinds::default(),
            out,
        }
    }

    /// Answer text. Anything but a string that is not empty is nothing; so for the other channels.
    pub(crate) fn content(&mut self, choice: u32, value: Value<'_>) {
        self.text(Channel::Content, choice, value);
    }

    pub(crate) fn reasoning(&mut self, choice: u32, value: Value<'_>) {
        self.text(Channel::Reasoning, choice, value);
    }

    pub(crate) fn refusal(&mut self, choice: u32, value: Value<'_>) {
        self.text(Channel::Refusal, choice, value);
    }

    /// A tool call's name and arguments, as far as this event has them. Arguments that come as an object
    /// count as their JSON text without white space.
    pub(crate) fn tool(&mut self, choice: u32, index: u32, name: Value<'_>, arguments: Value<'_>) {
        if name.has_text() {
            self.announce_tool(choice, index, name);
            self.mark(EventKinds::TOOL);
        }
        if arguments.is_object() || arguments.is_array() {
            let mut text = mem::take(&mut self.state.scratch);
            text.clear();
            compact(arguments.raw(), &mut text);
            self.mark(EventKinds::TOOL);
            self.state.has_arguments = true;
            self.deliver(Channel::Tool(index), choice, &text);
            self.state.scratch = text;
        } else {
            self.text(Channel::Tool(index), choice, arguments);
        }
    }

    /// A tool call that comes in one piece, and without an index.
    pub(crate) fn whole_tool(&mut self, choice: u32, name: Value<'_>, arguments: Value<'_>) {
        let index = self.state.whole_calls;
        self.state.whole_calls += 1;
        self.tool(choice, index, name, arguments);
    }

    /// A tool's name, in an event that generates nothing yet.
    pub(crate) fn announce_tool(&mut self, choice: u32, index: u32, name: Value<'_>) {
        if !name.has_text() {
            return;
        }
        self.out.delta(&Delta::Tool {
            choice,
            index,
            name: Some(&lossy(name.word())),
            arguments: "",
        });
    }

    /// Why a choice ended: the provider's word, or its number for one. Nothing for null or "".
    pub(crate) fn finish(&mut self, choice: u32, reason: Value<'_>) {
        if !reason.raw().is_empty() && (reason.is_string() || reason.number().is_some()) {
            self.finish_word(choice, &lossy(reason.raw()));
        }
    }

    pub(crate) fn finish_word(&mut self, choice: u32, reason: &str) {
        self.out.delta(&Delta::Finish { choice, reason });
    }

    pub(crate) fn usage(&mut self, usage: Usage) {
        if usage
            != (Usage {
                provisional: usage.provisional,
                ..Usage::default()
            })
        {
            self.mark(EventKinds::USAGE);
            self.out.delta(&Delta::Usage(usage));
        }
    }

    /// Counts in an event that is not taken for a usage report.
    pub(crate) fn usage_aside(&mut self, usage: Usage) {
        if usage != Usage::default() {
            self.out.delta(&Delta::Usage(usage));
        }
    }

    pub(crate) fn end(&mut self, marker: &str) {
        self.state.in_message = false;
        self.mark(EventKinds::END);
        self.out.delta(&Delta::End { marker });
    }

    pub(crate) fn keep_alive(&mut self) {
        self.mark(EventKinds::KEEPALIVE);
        self.out.delta(&Delta::KeepAlive);
    }

    pub(crate) fn error(&mut self, kind: &str, detail: &str, code: Option<u16>) {
        self.state.has_failed = true;
        self.mark(EventKinds::ERROR);
        self.out.delta(&Delta::Error { kind, detail, code });
    }

    /// Another event about the failure that was reported before, or one that says no more than that.
    pub(crate) fn fail_again(&mut self) {
        if self.state.has_failed {
            self.mark(EventKinds::ERROR);
        } else {
            self.error("", "", None);
        }
    }

    /// A message begins. If one was under way, the answer starts over.
    pub(crate) fn begin_message(&mut self) {
        if mem::replace(&mut self.state.in_message, true) {
            self.restart();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.state.halves.clear();
        self.state.has_text = false;
        self.state.has_arguments = false;
        self.out.delta(&Delta::Restart);
    }

    /// A place that a later restart goes back to.
    pub(crate) fn checkpoint(&mut self) {
        self.out.delta(&Delta::Checkpoint);
    }

    /// Answer text as a snapshot of all that the message says so far: only what is new is told.
    pub(crate) fn snapshot(&mut self, id: &[u8], content: Value<'_>) {
        let mut text = mem::take(&mut self.state.scratch);
        text.clear();
        // Half a character at the end is not shown yet.
        let mut half = None;
        decode(content.word(), &mut half, &mut text);
        for part in content.items() {
            decode(part.get("text").word(), &mut half, &mut text);
        }
        let before = &self.state.snapshot;
        let same_message = before.id == hash(id);
        let shown = text
            .as_bytes()
            .get(..before.length)
            .filter(|shown| same_message && hash(shown) == before.hash)
            .map_or(0, <[u8]>::len);
        if same_message && shown < before.length {
            self.restart();
        }
        self.state.snapshot = Snapshot {
            id: hash(id),
            length: text.len(),
            hash: hash(text.as_bytes()),
        };
        self.plain_content(text.as_bytes().get(shown..).unwrap_or_default());
        self.state.scratch = text;
    }

    /// A duration the server tells, its unit being `per_ms` to the millisecond.
    pub(crate) fn server_timing(&mut self, name: &'static str, value: Value<'_>, per_ms: f64) {
        if let Some(value) = value.number() {
            self.out.delta(&Delta::ServerTiming {
                name,
                ms: value / per_ms,
            });
        }
    }

    pub(crate) fn mark(&mut self, kinds: EventKinds) {
        self.kinds = self.kinds.with(kinds);
    }

    /// Text that is no JSON.
    pub(crate) fn plain_content(&mut self, text: &[u8]) {
        if !text.is_empty() {
            self.state.has_text = true;
            self.mark(EventKinds::CONTENT);
            self.deliver(Channel::Content, 0, &lossy(text));
        }
    }

    /// The body ended: halves of characters that were never completed come out as U+FFFD.
    pub(crate) fn finish_halves(&mut self) {
        for half in mem::take(&mut self.state.halves) {
            self.deliver(half.channel, half.choice, "\u{fffd}");
        }
    }

    fn text(&mut self, channel: Channel, choice: u32, value: Value<'_>) {
        if !value.has_text() {
            return;
        }
        self.mark(match channel {
            Channel::Content | Channel::Refusal => EventKinds::CONTENT,
            Channel::Reasoning => EventKinds::REASONING,
            Channel::Tool(_) => EventKinds::TOOL,
        });
        self.state.has_text |= channel == Channel::Content;
        self.state.has_arguments |= matches!(channel, Channel::Tool(_));
        if self.state.halves.is_empty()
            && !value.has_escapes()
            && let Cow::Borrowed(text) = lossy(value.raw())
        {
            return self.deliver(channel, choice, text);
        }
        let mut half = self.take_half(channel, choice);
        let mut text = mem::take(&mut self.state.scratch);
        text.clear();
        decode(value.raw(), &mut half, &mut text);
        if let Some(unit) = half {
            self.state.halves.push(Half {
                channel,
                choice,
                unit,
            });
        }
        self.deliver(channel, choice, &text);
        self.state.scratch = text;
    }

    fn take_half(&mut self, channel: Channel, choice: u32) -> Option<u16> {
        let at = self
            .state
            .halves
            .iter()
            .position(|half| half.channel == channel && half.choice == choice)?;
        Some(self.state.halves.swap_remove(at).unit)
    }

    fn deliver(&mut self, channel: Channel, choice: u32, text: &str) {
        self.out.delta(&match channel {
            Channel::Content => Delta::Content { choice, text },
            Channel::Reasoning => Delta::Reasoning { choice, text },
            Channel::Refusal => Delta::Refusal { choice, text },
            Channel::Tool(index) => Delta::Tool {
                choice,
                index,
                name: None,
                arguments: text,
            },
        });
    }
}

/// FNV-1a: tells texts apart without keeping them.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}
