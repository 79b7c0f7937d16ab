//! How quickly streams are read: ours beside the libraries that people use for it, on the same bytes, in one
//! process, in rounds that take turns. `cargo xtask bench parse` runs this and the same comparison in a page.
//!
//! `parse-bench FOLDER [CAPTURES]` writes the bodies that it read into FOLDER, for the page to read the same,
//! and prints its results as JSON.

mod bodies;
mod contender;
mod eventsource;
mod generated;
mod memory;
mod ours;
mod rounds;
mod sse_stream;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use std::path::PathBuf;

use bodies::Bodies;
use contender::Contender;
use rounds::Times;

/// Bytes of the long stream.
const LONG: usize = 100 << 20;
/// Bytes that are read of short ones in one round, each again and again.
const SHORT: usize = 20 << 20;

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = args
        .next()
        .context("say into which folder the bodies go: parse-bench FOLDER [CAPTURES]")?;
    let generated = Bodies::generated();
    generated.write(&folder.join("generated"))?;
    // First of all, while nothing else has grown the process.
    let memory = memory::of_one_long_stream(&generated, LONG);
    let mut results = vec![result("generated", &generated, LONG)?];
    if let Some(captures) = args.next() {
        let captures = Bodies::captured(&captures)?;
        captures.write(&folder.join("captures"))?;
        results.push(result("captures", &captures, SHORT)?);
    }
    let report = json!({ "memory": memory, "results": results });
    println!("{report}");
    Ok(())
}

fn result(name: &str, bodies: &Bodies, bytes: usize) -> Result<Value> {
    let rounds = rounds::run(bodies, bytes);
    same(name, &rounds)?;
    let contenders: Vec<Value> = Contender::ALL
        .iter()
        .zip(rounds)
        .map(|(contender, times)| {
            json!({
                "name": contender.name(),
                "events": times.seen.events,
                "content_bytes": times.seen.content_bytes,
                "bytes": times.bytes,
                "ns": times.ns,
            })
        })
        .collect();
    Ok(
        json!({ "name": name, "bodies": bodies.len(), "left_out": bodies.left_out(), "contenders": contenders }),
    )
}

/// Who leaves events out is not to be compared with.
fn same(name: &str, rounds: &[Times]) -> Result<()> {
    for (contender, times) in Contender::ALL.iter().zip(rounds) {
        if rounds
            .iter()
            .any(|other| other.seen.events != times.seen.events)
        {
            let events: Vec<_> = rounds.iter().map(|times| times.seen.events).collect();
            bail!(
                "{name}: not everybody saw the same events as {}: {events:?}",
                contender.name()
            );
        }
    }
    Ok(())
}
