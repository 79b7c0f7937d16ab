//! What the reader makes of each framing and of each provider's stream, with its quirks. Everything that
//! is heard here is heard three times: in one read, in reads of one byte, and in uneven ones.

#![allow(missing_docs, reason = "a test")]

mod anthropic;
mod aws_eventstream;
mod families;
mod gemini;
mod heard;
mod no_stream;
mod ollama;
mod openai;
mod openai_errors;
mod responses;
mod sse;
mod steps;
mod totality;
mod values;
