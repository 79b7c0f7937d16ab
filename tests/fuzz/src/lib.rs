//! What the fuzz targets claim of a body of any bytes:
//!
//! - read in one piece and in pieces it gives the same events;
//! - an event means the same whatever was read before it, but for what its dialect remembers;
//! - events that are over leave nothing behind, so that a stream of any length takes bounded room.

mod room;
mod transcript;
pub mod wrap;

use streamlag_core::reader::Reader;
use transcript::{Nothing, Transcript};

/// Checks all of it and panics where it does not hold. The first three bytes choose the dialect and the size of the
/// pieces.
pub fn check(framing: &str, data: &[u8]) {
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
    let reader = || Reader::new(dialect, Some(framing), None);
    let whole = read(reader(), [body]);
    let (head, tail) = body.split_at(usize::from(first).min(body.len()));
    let pieces = std::iter::once(head).chain(tail.chunks(usize::from(rest).max(1)));
    assert_eq!(whole, read(reader(), pieces), "not the same in pieces");
    if dialect != Some("plain") {
        assert_eq!(
            whole,
            interrupted(reader(), body),
            "not the same interrupted"
        );
    }
    room::is_bounded(reader(), body);
}

fn read<'a>(mut reader: Reader, pieces: impl IntoIterator<Item = &'a [u8]>) -> Transcript {
    let mut transcript = Transcript::default();
    for piece in pieces {
        reader.push(piece, &mut transcript);
    }
    reader.finish(&mut transcript);
    transcript
}

/// Between any two events stands another, of another shape, that says nothing: what follows is not like what was read
/// before it.
fn interrupted(mut reader: Reader, body: &[u8]) -> Transcript {
    let mut transcript = Transcript::default();
    for piece in events(body) {
        reader.push(piece, &mut transcript);
        let other: &[u8] = match reader.framing() {
            // Without data the body may be no event stream at all, which another event's would hide.
            Some("sse") if piece.ends_with(b"\n\n") && has_data(piece) => b"data: 0\n\n",
            // The same of a value that is all there is.
            Some("ndjson") if piece.ends_with(b"\n") && transcript.events() > 1 => b"0\n",
            _ => continue,
        };
        reader.push(other, &mut Nothing);
    }
    reader.finish(&mut transcript);
    transcript
}

fn has_data(event: &[u8]) -> bool {
    let mut lines = event.split(|byte| *byte == b'\n');
    lines.any(|line| line.starts_with(b"data:"))
}

/// Cuts behind line feeds: between two records, and, where there are two in a row, between two events.
fn events(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut fed = false;
    body.split_inclusive(move |byte| {
        let ends = fed && *byte == b'\n';
        fed = *byte == b'\n';
        ends || (fed && body.first() == Some(&b'{'))
    })
}
