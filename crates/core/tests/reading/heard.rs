//! Listens to a reader and writes down all that it says.

use std::collections::BTreeMap;

use streamlag_core::reader::{Events, Problem, Reader};
use streamlag_core::{Delta, EventKinds, Usage};

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Heard {
    /// The kinds of each event and comment, as the records name them.
    pub(crate) seq: Vec<String>,
    pub(crate) events: u32,
    pub(crate) comments: u32,
    /// By choice.
    pub(crate) answers: BTreeMap<u32, String>,
    pub(crate) reasoning: String,
    pub(crate) refusal: String,
    /// Name and arguments by choice and index.
    pub(crate) tools: BTreeMap<(u32, u32), (String, String)>,
    pub(crate) usages: Vec<Usage>,
    pub(crate) finishes: BTreeMap<u32, String>,
    pub(crate) ends: Vec<String>,
    pub(crate) errors: Vec<(String, String, Option<u16>)>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) restarts: u32,
    pub(crate) timings: Vec<(&'static str, f64)>,
    pub(crate) framing: Option<&'static str>,
    pub(crate) dialect: Option<&'static str>,
    pub(crate) last_event_id: String,
    kept: BTreeMap<u32, String>,
}

impl Events for Heard {
    fn delta(&mut self, delta: &Delta<'_>) {
        match *delta {
            Delta::Content { choice, text } => *self.answers.entry(choice).or_default() += text,
            Delta::Reasoning { text, .. } => self.reasoning += text,
            Delta::Refusal { text, .. } => self.refusal += text,
            Delta::Tool {
                choice,
                index,
                name,
                arguments,
            } => {
                let call = self.tools.entry((choice, index)).or_default();
                call.0 += name.unwrap_or_default();
                call.1 += arguments;
            }
            Delta::Usage(usage) => self.usages.push(usage),
            Delta::Finish { choice, reason } => {
                self.finishes.insert(choice, reason.into());
            }
            Delta::End { marker } => self.ends.push(marker.into()),
            Delta::KeepAlive => {}
            Delta::Error { kind, detail, code } => {
                self.errors.push((kind.into(), detail.into(), code));
            }
            Delta::Restart => {
                self.restarts += 1;
                self.answers = self.kept.clone();
            }
            Delta::Checkpoint => self.kept = self.answers.clone(),
            Delta::ServerTiming { name, ms } => self.timings.push((name, ms)),
        }
    }

    fn event(&mut self, kinds: EventKinds, is_comment: bool) {
        let words: Vec<_> = kinds.words().collect();
        self.seq.push(words.join("+"));
        if is_comment {
            self.comments += 1;
        } else if !kinds.contains(EventKinds::UNFRAMED) {
            self.events += 1;
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

impl Heard {
    pub(crate) fn answer(&self) -> &str {
        self.answers.get(&0).map_or("", String::as_str)
    }

    pub(crate) fn finish(&self) -> &str {
        self.finishes.get(&0).map_or("", String::as_str)
    }

    pub(crate) fn seq(&self) -> String {
        self.seq.join(" ")
    }

    /// Name and arguments of the first answer's call of that index.
    pub(crate) fn tool(&self, index: u32) -> (&str, &str) {
        let call = self.tools.get(&(0, index));
        call.map_or(("", ""), |(name, arguments)| (name, arguments))
    }

    /// The last report's prompt, output and reasoning tokens.
    pub(crate) fn usage(&self) -> (Option<u64>, Option<u64>, Option<u64>) {
        let usage = self.usages.last().copied().unwrap_or_default();
        (usage.input, usage.output, usage.reasoning)
    }

    pub(crate) fn error(&self) -> (&str, &str, Option<u16>) {
        let error = self.errors.first();
        error.map_or(("", "", None), |(kind, detail, code)| (kind, detail, *code))
    }
}

/// What the caller knows of a body.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known<'k> {
    pub(crate) dialect: Option<&'k str>,
    pub(crate) framing: Option<&'k str>,
    pub(crate) content_type: Option<&'k str>,
}

impl Known<'_> {
    pub(crate) fn hear(self, body: impl AsRef<[u8]>) -> Heard {
        let body = body.as_ref();
        let whole = self.hear_in_reads(body, &mut || usize::MAX);
        assert_eq!(whole, self.hear_in_reads(body, &mut || 1), "byte by byte");
        let mut sizes = [7, 1, 64, 3, 2, 300].into_iter().cycle();
        let uneven = self.hear_in_reads(body, &mut || sizes.next().unwrap_or(1));
        assert_eq!(whole, uneven, "in uneven reads");
        whole
    }

    pub(crate) fn hear_in_reads(self, body: &[u8], size: &mut dyn FnMut() -> usize) -> Heard {
        let mut reader = Reader::new(self.dialect, self.framing, self.content_type);
        let mut heard = Heard::default();
        let mut rest = body;
        while !rest.is_empty() {
            let (read, after) = rest.split_at(size().clamp(1, rest.len()));
            reader.push(read, &mut heard);
            rest = after;
        }
        reader.finish(&mut heard);
        heard.framing = reader.framing();
        heard.dialect = reader.dialect();
        heard.last_event_id = reader.last_event_id().into();
        heard
    }
}

/// Reads a body of which nothing is known.
pub(crate) fn hear(body: impl AsRef<[u8]>) -> Heard {
    Known::default().hear(body)
}

/// The same, of a known dialect.
pub(crate) fn hear_as(dialect: &str, body: impl AsRef<[u8]>) -> Heard {
    let dialect = Some(dialect);
    Known {
        dialect,
        ..Known::default()
    }
    .hear(body)
}

/// An SSE stream of these data.
pub(crate) fn sse(data: &[&str]) -> String {
    data.iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect()
}

/// An SSE stream of these named events, each with its data.
pub(crate) fn named(events: &[(&str, &str)]) -> String {
    let lines = events.iter();
    lines
        .map(|(name, data)| format!("event: {name}\ndata: {data}\n\n"))
        .collect()
}
