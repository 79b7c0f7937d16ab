//! One request on the wire: everything that is measured anew when the request is sent again.

use crate::answer::Answer;
use crate::delta::{Delta, EventKinds, Sink};
use crate::ending::{Ending, Verdict, judge};
use crate::excuse::{Excuses, Why};
use crate::flags::batching::{Blocks, Silence};
use crate::flags::late::LateReads;
use crate::gaps::{Arrival, GapTracker};
use crate::http::Answered;
use crate::measurement::{self, Chunk, GapCause, Measurement};
use crate::reader::{Events, Problem, Reader};
use crate::render::Screen;
use crate::segments::Segments;
use crate::sketch::Sketch;
use crate::watch::{Reading, Stretch};

/// All that one attempt has shown.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    pub(crate) segments: Segments,
    pub(crate) answered: Answered,
    pub(crate) answer: Answer,
    pub(crate) gaps: GapTracker,
    pub(crate) blocks: Blocks,
    pub(crate) late: LateReads,
    pub(crate) screen: Screen,
    pub(crate) parse: Option<Sketch>,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) ending: Ending,
    pub(crate) reader: Option<Reader>,
    /// Reads with the same stamp as the one before.
    pub(crate) equal_reads: u32,
    headers_at: Option<Reading>,
    last_read: Option<Reading>,
    parsed: bool,
}

/// How the reader is set up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hints<'a> {
    pub(crate) dialect: Option<&'a str>,
    pub(crate) framing: Option<&'a str>,
}

impl Attempt {
    pub(crate) fn sent(at: Reading) -> Self {
        Self {
            segments: Segments::sent(at),
            ..Self::default()
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.ending == Ending::Open
    }

    pub(crate) fn headers(&mut self, at: Reading, answered: Answered) {
        self.segments.headers(at);
        self.headers_at.get_or_insert(at);
        self.answered = answered;
    }

    pub(crate) fn headers_at(&self) -> Option<Reading> {
        self.headers_at
    }

    /// A body read returned.
    pub(crate) fn bytes(&mut self, at: Reading, bytes: &[u8], mut around: Around<'_>) {
        let read = self.answer.counts.reads;
        self.answer.counts.reads = read.saturating_add(1);
        let length = bytes.len();
        self.answer.counts.bytes = self.answer.counts.bytes.saturating_add(length as u64);
        if !self.answer.is_terminal() {
            self.segments.bytes(at);
        }
        let before = self.last_read.replace(at);
        if before.is_some_and(|before| at.at == before.at) {
            self.equal_reads = self.equal_reads.saturating_add(1);
        }
        self.late.read(at);
        self.parsed = false;
        if self.chunks.len() < Measurement::CHUNKS {
            self.chunks.push(Chunk {
                at: self.segments.since_send(at),
                bytes: u32::try_from(length).unwrap_or(u32::MAX),
                events: 0,
                generated: false,
            });
        }
        self.feed(at, read, Some(bytes), &mut around);
    }

    /// The latest read was parsed and delivered.
    pub(crate) fn parsed(&mut self, at: Reading) {
        let Some(read_at) = self.last_read.filter(|_| !self.parsed) else {
            return;
        };
        let Some(took) = at.since_or_zero(read_at) else {
            return;
        };
        self.parsed = true;
        self.parse.get_or_insert_default().add(took);
        self.late.handled(at, took);
        let read = self.answer.counts.reads.saturating_sub(1);
        self.screen.parsed(read, at);
    }

    /// The body is over.
    pub(crate) fn close(&mut self, at: Reading, ending: Ending, mut around: Around<'_>) {
        self.ending = ending;
        self.segments.closed(at);
        // What only the end of the body completes came with the last bytes, not with the end.
        let last_byte = self.segments.latest_byte().unwrap_or(at);
        let read = self.answer.counts.reads.saturating_sub(1);
        self.feed(last_byte, read, None, &mut around);
        if ending == Ending::Eof && self.answer.marker.is_none() {
            self.answer.marker = Some("eof".to_owned());
        }
    }

    /// The request is sent again without a word about how this one ended. A refusal ended where it was
    /// last heard of; of anything else the end is unknown.
    pub(crate) fn supersede(&mut self, around: Around<'_>) {
        let last_seen = self.last_read.or(self.headers_at);
        if let Some(at) = last_seen.filter(|_| self.is_open() && self.answered.error().is_some()) {
            self.close(at, Ending::Eof, around);
        }
    }

    /// A stretch became known in which nothing could be seen.
    pub(crate) fn excuse(&mut self, why: Why, stretch: Stretch) {
        self.gaps.excuse(why, stretch);
    }

    pub(crate) fn verdict(&self) -> Verdict {
        judge(&self.answered, &self.answer, self.ending)
    }

    /// The line of this attempt in the list of all.
    pub(crate) fn summary(&self, first_send: Option<Reading>) -> measurement::Attempt {
        let sent = self.segments.send.zip(first_send);
        measurement::Attempt {
            sent: sent.and_then(|(sent, first)| sent.since_or_zero(first)),
            ttft: self.segments.timing().ttft,
            end: self.segments.end(),
            status: self.answered.http.status,
            error: self.verdict().error,
        }
    }

    fn feed(&mut self, at: Reading, read: u32, bytes: Option<&[u8]>, around: &mut Around<'_>) {
        let content_type = self.answered.content_type.as_deref();
        let hints = around.hints;
        let refused = self.answered.error().is_some();
        let Self {
            reader,
            answer,
            segments,
            gaps,
            blocks,
            screen,
            chunks,
            ..
        } = self;
        let mut intake = Intake {
            at,
            read,
            refused,
            shown: false,
            answer,
            segments,
            gaps,
            blocks,
            chunk: chunks.get_mut(read as usize),
            excuses: around.excuses,
            sink: &mut *around.sink,
        };
        match bytes {
            Some(bytes) => reader
                .get_or_insert_with(|| Reader::new(hints.dialect, hints.framing, content_type))
                .push(bytes, &mut intake),
            None => {
                if let Some(reader) = reader {
                    reader.finish(&mut intake);
                }
            }
        }
        if intake.shown {
            screen.read(read, at, around.excuses.is_hidden());
        }
    }
}

/// What lies around an attempt while it takes something in.
pub(crate) struct Around<'a> {
    pub(crate) hints: Hints<'a>,
    pub(crate) excuses: &'a Excuses,
    pub(crate) sink: &'a mut dyn Sink,
}

