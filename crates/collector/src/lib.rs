//! The collector: ingest, store, query, live updates, relay, and the page.

pub mod config;
