//! A scripted LLM server that knows the truth: what it sent when.
//!
//! It speaks the streaming chat dialects of OpenAI, Anthropic and Ollama, plays a [`Script`] of delays,
//! gaps, stalls, bursts and failures, and keeps a truth log: when each request had been read and when each
//! event was written. Every claim about a measured duration is checked against that log, so *a written
//! stamp is taken when the socket write returned, never when bytes were put into a queue*.
//!
//! ```text
//! request ─► preset, grammar ─► Script ─► schedule (pure) ─► dialect ─► play ─► socket
//!                                                                         └────► truth
//! ```

mod chat;
mod connection;
mod dialect;
mod grammar;
mod http;
mod play;
mod preset;
mod replay;
mod route;
mod schedule;
mod script;
mod server;
mod text;
mod timing_error;
mod truth;

pub use grammar::{ITEMS, ScriptError};
pub use preset::{NoScript, PRESETS, Preset};
pub use script::{Body, Script, Stop};
pub use server::{Options, Server, StartError};
pub use timing_error::TimingError;
pub use truth::{Ending, Event, Truth};
