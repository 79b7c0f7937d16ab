//! The edge shell: one object a region probes named targets and posts signed records.
//!
//! The pure parts (everything but `platform`) build and are tested on any machine; `platform` is what
//! touches the runtime: the router, the region's object, its storage and its network.
//!
//! *Takes target ids, never URLs. Stamps in the read loop, parses after the end. Persists after a probe,
//! never just before a stamp. The prober's own failure is never the target's.*

pub mod auth;
pub mod colo;
pub mod host;
pub mod measure;
pub mod memory;
pub mod orders;
#[cfg(target_arch = "wasm32")]
mod platform;
pub mod private_host;
pub mod probe;
pub mod probe_run;
pub mod schedule;
pub mod settings;
pub mod targets;
