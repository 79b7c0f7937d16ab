//! The collector over HTTP, in process: a real server, a real database file, real upstreams.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails; the lints' own exception ends at functions that are no tests"
)]

mod comparison;
mod durable;
mod edge;
mod ingest;
mod live;
mod malice;
mod relay;
mod relay_headers;
mod relay_limits;
mod start;
mod support;
