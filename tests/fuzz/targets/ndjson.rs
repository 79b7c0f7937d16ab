//! Any bytes, any split, read as ndjson.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| streamlag_fuzz::check("ndjson", data));
