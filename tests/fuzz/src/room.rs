//! How much memory a reader holds.

use cap::Cap;
use std::alloc::System;
use streamlag_core::reader::Reader;

use crate::transcript::Nothing;

#[global_allocator]
static ALL: Cap<System> = Cap::new(System, usize::MAX);

/// What a dialect may remember of a stream: counts, marks and hashes of a few hundred calls.
const REMEMBERED: usize = 16 << 10;
/// How often the body comes.
const TIMES: usize = 8;

/// Reads the body again and again as one stream, each time with an end to its last event.
pub(crate) fn is_bounded(mut reader: Reader, body: &[u8]) {
    let mut twice = 0;
    let before = ALL.allocated();
    for time in 1..=TIMES {
        reader.push(body, &mut Nothing);
        reader.push(b"\n\n", &mut Nothing);
        if time == 2 {
            twice = ALL.allocated().saturating_sub(before);
        }
    }
    let held = ALL.allocated().saturating_sub(before);
    // Elsewhere a value that is never closed is one event, and kept up to the limit.
    if matches!(reader.framing(), Some("sse" | "ndjson")) {
        assert!(
            held <= twice + REMEMBERED,
            "{twice} bytes after two bodies, {held} after {TIMES}"
        );
    }
    // Nothing of a body takes more than its notes: a few words for each of its values.
    assert!(
        held <= REMEMBERED + 48 * TIMES * (body.len() + 2),
        "{held} bytes for {} read",
        TIMES * (body.len() + 2)
    );
}
