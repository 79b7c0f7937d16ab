//! The collector's own wall clock: for what it stores and signs, never for durations.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 UTC.
pub(crate) fn now_ms() -> i64 {
    i64::try_from(since_1970().as_millis()).unwrap_or(i64::MAX)
}

/// Seconds since 1970 UTC.
pub(crate) fn now_s() -> u64 {
    since_1970().as_secs()
}

fn since_1970() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}
