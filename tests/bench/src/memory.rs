//! Whether memory stays flat over a long stream.

use serde_json::{Value, json};
use std::fs;
use std::hint::black_box;

use crate::bodies::Bodies;
use crate::contender::Contender;

/// The process's memory in KB before and after the probe has read so many bytes as one stream, and the most it
/// had meanwhile. Nulls where the system does not tell.
pub(crate) fn of_one_long_stream(bodies: &Bodies, bytes: usize) -> Value {
    let streams = bodies.streams(bytes);
    // From now on the highest is that of this run.
    let reset = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = status("VmRSS:");
    for reads in &streams {
        black_box(Contender::Probe.read(reads));
    }
    json!({
        "bytes": streams.iter().flatten().map(bytes::Bytes::len).sum::<usize>(),
        "before_kb": before,
        "after_kb": status("VmRSS:"),
        "most_kb": status("VmHWM:").filter(|_| reset),
    })
}

fn status(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}
