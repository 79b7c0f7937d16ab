//! Any bytes, any split, read as Amazon's messages: as they are, and wrapped so that checksums are right.
#![no_main]

use streamlag_fuzz::{check, wrap};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    check("aws_eventstream", data);
    if let Some((options, pieces)) = data.split_first_chunk::<3>() {
        check(
            "aws_eventstream",
            &[&options[..], &wrap::messages(pieces)].concat(),
        );
    }
});
