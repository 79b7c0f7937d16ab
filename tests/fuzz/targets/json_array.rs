//! Any bytes, any split, read as a JSON array.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| streamlag_fuzz::check("jsonarray", data));
