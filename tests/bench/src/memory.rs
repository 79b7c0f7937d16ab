//! Whether memory stays flat over a long stream.

use anyhow::{Result, bail};
use bytes::Bytes;
use serde_json::{Value, json};
use std::fs;

use crate::ours;
use crate::seen::Seen;

/// More than that is not flat.
const SLACK_KB: u64 = 256;

/// The process's memory in KB while the probe reads one long stream: at its beginning, after a hundredth of it, and the
/// most it had from then on. Null where the system does not tell.
///
/// # Errors
/// When it grows.
pub(crate) fn of_one_long_stream(reads: &[Bytes]) -> Result<Value> {
    let before = status("VmRSS:");
    let (mut settled, mut reset) = (None, false);
    let mut count = 0;
    let mut seen = Seen::default();
    ours::measure_watched(reads, &mut seen, &mut || {
        count += 1;
        if count == reads.len() / 100 {
            settled = status("VmRSS:");
            // From now on the highest is that of the rest.
            reset = fs::write("/proc/self/clear_refs", "5").is_ok();
        }
    });
    let most = status("VmHWM:").filter(|_| reset);
    if let (Some(settled), Some(most)) = (settled, most)
        && most > settled + SLACK_KB
    {
        bail!("memory grew from {settled} to {most} KB over one stream");
    }
    Ok(json!({
        "bytes": reads.iter().map(Bytes::len).sum::<usize>(),
        "events": seen.events,
        "before_kb": before,
        "settled_kb": settled,
        "most_kb": most,
    }))
}

fn status(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}
