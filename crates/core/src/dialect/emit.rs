//! What dialects speak through: it turns JSON values into deltas, keeps count of the event's kinds, and
//! joins characters that the provider cut in two.

use std::borrow::Cow;
use std::mem;

use super::state::{Channel, News, State};
use crate::delta::{Delta, EventKinds, Usage};
use crate::json::{Value, decode, lossy};
use crate::reader::{Events, Problem};
use crate::words::Word;

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

    /// A piece of text of that channel.
    pub(crate) fn piece(&mut self, choice: u32, channel: Channel, value: Value<'_>) {
        self.text(channel, choice, value);
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
            arguments.compact(&mut text);
            self.mark(EventKinds::TOOL);
            self.state.said.arguments = true;
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

    /// More arguments of the latest of these.
    pub(crate) fn more_of_whole_tool(&mut self, choice: u32, arguments: Value<'_>) {
        let index = self.state.whole_calls.saturating_sub(1);
        self.tool(choice, index, arguments.missing(), arguments);
    }

    /// A tool's name, in an event that generates nothing yet.
    pub(crate) fn announce_tool(&mut self, choice: u32, index: u32, name: Value<'_>) {
        if !name.has_text() {
            return;
        }
        self.out.delta(&Delta::Tool {
            choice,
            index,
            name: Some(&lossy(name.bytes())),
            arguments: "",
        });
    }

    /// Why a choice ended: the provider's word, or its number for one. Nothing for null or "".
    pub(crate) fn finish(&mut self, choice: u32, reason: Value<'_>) {
        // Some write null as a word.
        let none = reason.bytes() == b"null";
        if !none && (reason.has_text() || reason.count().is_some()) {
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

    /// A terminal marker. What was cut in two before it stays so.
    pub(crate) fn end(&mut self, marker: &str) {
        self.finish_halves();
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

    /// A failure that the event's kind does not show.
    pub(crate) fn error_aside(&mut self, kind: &str) {
        self.state.has_failed = true;
        self.out.delta(&Delta::Error {
            kind,
            detail: "",
            code: None,
        });
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
        self.state.restart();
        self.out.delta(&Delta::Restart);
    }

    /// A place that a later restart goes back to.
    pub(crate) fn checkpoint(&mut self) {
        self.out.delta(&Delta::Checkpoint);
    }

    /// Answer text as a snapshot of all that the message says so far: only what is new is told.
    pub(crate) fn snapshot(&mut self, id: &[u8], content: Value<'_>) {
        let text = self.whole_text(content);
        let mut told = 0;
        match self.state.snapshot.take(id, &text) {
            News::Message => self.checkpoint(),
            News::More(length) => told = length,
            News::Other => self.restart(),
        }
        self.plain_content(text.as_bytes().get(told..).unwrap_or_default());
        self.state.scratch = text;
    }

    /// Notes answer text that was told already as the first snapshot.
    pub(crate) fn note_snapshot(&mut self, id: &[u8], content: Value<'_>) {
        let text = self.whole_text(content);
        self.state.snapshot.take(id, &text);
        self.state.scratch = text;
    }

    fn whole_text(&mut self, content: Value<'_>) -> String {
        let mut text = mem::take(&mut self.state.scratch);
        text.clear();
        // Half a character at the end is not shown yet.
        let mut half = None;
        decode(content.bytes(), &mut half, &mut text);
        for part in content.items() {
            decode(part.get(Word::Text).bytes(), &mut half, &mut text);
        }
        text
    }

    /// The answer came whole, though in a stream.
    pub(crate) fn not_streamed(&mut self) {
        self.out.problem(Problem::NotStreamed);
    }

    /// Durations that the server tells, their unit being `per_ms` to the millisecond.
    pub(crate) fn server_timings(&mut self, of: Value<'_>, names: &[Word], per_ms: f64) {
        for name in names {
            if let Some(value) = of.get(*name).number() {
                self.out.delta(&Delta::ServerTiming {
                    name: name.as_str(),
                    ms: value / per_ms,
                });
            }
        }
    }

    pub(crate) fn mark(&mut self, kinds: EventKinds) {
        self.kinds = self.kinds.with(kinds);
    }

    /// Text that is no JSON.
    pub(crate) fn plain_content(&mut self, text: &[u8]) {
        if !text.is_empty() {
            self.state.said.text = true;
            self.mark(EventKinds::CONTENT);
            self.deliver(Channel::Content, 0, &lossy(text));
        }
    }

    /// The body ended: halves of characters that were never completed come out as U+FFFD.
    pub(crate) fn finish_halves(&mut self) {
        while let Some((choice, channel)) = self.state.halves.pop() {
            self.deliver(channel, choice, "\u{fffd}");
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
        self.state.said.note(channel);
        if self.state.halves.is_empty()
            && !value.has_escapes()
            && let Cow::Borrowed(text) = lossy(value.raw())
        {
            return self.deliver(channel, choice, text);
        }
        let mut half = self.state.halves.take(choice, channel);
        let mut text = mem::take(&mut self.state.scratch);
        text.clear();
        decode(value.raw(), &mut half, &mut text);
        self.state.halves.put(choice, channel, half);
        self.deliver(channel, choice, &text);
        self.state.scratch = text;
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
