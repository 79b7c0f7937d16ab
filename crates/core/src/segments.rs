//! Stamps → durations. Which instants each one spans is said at [`Timing`].

use std::time::Duration;

use crate::measurement::Timing;
use crate::watch::Reading;

/// The stamps of one attempt. Firsts are set once and never moved.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    pub(crate) send: Option<Reading>,
    headers: Option<Reading>,
    first_byte: Option<Reading>,
    last_byte: Option<Reading>,
    first_generated: Option<Reading>,
    last_generated: Option<Reading>,
    first_output: Option<Reading>,
    last_output: Option<Reading>,
    first_answer: Option<Reading>,
    first_visible: Option<Reading>,
    finished: Option<Reading>,
    marker: Option<Reading>,
    closed: Option<Reading>,
}

/// What of generated text an event held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Generated {
    /// Text of any kind.
    pub(crate) any: bool,
    /// Anything but reasoning.
    pub(crate) output: bool,
    /// Answer text.
    pub(crate) answer: bool,
    /// Answer text that is not white space.
    pub(crate) visible: bool,
}

impl Segments {
    pub(crate) fn sent(at: Reading) -> Self {
        Self {
            send: Some(at),
            ..Self::default()
        }
    }

    pub(crate) fn headers(&mut self, at: Reading) {
        self.headers.get_or_insert(at);
    }

    pub(crate) fn bytes(&mut self, at: Reading) {
        self.first_byte.get_or_insert(at);
        self.last_byte = Some(at);
    }

    pub(crate) fn generated(&mut self, at: Reading, what: Generated) {
        if what.any {
            self.first_generated.get_or_insert(at);
            self.last_generated = Some(at);
            self.finished = None;
        }
        if what.output {
            self.first_output.get_or_insert(at);
            self.last_output = Some(at);
        }
        if what.answer {
            self.first_answer.get_or_insert(at);
        }
        if what.visible {
            self.first_visible.get_or_insert(at);
        }
    }

    /// Every choice has its finish reason.
    pub(crate) fn finished(&mut self, at: Reading) {
        self.finished.get_or_insert(at);
    }

    /// A terminal marker was read.
    pub(crate) fn marker(&mut self, at: Reading) {
        self.marker.get_or_insert(at);
    }

    /// The body ended, however it did.
    pub(crate) fn closed(&mut self, at: Reading) {
        self.closed.get_or_insert(at);
    }

    pub(crate) fn since_send(&self, at: Reading) -> Option<Duration> {
        at.since(self.send?)
    }

    /// Where the text that the latest bytes completed is stamped, should it only be understood later.
    pub(crate) fn latest_byte(&self) -> Option<Reading> {
        self.last_byte
    }

    pub(crate) fn first_generated(&self) -> Option<Reading> {
        self.first_generated
    }

    pub(crate) fn end(&self) -> Option<Duration> {
        self.since_send(self.end_reading()?)
    }

    /// First → last body byte.
    pub(crate) fn body(&self) -> Option<Duration> {
        self.last_byte?.since_or_zero(self.first_byte?)
    }

    /// First → last generated text, zero where both came at one reading.
    pub(crate) fn window(&self) -> Option<Duration> {
        self.last_generated?.since_or_zero(self.first_generated?)
    }

    /// Time per token after the first of `tokens`, over all generated text.
    pub(crate) fn per_token(&self, tokens: u64) -> Option<Duration> {
        per_token(self.last_generated?.since(self.first_generated?)?, tokens)
    }

    /// The same over the text that is not reasoning.
    pub(crate) fn per_output_token(&self, tokens: u64) -> Option<Duration> {
        per_token(self.last_output?.since(self.first_output?)?, tokens)
    }

    /// The durations that this attempt's own stamps give.
    pub(crate) fn timing(&self) -> Timing {
        let from_send = |reading: Option<Reading>| self.since_send(reading?);
        let terminal = self.finished.or(self.marker);
        Timing {
            headers: from_send(self.headers),
            ttfb: from_send(self.first_byte),
            ttft: from_send(self.first_generated),
            ttfo: from_send(self.first_output),
            first_answer: from_send(self.first_answer),
            first_visible: from_send(self.first_visible),
            generation: span(self.first_generated, self.last_generated),
            total: from_send(self.last_generated),
            stream_end: self.end(),
            tail_wait: span(self.last_generated, terminal).filter(|_| self.is_over()),
            ..Timing::default()
        }
    }

    /// From `intent` to the last generated text.
    pub(crate) fn user_total(&self, intent: Reading) -> Option<Duration> {
        self.last_generated?.since(intent)
    }

    /// A finish reason alone does not end the stream: another choice may follow.
    fn is_over(&self) -> bool {
        self.marker.is_some() || self.closed.is_some()
    }

    fn end_reading(&self) -> Option<Reading> {
        self.is_over().then_some(())?;
        self.finished.or(self.marker).or(self.closed)
    }
}

fn span(from: Option<Reading>, to: Option<Reading>) -> Option<Duration> {
    to?.since(from?)
}

fn per_token(window: Duration, tokens: u64) -> Option<Duration> {
    let window = u64::try_from(window.as_nanos()).ok()?;
    let ns = window.checked_div(tokens.checked_sub(1)?)?;
    (ns > 0).then(|| Duration::from_nanos(ns))
}
