//! What a replay keeps of the stream besides its measurement: the text, and every event by its kinds.

use std::collections::BTreeMap;
use std::time::Duration;

use streamlag_core::{Delta, EventKinds, Mono, Sink, Stamp};

/// Text and events of the latest request.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) texts: Texts,
    /// What was there at the last checkpoint: a restart goes back to it.
    kept: Texts,
    pub(crate) seq: Vec<String>,
    pub(crate) gaps: Vec<Duration>,
    /// Gaps between answer texts alone.
    pub(crate) answer_gaps: Vec<Duration>,
    /// Tokens of each event with text, where every one of them comes with a running total.
    chunk_tokens: RunningTotal,
    last_answer: Option<Stamp<Mono>>,
}

/// What was said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Texts {
    /// By choice.
    pub(crate) answers: BTreeMap<u32, String>,
    pub(crate) reasoning: String,
    pub(crate) refusal: String,
    /// By choice and index of the call.
    pub(crate) tool_args: BTreeMap<(u32, u32), String>,
    pub(crate) finishes: BTreeMap<u32, String>,
}

#[derive(Debug, Default)]
struct RunningTotal {
    tokens: Vec<u64>,
    total: u64,
    reported: Option<u64>,
    broken: bool,
}

impl Collected {
    pub(crate) fn answer(&self) -> &str {
        self.texts.answers.get(&0).map_or("", String::as_str)
    }

    pub(crate) fn kinds(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for kind in self.seq.iter().flat_map(|kinds| kinds.split('+')) {
            *counts.entry(kind).or_default() += 1;
        }
        counts
    }

    pub(crate) fn chunk_tokens(&self) -> Option<&[u64]> {
        let running = &self.chunk_tokens;
        (!running.broken && !running.tokens.is_empty()).then_some(&running.tokens)
    }
}

impl Sink for Collected {
    fn delta(&mut self, _: Stamp<Mono>, delta: &Delta<'_>) {
        let texts = &mut self.texts;
        match *delta {
            Delta::Content { choice, text } => {
                texts.answers.entry(choice).or_default().push_str(text);
            }
            Delta::Reasoning { choice: 0, text } => texts.reasoning.push_str(text),
            Delta::Refusal { choice: 0, text } => texts.refusal.push_str(text),
            Delta::Tool {
                choice,
                index,
                arguments,
                ..
            } => {
                let call = texts.tool_args.entry((choice, index)).or_default();
                call.push_str(arguments);
            }
            Delta::Finish { choice, reason } => {
                texts.finishes.insert(choice, reason.to_owned());
            }
            Delta::Usage(usage) => self.chunk_tokens.reported = usage.output,
            Delta::Restart => self.texts.clone_from(&self.kept),
            Delta::Checkpoint => self.kept.clone_from(&self.texts),
            _ => {}
        }
    }

    fn event(&mut self, at: Stamp<Mono>, kinds: EventKinds, _is_comment: bool) {
        if kinds.is_generated() {
            self.chunk_tokens.event();
        }
        self.chunk_tokens.reported = None;
        if kinds.contains(EventKinds::CONTENT) {
            let gap = self.last_answer.replace(at).and_then(|last| at.since(last));
            self.answer_gaps.extend(gap.filter(|gap| !gap.is_zero()));
        }
        if !kinds.contains(EventKinds::UNFRAMED) {
            let words: Vec<_> = kinds.words().collect();
            self.seq.push(words.join("+"));
        }
    }

    fn gap(&mut self, _: Stamp<Mono>, length: Duration) {
        self.gaps.push(length);
    }
}

impl RunningTotal {
    fn event(&mut self) {
        let new = self
            .reported
            .and_then(|total| total.checked_sub(self.total));
        match new {
            Some(new) => {
                self.tokens.push(new);
                self.total += new;
            }
            None => self.broken = true,
        }
    }
}
