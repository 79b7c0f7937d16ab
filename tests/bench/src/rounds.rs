//! Rounds that take turns, so that a busy moment or a warm cache favours nobody.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

use crate::bodies::Bodies;
use crate::contender::{Contender, Seen};

const ROUNDS: usize = 9;

/// What one contender saw and took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times {
    pub(crate) seen: Seen,
    /// Of one round.
    pub(crate) bytes: usize,
    /// Each round's.
    pub(crate) ns: Vec<u64>,
}

/// Lets all of them read the same bytes, round after round; one more before the first to warm up.
pub(crate) fn run(bodies: &Bodies, bytes: usize) -> [Times; Contender::ALL.len()] {
    let streams = bodies.streams(bytes);
    let bytes = streams.iter().flatten().map(bytes::Bytes::len).sum();
    let mut all: [Times; Contender::ALL.len()] = Default::default();
    for round in 0..=ROUNDS {
        for turn in 0..all.len() {
            let who = (round + turn) % all.len();
            let before = thread_ns();
            let seen = read_all(Contender::ALL[who], &streams);
            let took = thread_ns() - before;
            let times = &mut all[who];
            (times.seen, times.bytes) = (seen, bytes);
            if round > 0 {
                times.ns.push(took);
            }
        }
    }
    all
}

fn read_all(contender: Contender, streams: &[Vec<bytes::Bytes>]) -> Seen {
    let mut all = Seen::default();
    for reads in streams {
        let seen = black_box(contender.read(black_box(reads)));
        all.events += seen.events;
        all.content_bytes += seen.content_bytes;
    }
    all
}

/// What this thread has computed so far. Unlike the time of day it does not count other programs' turns.
fn thread_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
