//! Rounds that take turns, so that a busy moment or a warm cache favours nobody.

use bytes::Bytes;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

use crate::contender::Contender;
use crate::seen::Seen;

/// What one contender saw and took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times {
    pub(crate) seen: Seen,
    /// Each round's.
    pub(crate) ns: Vec<u64>,
}

/// Lets all of them read the same streams, round after round; one more before the first to warm up.
pub(crate) fn run(contenders: &[Contender], streams: &[Vec<Bytes>], rounds: usize) -> Vec<Times> {
    let mut all = vec![Times::default(); contenders.len()];
    for round in 0..=rounds {
        for turn in 0..all.len() {
            let who = (round + turn) % all.len();
            let mut seen = Seen::default();
            let before = thread_ns();
            read_all(contenders[who], streams, &mut seen);
            let took = thread_ns() - before;
            all[who].seen = seen;
            if round > 0 {
                all[who].ns.push(took);
            }
        }
    }
    all
}

/// Reads one stream after the other.
pub(crate) fn read_all(contender: Contender, streams: &[Vec<Bytes>], seen: &mut Seen) {
    for reads in streams {
        contender.read(black_box(reads), seen);
    }
    black_box(seen);
}

/// What this thread has computed so far. Unlike the time of day it does not count other programs' turns.
fn thread_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
