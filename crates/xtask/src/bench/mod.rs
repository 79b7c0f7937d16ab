//! `cargo xtask bench`: numbers that depend on the machine, and so are no tests. Always beside something else in
//! the same run, as ratios.

mod accuracy;
mod page;
mod parse;
mod ratio;
mod weight;
mod wrap;

use anyhow::Result;
use clap::Subcommand;
use harness::place::Place;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// How quickly streams are read, beside other libraries: natively, and in a page.
    Parse,
    /// How far the numbers are off: beside a bare read loop, natively, in Chromium and in workerd.
    Accuracy(accuracy::Options),
    /// The bare loop as a process of its own; `accuracy` starts it.
    #[command(hide = true)]
    BareLoop,
    /// What measuring adds to each read of an app's answer, in a page.
    Wrap,
}

/// Runs one and prints its numbers.
///
/// # Errors
/// When something it needs is missing or does not build.
pub(crate) fn run(place: &Place, bench: &Bench) -> Result<()> {
    match bench {
        Bench::Parse => parse::run(place),
        Bench::Accuracy(options) => accuracy::run(place, options),
        Bench::BareLoop => accuracy::bare_loop(),
        Bench::Wrap => wrap::run(place),
    }
}
