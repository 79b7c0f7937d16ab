//! One request, stamped while it runs and understood after it ended.
//!
//! *Nothing is parsed here*: parsing while reading makes every later stamp late. The loop reads the
//! clock at each read's return, keeps the bytes, and asks for the next read.

use std::pin::Pin;

use futures_util::future::{Either, select};
use streamlag_core::{Failure, TimeoutPhase};
use streamlag_wire::target::TargetConfig;

use crate::host::{Ask, Call, Head, Host};

/// Most body bytes of one answer; beyond it the request is given up.
pub const MAX_BODY_BYTES: usize = 8 << 20;
/// Longest request, whatever its pieces took.
pub const TOTAL_MS: u32 = 600_000;
/// A clock that only moves with I/O is stale before the send: this wait brings it up to date.
const FRESHEN_MS: u32 = 1;
/// While a request runs, a timer rings at least this often. How late it rings shows how late the reads may be:
/// nothing else does, since reads that return back to back are also what a burst looks like.
const HEARTBEAT_MS: i64 = 100;
/// A ring that is later than this was held back by other work in this place.
const LATE_MS: i64 = 10;
/// Most such times kept of one request.
const MOST_BLOCKED: usize = 64;

/// How long each phase may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Send → status and headers.
    pub connect_ms: u32,
    /// Send → first body byte.
    pub first_byte_ms: u32,
    /// Silence between two reads.
    pub between_chunks_ms: u32,
    /// Send → end.
    pub total_ms: u32,
}

impl Limits {
    /// A target's own limits.
    pub fn of(target: &TargetConfig) -> Self {
        Self {
            connect_ms: target.connect_timeout_ms,
            first_byte_ms: target.first_byte_timeout_ms,
            between_chunks_ms: target.between_chunks_timeout_ms,
            total_ms: TOTAL_MS,
        }
    }
}

/// What one request did, stamped in milliseconds of the host's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Just before the request was handed to the network.
    pub sent_ms: i64,
    /// Status and headers, and when they came.
    pub head: Option<(i64, Head)>,
    /// Every non-empty read: when it returned, and its bytes.
    pub reads: Vec<(i64, Vec<u8>)>,
    /// Times in which something else held this place up, so that reads in them are stamped late.
    pub blocked: Vec<(i64, i64)>,
    /// When it ended.
    pub ended_ms: i64,
    /// How it ended.
    pub ending: Ending,
}

impl Trace {
    /// The trace of a request that the set-up could not even make.
    pub const fn never_sent(now_ms: i64, reason: String) -> Self {
        Self {
            sent_ms: now_ms,
            head: None,
            reads: Vec::new(),
            blocked: Vec::new(),
            ended_ms: now_ms,
            ending: Ending::Prober(reason),
        }
    }
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The body ended cleanly; whether the answer did is the dialect's to say.
    Eof,
    /// Request or body failed.
    Lost(Failure),
    /// A limit ran out.
    TimedOut(TimeoutPhase),
    /// The body grew beyond [`MAX_BODY_BYTES`].
    TooLarge,
    /// The prober could not even ask. The sentence is for people, not for the record.
    Prober(String),
}

/// Asks once. Total: whatever happens is in the trace.
pub async fn run<H: Host>(host: &H, ask: &Ask, limits: Limits) -> Trace {
    let call = host.prepare(ask);
    host.sleep(FRESHEN_MS).await;
    let sent_ms = host.now_ms();
    let mut trace = Trace {
        sent_ms,
        head: None,
        reads: Vec::new(),
        blocked: Vec::new(),
        ended_ms: sent_ms,
        ending: Ending::Eof,
    };
    match call {
        Ok(mut call) => {
            let mut watchdog = Watchdog::new(host);
            trace.ending = follow(host, &mut call, limits, &mut watchdog, &mut trace).await;
            trace.blocked = watchdog.blocked;
            // Only now: the stamp of the end must not wait for the clean-up.
            call.abort();
        }
        Err(reason) => trace.ending = Ending::Prober(reason),
    }
    trace
}

