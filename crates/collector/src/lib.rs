//! The collector: takes records in, keeps them, compares them, and relays to targets.
//!
//! *A record is acknowledged only when it is on the disk.* *No key leaves this process but to its own
//! target.* Start reading at [`server`].

pub mod config;
pub mod server;

mod answer;
mod assets;
mod auth;
mod body;
mod clock;
mod edge;
mod ingest;
mod live;
mod origin;
mod query;
mod relay;
mod routes;
pub mod store;
pub mod upstream;

pub use server::{Options, ServeError, Server};
