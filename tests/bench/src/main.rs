//! How quickly streams are read: ours beside the libraries that people use for it, on the same bytes, in one
//! process, in rounds that take turns. `cargo xtask bench parse` runs this and the same comparison in a page.
//!
//! `parse-bench FOLDER [CAPTURES]` writes the bodies that it read into FOLDER, for the page to read the same,
//! and prints its results as JSON.

mod bodies;
mod contender;
mod decode;
mod eventsource;
mod generated;
mod memory;
mod ours;
mod rounds;
mod seen;
mod sse_stream;

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use bodies::Bodies;
use contender::Contender;
use decode::Decode;
use seen::Seen;

/// Bytes of the long stream.
const LONG: usize = 100 << 20;
/// Bytes that are read in one round otherwise.
const SHORT: usize = 20 << 20;

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = args
        .next()
        .context("say into which folder the bodies go: parse-bench FOLDER [CAPTURES]")?;
    let openai = Bodies::endless(generated::openai());
    // First of all, while nothing else has grown the process.
    let memory = memory::of_one_long_stream(&openai.streams(LONG).concat())?;
    let anthropic = Bodies::endless(generated::anthropic());
    let mut results = vec![
        result(&folder, "openai", &openai, (LONG, 5), &decode::OPENAI)?,
        result(
            &folder,
            "anthropic",
            &anthropic,
            (SHORT, 9),
            &decode::ANTHROPIC,
        )?,
    ];
    if let Some(captures) = args.next() {
        let captures = Bodies::captured(&captures)?;
        results.push(result(
            &folder,
            "captures",
            &captures,
            (SHORT, 9),
            &decode::ANY,
        )?);
    }
    let report = json!({ "memory": memory, "results": results });
    println!("{report}");
    Ok(())
}

/// Reads so many bytes in each of so many rounds.
fn result(
    folder: &Path,
    name: &str,
    bodies: &Bodies,
    (bytes, rounds): (usize, usize),
    decodes: &[Decode],
) -> Result<Value> {
    bodies.write(&folder.join(name))?;
    let contenders = Contender::all(decodes);
    same(name, &contenders, &bodies.streams(0))?;
    let streams = bodies.streams(bytes);
    let bytes: usize = streams.iter().flatten().map(Bytes::len).sum();
    let times = rounds::run(&contenders, &streams, rounds);
    let contenders: Vec<Value> = contenders
        .iter()
        .zip(times)
        .map(|(contender, times)| {
            json!({
                "name": contender.name(),
                "other": contender.is_other(),
                "events": times.seen.events,
                "text_bytes": times.seen.text_bytes,
                "bytes": bytes,
                "ns": times.ns,
            })
        })
        .collect();
    Ok(
        json!({ "name": name, "bodies": bodies.len(), "left_out": bodies.left_out(), "contenders": contenders }),
    )
}

/// Who leaves events or text out is not to be compared with.
fn same(name: &str, contenders: &[Contender], streams: &[Vec<Bytes>]) -> Result<()> {
    for (number, reads) in streams.iter().enumerate() {
        let mut first = None;
        for contender in contenders {
            let mut seen = Seen::keeping();
            contender.read(reads, &mut seen);
            let first = first.get_or_insert_with(|| seen.clone());
            if seen != *first {
                bail!(
                    "{name}, body {number}: {} read {} events and {:?}, {} read {} and {:?}",
                    contenders[0].name(),
                    first.events,
                    first.text,
                    contender.name(),
                    seen.events,
                    seen.text
                );
            }
        }
    }
    Ok(())
}
