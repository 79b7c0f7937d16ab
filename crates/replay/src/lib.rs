//! Recorded streams and hard cases through the probe: what the core understood, as one line of JSON each.
//!
//! Two kinds of input: bodies as they were captured, and cases (JSON) that bring bytes, clock readings,
//! status and headers. Both drive the same probe as every other shell. *Nothing here opens a file or reads a
//! clock*, so a browser can replay what the command line replays, and must print the same.

mod case;
mod collect;
mod drive;
mod error;
mod pieces;
mod report;
mod scenario;

use std::io;

use serde_json::{Map, Value};

use case::Case;
use drive::Replayed;
pub use error::CaseError;

/// What a caller knows of a body. Unknown or absent: it is detected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hint<'a> {
    /// openai, anthropic, ollama, …
    pub dialect: Option<&'a str>,
    /// sse, ndjson, jsonarray, aws_eventstream.
    pub framing: Option<&'a str>,
}

/// Replays one case, a line of a case file, and gives its result line.
///
/// # Errors
/// When the line is no case.
pub fn case(line: &str) -> Result<String, CaseError> {
    let case = Case::parse(line)?;
    Ok(result("id", &case.id, &drive::case(&case)?))
}

/// Replays the body that was captured under that name and gives its result line. Nothing is known about the
/// times of its reads.
///
/// # Errors
/// Those of `body`.
pub fn body(name: &str, body: impl io::Read, hint: Hint<'_>) -> io::Result<String> {
    Ok(result("file", name, &drive::whole(body, hint)?))
}

fn result(key: &str, name: &str, replayed: &Replayed) -> String {
    let mut line = Map::new();
    line.insert(key.to_owned(), Value::from(name));
    line.extend(report::fields(replayed));
    Value::Object(line).to_string()
}
