//! Any bytes, any split: the ndjson framing gives the same events and never panics.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| streamlag_fuzz::same_however_split("ndjson", data));
