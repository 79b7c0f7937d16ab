//! Any bytes, any split, read as sse.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| streamlag_fuzz::check("sse", data));
