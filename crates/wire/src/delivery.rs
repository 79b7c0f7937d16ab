//! The outbox as a policy: what to send when, what to keep, what to give up. One for the browser's queue
//! and the edge's outbox. It does no I/O and reads no clock: time is a [`Duration`] from any fixed start.

use std::collections::VecDeque;
use std::time::Duration;

/// The limits of an [`Outbox`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Most records in one batch.
    pub batch_records: usize,
    /// Most bytes in one batch. A single larger record still goes, alone.
    pub batch_bytes: usize,
    /// Most records kept; beyond it the oldest is dropped and counted.
    pub keep_records: usize,
    /// Most bytes kept; the same.
    pub keep_bytes: usize,
    /// The wait after the first failure; it doubles with each further one.
    pub first_wait: Duration,
    /// The longest wait between two tries.
    pub longest_wait: Duration,
}

impl Default for Policy {
    /// Fits a page: a batch stays below the 64 KiB that a browser allows for requests outliving it.
    fn default() -> Self {
        Self {
            batch_records: 50,
            batch_bytes: 48 << 10,
            keep_records: 500,
            keep_bytes: 2 << 20,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
        }
    }
}

/// Records on their way, oldest first.
#[derive(Debug, Default)]
pub struct Outbox {
    policy: Policy,
    waiting: VecDeque<Item>,
    in_flight: Vec<(u32, Vec<Item>)>,
    next_ticket: u32,
    failures: u32,
    backing_off_until: Option<Duration>,
    paused_until: Option<Duration>,
    dropped: u64,
}

#[derive(Debug)]
struct Item {
    id: String,
    json: String,
}

/// What to send now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Names the batch in [`Outbox::settle`].
    pub ticket: u32,
    /// The records' ids, in the order of the body.
    pub ids: Vec<String>,
    /// One JSON object a line.
    pub body: String,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Send this, then [`Outbox::settle`] it.
    Send(Batch),
    /// Ask again at this time.
    WaitUntil(Duration),
    /// Nothing to do until a push or a settled batch.
    Idle,
}

/// How sending went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// The other side has read them: stored, known already, or refused for good. None is sent again.
    Taken,
    /// It could not be reached or failed (network, 5xx, 408): wait and try again.
    Failed,
    /// It asked for a pause (429 or 503 with `Retry-After`).
    Pause(Duration),
    /// The batch was too large (413): it goes again in smaller ones, a single record is given up.
    TooLarge,
}

impl Outbox {
    /// An empty outbox.
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// Takes a record as one line of JSON. Where that is more than can be kept, the oldest go.
    pub fn push(&mut self, id: String, json: String) {
        self.waiting.push_back(Item { id, json });
        self.shrink();
    }

    /// What to do at `now`. At most one batch is on its way at a time.
    pub fn next(&mut self, now: Duration) -> Step {
        if self.waiting.is_empty() || !self.in_flight.is_empty() {
            return Step::Idle;
        }
        match self.backing_off_until.max(self.paused_until) {
            Some(until) if until > now => Step::WaitUntil(until),
            _ => Step::Send(self.take(self.policy.batch_bytes)),
        }
    }

    /// A batch for a place that is about to vanish: does not wait out a back-off, honours a pause that
    /// the server asked for, and never exceeds `room` bytes together with what is on its way.
    pub fn next_at_exit(&mut self, now: Duration, room: usize) -> Option<Batch> {
        let room = room.checked_sub(self.bytes_in_flight())?;
        let first = self.waiting.front()?;
        let paused = self.paused_until.is_some_and(|until| until > now);
        (!paused && first.json.len() <= room).then(|| self.take(room.min(self.policy.batch_bytes)))
    }

    /// Tells how sending a batch went. `spread` in 0..1 (random) keeps many senders from returning at once.
    pub fn settle(&mut self, ticket: u32, reply: Reply, now: Duration, spread: f64) {
        let Some(at) = self.in_flight.iter().position(|(t, _)| *t == ticket) else {
            return;
        };
        let (_, items) = self.in_flight.swap_remove(at);
        match reply {
            Reply::Taken => {
                self.failures = 0;
                self.backing_off_until = None;
                self.paused_until = None;
            }
            Reply::Failed => {
                self.put_back(items);
                self.failures = self.failures.saturating_add(1);
                self.backing_off_until = Some(now + self.wait(spread));
            }
            Reply::Pause(pause) => {
                self.put_back(items);
                self.paused_until = Some(now + pause);
            }
            Reply::TooLarge if items.len() > 1 => {
                self.policy.batch_records = items.len() / 2;
                self.put_back(items);
            }
            Reply::TooLarge => self.dropped += 1,
        }
    }

    /// How many records were given up so far.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// How many records are not known to have arrived.
    pub fn pending(&self) -> usize {
        self.waiting.len() + self.in_flight.iter().map(|(_, i)| i.len()).sum::<usize>()
    }

    fn take(&mut self, most_bytes: usize) -> Batch {
        let mut items: Vec<Item> = Vec::new();
        let mut body = String::new();
        while let Some(item) = self.waiting.front() {
            let full = items.len() >= self.policy.batch_records
                || body.len() + 1 + item.json.len() > most_bytes;
            if full && !items.is_empty() {
                break;
            }
            if !body.is_empty() {
                body.push('\n');
            }
            body.push_str(&item.json);
            items.extend(self.waiting.pop_front());
        }
        let ticket = self.next_ticket;
        self.next_ticket = ticket.wrapping_add(1);
        let ids = items.iter().map(|item| item.id.clone()).collect();
        self.in_flight.push((ticket, items));
        Batch { ticket, ids, body }
    }

    fn put_back(&mut self, items: Vec<Item>) {
        for item in items.into_iter().rev() {
            self.waiting.push_front(item);
        }
        self.shrink();
    }

    fn shrink(&mut self) {
        let mut bytes: usize = self.waiting.iter().map(|item| item.json.len()).sum();
        while self.waiting.len() > self.policy.keep_records || bytes > self.policy.keep_bytes {
            let Some(oldest) = self.waiting.pop_front() else {
                break;
            };
            bytes -= oldest.json.len();
            self.dropped += 1;
        }
    }

    fn wait(&self, spread: f64) -> Duration {
        let doublings = self.failures.saturating_sub(1).min(20);
        let full = self.policy.first_wait.saturating_mul(1 << doublings);
        let full = full.min(self.policy.longest_wait);
        full.mul_f64(0.5 + spread.clamp(0.0, 1.0) / 2.0)
    }

    fn bytes_in_flight(&self) -> usize {
        let items = self.in_flight.iter().flat_map(|(_, items)| items);
        items.map(|item| item.json.len() + 1).sum()
    }
}

#[cfg(test)]
mod tests;
