//! The measurement core: bytes and stamps in, a [`Measurement`] out.
//!
//! Browser, edge worker and command line drive the same [`Probe`]; each only reads its clocks and moves
//! bytes. *Nothing here does I/O, reads a clock, draws randomness or knows JavaScript*, and nothing here
//! can fail: a broken stream is data (an [`Outcome`], a flag, a problem counted), never an error.
//!
//! The way of the data:
//! ```text
//! Input::Bytes ─► framing ─► Frame ─► dialect ─► Delta ─┬─► Sink (text, for whoever shows it)
//!        stamp ─────────────────────────────────────────┴─► segments, sketches, flags ─► Measurement
//! ```

mod answer;
mod attempt;
pub mod clock;
pub mod delta;
mod dialect;
mod ending;
mod excuse;
mod failure;
pub mod flags;
mod framing;
pub mod gaps;
mod http;
pub mod input;
mod json;
pub mod measurement;
pub mod probe;
pub mod reader;
mod render;
mod scan;
mod segments;
pub mod sketch;
mod summary;
mod text;
mod usage;
mod watch;
mod words;

pub use clock::{Clock, ClockInfo, ClockName, Mono, Stamp, Wall};
pub use delta::{Delta, EventKinds, Sink, Usage};
pub use flags::Flags;
pub use input::{AbortBy, Failure, Head, Input, TimeoutPhase, Visibility};
pub use measurement::{ErrorClass, Measurement, Outcome};
pub use probe::{Config, Probe};
pub use sketch::Sketch;
