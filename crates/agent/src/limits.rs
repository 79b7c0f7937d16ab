//! When to give up on a request: three limits, never one. Pure; the shell sets the timer.

use std::time::Duration;

use streamlag_core::{Mono, Stamp, TimeoutPhase};

/// How long each part of a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Send → headers. A page cannot tell connecting from waiting for headers, so this covers both.
    pub headers: Duration,
    /// Headers → first body byte.
    pub first_byte: Duration,
    /// Silence between two reads.
    pub between_chunks: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // 3 s to connect and 10 s to the first packet: many services hold their headers back until then.
            headers: Duration::from_secs(13),
            first_byte: Duration::from_secs(10),
            between_chunks: Duration::from_secs(30),
        }
    }
}

/// How far a request has come.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Progress {
    /// Sent at.
    Sent(Stamp<Mono>),
    /// Headers came at.
    Headers(Stamp<Mono>),
    /// The latest read returned at.
    Read(Stamp<Mono>),
}

/// What a timer that fires now must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Look again after this time.
    Wait(Duration),
    /// The limit of this phase ran out.
    Expired(TimeoutPhase),
}

impl Limits {
    /// Looked at only when a timer fires, so that a read costs nothing here.
    pub(crate) fn check(&self, progress: Progress, now: Stamp<Mono>) -> Verdict {
        let (since, limit, phase) = match progress {
            Progress::Sent(at) => (at, self.headers, TimeoutPhase::Connect),
            Progress::Headers(at) => (at, self.first_byte, TimeoutPhase::FirstByte),
            Progress::Read(at) => (at, self.between_chunks, TimeoutPhase::BetweenChunks),
        };
        let passed = now.since(since).unwrap_or_default();
        match limit.checked_sub(passed) {
            Some(left) if !left.is_zero() => Verdict::Wait(left),
            _ => Verdict::Expired(phase),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: i64) -> Stamp<Mono> {
        Stamp::from_ns(s * 1_000_000_000)
    }

    #[test]
    fn each_phase_has_its_own_limit_from_its_own_start() {
        let limits = Limits::default();
        for (progress, limit, phase) in [
            (Progress::Sent(at(100)), 13, TimeoutPhase::Connect),
            (Progress::Headers(at(100)), 10, TimeoutPhase::FirstByte),
            (Progress::Read(at(100)), 30, TimeoutPhase::BetweenChunks),
        ] {
            let last_second = limits.check(progress, at(100 + limit - 1));
            assert_eq!(last_second, Verdict::Wait(Duration::from_secs(1)));
            let over = limits.check(progress, at(100 + limit));
            assert_eq!(over, Verdict::Expired(phase));
        }
    }

    #[test]
    fn a_clock_that_ran_backwards_never_expires_a_request() {
        let verdict = Limits::default().check(Progress::Sent(at(100)), at(50));
        assert_eq!(verdict, Verdict::Wait(Duration::from_secs(13)));
    }
}