/// Receives what the reader understands of one read, and stamps it.
struct Intake<'a> {
    at: Reading,
    read: u32,
    /// The response is a failure: its body is not an answer, only its error is read.
    refused: bool,
    /// The read brought text that a page would show.
    shown: bool,
    answer: &'a mut Answer,
    segments: &'a mut Segments,
    gaps: &'a mut GapTracker,
    blocks: &'a mut Blocks,
    chunk: Option<&'a mut Chunk>,
    excuses: &'a Excuses,
    sink: &'a mut dyn Sink,
}

impl Events for Intake<'_> {
    fn delta(&mut self, delta: &Delta<'_>) {
        let is_error = matches!(delta, Delta::Error { .. });
        if self.refused && !is_error {
            return;
        }
        if self.answer.delta(delta) && !self.refused {
            self.sink.delta(self.at.at, delta);
        }
    }

    fn event(&mut self, kinds: EventKinds, is_comment: bool) {
        if self.refused {
            return;
        }
        let ghost = self.answer.is_ghost(kinds);
        let meaning = self.answer.event(kinds, is_comment);
        if let Some(chunk) = self.chunk.as_deref_mut() {
            chunk.events = chunk.events.saturating_add(u16::from(!is_comment));
            chunk.generated |= meaning.generated.any;
        }
        if meaning.generated.any {
            self.generated();
            self.shown |=
                kinds.contains(EventKinds::CONTENT) || kinds.contains(EventKinds::REASONING);
        }
        self.segments.generated(self.at, meaning.generated);
        if meaning.finished {
            self.segments.finished(self.at);
        }
        if meaning.marker {
            self.segments.marker(self.at);
        }
        if !ghost {
            self.sink.event(self.at.at, kinds, is_comment);
        }
    }

    fn problem(&mut self, problem: Problem) {
        if !self.refused {
            self.answer.problem(problem);
        }
    }
}

impl Intake<'_> {
    fn generated(&mut self) {
        let arrival = Arrival {
            at: self.at,
            send: self.segments.send,
            read: self.read,
            event: self.answer.counts.events.saturating_sub(1),
        };
        let silence = self.gaps.silence_before(self.at, self.excuses);
        self.blocks.arrival(
            self.at,
            match silence {
                None => Silence::Plain,
                Some(GapCause::Hidden) => Silence::Hidden,
                Some(_) => Silence::Other,
            },
        );
        if let Some(gap) = self.gaps.arrival(&arrival, self.excuses) {
            self.sink.gap(self.at.at, gap);
        }
    }
}
