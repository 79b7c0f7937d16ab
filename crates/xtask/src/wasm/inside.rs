//! The core inside an empty page, for benches and tests.

use anyhow::Result;
use harness::place::Place;
use std::path::PathBuf;

use super::{DEMO, Module, RELEASE, bindgen, build};

/// Whose reader is in the module.
#[derive(Clone, Copy)]
pub(crate) enum Reading {
    /// The core's.
    Ours,
    /// `serde_json` in its place.
    SerdeJson,
}

/// Builds a reader alone, as shipped.
///
/// # Errors
/// When a tool fails.
pub(crate) fn parse_page(place: &Place, reading: Reading) -> Result<PathBuf> {
    let (features, folder) = match reading {
        Reading::Ours => (&[][..], "parse-page"),
        Reading::SerdeJson => (&["serde_json"][..], "parse-page-serde_json"),
    };
    let module = Module {
        features,
        ..plain("parse-page", "parse_page", place)
    };
    build(place, &module, &RELEASE, &place.target().join(folder))
}

/// Builds the replay of recorded streams.
///
/// # Errors
/// When a tool fails.
pub(crate) fn replay_page(place: &Place) -> Result<PathBuf> {
    let module = plain("replay-page", "replay_page", place);
    build(place, &module, &DEMO, &place.replay_page())
}

/// Builds the agent in a page that shows nothing.
///
/// # Errors
/// When a tool fails.
pub(crate) fn accuracy_page(place: &Place) -> Result<PathBuf> {
    let module = plain("accuracy-page", "accuracy_page", place);
    build(place, &module, &DEMO, &place.target().join("accuracy-page"))
}

/// A module without anything beside it.
fn plain<'a>(package: &'a str, file: &'a str, place: &Place) -> Module<'a> {
    Module {
        package,
        file,
        name: file,
        host: bindgen::Host::Browser,
        features: &[],
        beside: place.root().join("tests").join(package),
        wanted: |_| false,
    }
}
