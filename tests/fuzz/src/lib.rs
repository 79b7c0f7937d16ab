//! What the fuzz targets claim: a body read in one piece and in pieces gives the same events.

use streamlag_core::delta::{Delta, EventKinds};
use streamlag_core::reader::{Events, Problem, Reader};

/// A transcript of what a reader understood, comparable across splits.
#[derive(Debug, Default, PartialEq)]
pub struct Transcript(Vec<String>);

impl Events for Transcript {
    fn delta(&mut self, delta: &Delta<'_>) {
        self.0.push(format!("{delta:?}"));
    }
    fn event(&mut self, kinds: EventKinds, is_comment: bool) {
        self.0.push(format!("{kinds:?} {is_comment}"));
    }
    fn problem(&mut self, problem: Problem) {
        self.0.push(format!("{problem:?}"));
    }
}

/// Reads `data` whole and split, and panics where the two differ. The first three bytes choose the dialect
/// and the size of the pieces.
pub fn same_however_split(framing: &str, data: &[u8]) {
    let Some((&[dialect, first, rest], body)) = data.split_first_chunk::<3>() else {
        return;
    };
    const DIALECTS: [Option<&str>; 8] = [
        None,
        Some("openai"),
        Some("anthropic"),
        Some("responses"),
        Some("gemini"),
        Some("ollama"),
        Some("bedrock"),
        Some("plain"),
    ];
    let dialect = DIALECTS[usize::from(dialect) % DIALECTS.len()];
    let (head, tail) = body.split_at(usize::from(first).min(body.len()));
    let pieces = std::iter::once(head).chain(tail.chunks(usize::from(rest).max(1)));
    assert_eq!(
        read(dialect, framing, [body]),
        read(dialect, framing, pieces)
    );
}

fn read<'a>(
    dialect: Option<&str>,
    framing: &str,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Transcript {
    let mut transcript = Transcript::default();
    let mut reader = Reader::new(dialect, Some(framing), None);
    for piece in pieces {
        reader.push(piece, &mut transcript);
    }
    reader.finish(&mut transcript);
    transcript
}
