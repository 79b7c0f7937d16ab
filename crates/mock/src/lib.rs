//! A scripted LLM server that knows the truth: what it sent when.

mod server;

pub use server::{Options, Server, StartError};
