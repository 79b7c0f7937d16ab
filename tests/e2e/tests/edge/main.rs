//! The worker in the real runtime, against the scripted server and the real collector.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test's helpers may fail the test"
)]

mod delivery;
mod ground;
mod outcomes;
mod safety;
mod schedule;
mod trap;
