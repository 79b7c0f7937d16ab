//! The wire record: what every vantage posts and the collector stores.
//!
//! One [`Record`] is one measured request. It holds durations, counts and words from closed lists;
//! *never the text of a prompt or an answer*. Field names are the vocabulary of the whole product, with
//! the unit as suffix (`ttft_ms`, `body_bytes`); a value that was not observed is left out, and `null` reads
//! the same. A measured 0 is always written.

pub mod columns;
pub mod context;
pub mod convert;
pub mod delivery;
pub mod fit;
pub mod hex;
#[cfg(feature = "json")]
pub mod json;
#[cfg(feature = "sign")]
pub mod prompt;
pub mod record;
pub mod relay;
#[cfg(feature = "json")]
pub mod request;
#[cfg(feature = "sign")]
pub mod sign;
pub mod sketch;
pub mod target;
#[cfg(feature = "json")]
pub mod validate;

pub use context::Context;
pub use record::{Record, SCHEMA};
pub use sketch::{SketchJson, Sketches};
pub use target::{Side, Target, Vantage};
