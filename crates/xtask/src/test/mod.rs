//! `cargo xtask test`: every check, cheapest first, closing with the runners' own counts.

mod bare;
mod count;
mod e2e;
mod lint;
mod streams;
mod unit;

use anyhow::{Result, bail};
use clap::ValueEnum;
use harness::Place;
use harness::browser::Engine;
use std::time::Instant;

use crate::{setup, tidy};
use count::Counts;

/// One step, by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// The code is formatted.
    Fmt,
    /// The rules of the repository hold.
    Tidy,
    /// Clippy has nothing to say, natively and for wasm32.
    Clippy,
    /// Unit, property and documentation tests.
    Unit,
    /// The core needs nothing from its host.
    Bare,
    /// Recorded streams are read as they should be.
    Streams,
    /// `cargo xtask demo --once` ends with its table.
    Once,
    /// The real parts together: three browsers, workerd, collector, scripted server.
    E2e,
}

/// `Once` builds all that the last two need.
const ALL: [Part; 8] = [
    Part::Fmt,
    Part::Tidy,
    Part::Clippy,
    Part::Unit,
    Part::Bare,
    Part::Once,
    Part::Streams,
    Part::E2e,
];

/// Runs all parts, or one, and stops at the first that fails.
///
/// # Errors
/// When a part fails.
pub(crate) fn run(place: &Place, only: Option<Part>) -> Result<()> {
    if only.is_none() {
        // What is missing is better known before half an hour of work than after it.
        setup::all(place)?;
        setup::browsers::install(place, &Engine::ALL)?;
    }
    let mut counts = Counts::default();
    let mut failure = None;
    for part in ALL
        .into_iter()
        .filter(|part| only.is_none_or(|only| only == *part))
    {
        eprintln!("▸ {}", title(part));
        let start = Instant::now();
        let result = one(place, part, &mut counts);
        eprintln!("  {}: {:.1} s", title(part), start.elapsed().as_secs_f64());
        if let Err(error) = result {
            counts.fail_unless_counted();
            failure = Some((part, error));
            break;
        }
    }
    if let Some((part, error)) = &failure {
        eprintln!("\n{} failed: {error:#}", title(*part));
        eprintln!("Again, this part alone: cargo xtask test {}", name(*part));
    }
    counts.print();
    if failure.is_some() {
        bail!("a check failed");
    }
    Ok(())
}

fn one(place: &Place, part: Part, counts: &mut Counts) -> Result<()> {
    if matches!(part, Part::Clippy | Part::Bare | Part::E2e) {
        setup::all(place)?;
    }
    match part {
        Part::Fmt => lint::fmt(place),
        Part::Tidy => tidy::check(place),
        Part::Clippy => lint::clippy(place),
        Part::Unit => unit::run(place, counts),
        Part::Bare => bare::run(place, counts),
        Part::Streams => streams::run(place, counts),
        Part::Once => e2e::once(place, counts),
        Part::E2e => e2e::run(place, counts),
    }
}

fn name(part: Part) -> String {
    part.to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Fmt => "formatting",
        Part::Tidy => "tidy",
        Part::Clippy => "clippy, native and wasm32",
        Part::Unit => "unit, property and documentation tests",
        Part::Bare => "the core alone on wasm32",
        Part::Streams => "recorded streams",
        Part::Once => "the headless demo",
        Part::E2e => "end to end",
    }
}