/// Send, headers, reads, end: each stamped before anything else is done with it.
async fn follow<H: Host>(
    host: &H,
    call: &mut H::Call,
    limits: Limits,
    watchdog: &mut Watchdog<'_, H>,
    trace: &mut Trace,
) -> Ending {
    let due = |from: i64, ms: u32| from.saturating_add(i64::from(ms));
    let total = due(trace.sent_ms, limits.total_ms);
    let mut deadline = first_of(
        (due(trace.sent_ms, limits.connect_ms), TimeoutPhase::Connect),
        total,
    );
    let sent = within(call.send(), watchdog.reaches(deadline.0)).await;
    trace.ended_ms = host.now_ms();
    match sent {
        Some(Ok(head)) => trace.head = Some((trace.ended_ms, head)),
        Some(Err(failure)) => return Ending::Lost(failure),
        None => return Ending::TimedOut(deadline.1),
    }
    let mut bytes_read = 0;
    let first_byte = due(trace.sent_ms, limits.first_byte_ms);
    deadline = first_of((first_byte, TimeoutPhase::FirstByte), total);
    loop {
        let read = within(call.read(), watchdog.reaches(deadline.0)).await;
        trace.ended_ms = host.now_ms();
        watchdog.missed(trace.ended_ms);
        match read {
            Some(Ok(Some(bytes))) if bytes.is_empty() => {}
            Some(Ok(Some(bytes))) => {
                bytes_read += bytes.len();
                trace.reads.push((trace.ended_ms, bytes));
                if bytes_read > MAX_BODY_BYTES {
                    return Ending::TooLarge;
                }
                let next = due(trace.ended_ms, limits.between_chunks_ms);
                deadline = first_of((next, TimeoutPhase::BetweenChunks), total);
            }
            Some(Ok(None)) => return Ending::Eof,
            Some(Err(failure)) => return Ending::Lost(failure),
            None => return Ending::TimedOut(deadline.1),
        }
    }
}

fn first_of(own: (i64, TimeoutPhase), total: i64) -> (i64, TimeoutPhase) {
    if total < own.0 {
        (total, TimeoutPhase::Total)
    } else {
        own
    }
}

/// What the work gives, or `None` when the limit comes first. Where both are there, the work counts.
pub(crate) async fn within<T>(
    work: impl Future<Output = T>,
    limit: impl Future<Output = ()>,
) -> Option<T> {
    match select(std::pin::pin!(work), std::pin::pin!(limit)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}

/// One timer that outlives the reads: arming one a read would put two host calls between any two stamps.
struct Watchdog<'h, H> {
    host: &'h H,
    /// What it is armed for, and the running timer.
    armed: Option<(i64, Timer<'h>)>,
    blocked: Vec<(i64, i64)>,
}

type Timer<'h> = Pin<Box<dyn Future<Output = ()> + 'h>>;

impl<'h, H: Host> Watchdog<'h, H> {
    fn new(host: &'h H) -> Self {
        Self {
            host,
            armed: None,
            blocked: Vec::new(),
        }
    }

    /// Resolves when the host's clock reaches the deadline. A timer armed for an earlier moment is kept:
    /// when it rings too soon, it is armed again for what is left, or for the next beat.
    async fn reaches(&mut self, deadline: i64) {
        loop {
            if self.armed.as_ref().is_none_or(|(due, _)| *due > deadline) {
                let now_ms = self.host.now_ms();
                let due = deadline.min(now_ms + HEARTBEAT_MS).max(now_ms + 1);
                let wait = u32::try_from(due - now_ms).unwrap_or(u32::MAX);
                self.armed = Some((due, Box::pin(self.host.sleep(wait))));
            }
            if let Some((_, timer)) = &mut self.armed {
                timer.await;
            }
            self.missed(self.host.now_ms());
            self.armed = None;
            if self.host.now_ms() >= deadline {
                return;
            }
        }
    }

    /// Notes the time in which the timer was due and did not ring.
    fn missed(&mut self, now_ms: i64) {
        if let Some((due, _)) = self.armed.take_if(|(due, _)| now_ms - *due > LATE_MS)
            && self.blocked.len() < MOST_BLOCKED
        {
            self.blocked.push((due, now_ms));
        }
    }
}
