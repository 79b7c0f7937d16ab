//! Serves a captured stream file at a given pace.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use crate::chat::{Refused, body_length};
use crate::dialect::WireEvent;
use crate::http::{Framing, Head, Request};
use crate::play::{Reply, Step};
use crate::schedule::End;

/// Largest file that is served.
const MOST_BYTES: u64 = 64 << 20;
const DEFAULT_PACE: Duration = Duration::from_millis(40);
const MOST_PACE_MS: f64 = 60_000.0;

/// The reply for `/replay/PATH?pace=MS&chunk=BYTES`.
pub(crate) fn reply(request: &Request, path: &str, root: Option<&Path>) -> Result<Reply, Refused> {
    let pace = pace(request)?;
    let chunk = chunk(request)?;
    let file = locate(path, root)?;
    let bytes = read(&file, path)?;
    let (kind, parts) = match chunk {
        Some(size) => ("bytes", bytes.chunks(size).collect()),
        None => ("frame", frames(&bytes, &file)),
    };
    let mut steps = Vec::new();
    for (i, part) in parts.into_iter().enumerate() {
        let at = pace.saturating_mul(u32::try_from(i).unwrap_or(u32::MAX));
        let bytes = part.to_vec();
        Step::push(&mut steps, at, WireEvent { kind, bytes });
    }
    let framing = if request.is_1_1 {
        Framing::Chunked
    } else {
        Framing::Length(body_length(&steps))
    };
    Ok(Reply {
        head: Head {
            status: 200,
            headers: vec![("content-type", content_type(&file).to_owned())],
            framing,
        },
        head_at: Some(Duration::ZERO),
        steps,
        end: End::Clean,
    })
}

fn pace(request: &Request) -> Result<Duration, Refused> {
    let Some(text) = request.query("pace") else {
        return Ok(DEFAULT_PACE);
    };
    match text.parse::<f64>() {
        Ok(ms) if (0.0..=MOST_PACE_MS).contains(&ms) => Ok(Duration::from_secs_f64(ms / 1e3)),
        _ => Err(Refused(
            400,
            format!("pace={text} is wrong: it takes milliseconds from 0 to 60000"),
        )),
    }
}

fn chunk(request: &Request) -> Result<Option<usize>, Refused> {
    let Some(text) = request.query("chunk") else {
        return Ok(None);
    };
    match text.parse::<usize>() {
        Ok(size) if size >= 1 => Ok(Some(size)),
        _ => Err(Refused(
            400,
            format!("chunk={text} is wrong: it takes a number of bytes from 1"),
        )),
    }
}

/// Finds the file; nothing outside the folder is ever opened.
fn locate(path: &str, root: Option<&Path>) -> Result<PathBuf, Refused> {
    let Some(root) = root else {
        let sentence = "no folder of captures is served; start the server with --captures DIR";
        return Err(Refused(404, sentence.to_owned()));
    };
    let missing = || {
        Refused(
            404,
            format!("there is no capture {path:?} in the served folder"),
        )
    };
    let wanted = Path::new(path);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if path.contains(['\\', '\0']) || !wanted.components().all(is_plain) {
        return Err(missing());
    }
    // Both resolved, so that a link out of the folder counts as outside, too.
    let root = root.canonicalize().map_err(|_| missing())?;
    let file = root.join(wanted).canonicalize().map_err(|_| missing())?;
    if file.starts_with(&root) && file.is_file() {
        Ok(file)
    } else {
        Err(missing())
    }
}

fn read(file: &Path, path: &str) -> Result<Vec<u8>, Refused> {
    let failed = |e: io::Error| Refused(500, format!("cannot read capture {path:?}: {e}"));
    if file.metadata().map_err(failed)?.len() > MOST_BYTES {
        return Err(Refused(413, format!("capture {path:?} is over 64 MB")));
    }
    std::fs::read(file).map_err(failed)
}

fn extension(file: &Path) -> &str {
    file.extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
}

fn content_type(file: &Path) -> &'static str {
    match extension(file) {
        "sse" => "text/event-stream; charset=utf-8",
        "ndjson" | "jsonl" => "application/x-ndjson",
        "json" => "application/json",
        "html" => "text/html; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Whole events of an SSE file, whole lines of any other; joined they are the file.
fn frames<'a>(bytes: &'a [u8], file: &Path) -> Vec<&'a [u8]> {
    let lines = bytes.split_inclusive(|b| *b == b'\n');
    if extension(file) != "sse" {
        return lines.collect();
    }
    let mut frames = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in lines {
        end += line.len();
        if line.trim_ascii().is_empty() {
            frames.push(&bytes[start..end]);
            start = end;
        }
    }
    if start < bytes.len() {
        frames.push(&bytes[start..]);
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sse_file_is_cut_after_blank_lines_and_stays_whole() {
        for text in [
            "data: a\n\ndata: b\n\n",
            ": x\r\n\r\nevent: a\r\ndata: b\r\n\r\ndata: tail",
        ] {
            let frames = frames(text.as_bytes(), Path::new("a.sse"));
            assert_eq!(frames.concat(), text.as_bytes());
            assert!(frames.len() >= 2);
        }
    }

    #[test]
    fn other_files_are_cut_after_lines() {
        let frames = frames(b"{}\n{}\n", Path::new("a.ndjson"));
        assert_eq!(frames, [b"{}\n", b"{}\n"]);
    }

    #[test]
    fn a_path_out_of_the_folder_finds_nothing() {
        let root = std::env::temp_dir();
        for path in [
            "../etc/passwd",
            "/etc/passwd",
            "a/../../etc/passwd",
            "..\\x",
            ".",
        ] {
            let Err(Refused(status, _)) = locate(path, Some(&root)) else {
                panic!("{path} was found");
            };
            assert_eq!(status, 404);
        }
    }
}
