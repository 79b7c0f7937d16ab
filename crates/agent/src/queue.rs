//! Records that wait to be posted, in memory. What to send when is `streamlag_wire::delivery`'s decision.

use std::collections::VecDeque;

use streamlag_wire::delivery::{Answer, Limits, Outbox, Verdict};

/// Most bytes that a browser lets requests carry that outlive their page, all of them together.
pub(crate) const EXIT_BYTES: usize = 60 << 10;

/// A batch stays below that, so that each post may outlive the page.
const LIMITS: Limits = Limits {
    batch_records: 50,
    batch_bytes: 48 << 10,
    kept_records: 500,
    first_wait_ms: 1_000,
    longest_wait_ms: 60_000,
};

/// Oldest first.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    outbox: Outbox,
    waiting: VecDeque<Item>,
    in_flight: Vec<Batch>,
    tickets: u32,
}

/// One record as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) json: String,
}

/// Records on their way together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Batch {
    pub(crate) ticket: u32,
    pub(crate) items: Vec<Item>,
}

impl Batch {
    /// The body: one JSON object a line.
    pub(crate) fn body(&self) -> String {
        let lines: Vec<&str> = self.items.iter().map(|item| item.json.as_str()).collect();
        lines.join("\n")
    }

    fn bytes(&self) -> usize {
        self.items.iter().map(|item| item.json.len() + 1).sum()
    }
}

impl Queue {
    /// Takes a record; where too many wait, the oldest go.
    pub(crate) fn push(&mut self, item: Item) {
        self.waiting.push_back(item);
        let over = self.outbox.overflow(&LIMITS, self.waiting.len());
        self.waiting.drain(..over);
    }

    /// The next batch, if it is time; one at a time.
    pub(crate) fn next(&mut self, now_ms: i64) -> Option<Batch> {
        if !self.in_flight.is_empty() {
            return None;
        }
        let sizes = self.waiting.iter().map(|item| item.json.len());
        let count = self.outbox.batch(&LIMITS, sizes, now_ms);
        self.take(count)
    }

    /// A batch from a page that goes away. It doesn't wait out a back-off, since there is no later, and
    /// keeps what a browser allows in all.
    pub(crate) fn next_at_exit(&mut self) -> Option<Batch> {
        let used: usize = self.in_flight.iter().map(Batch::bytes).sum();
        let mut room = EXIT_BYTES.saturating_sub(used).min(LIMITS.batch_bytes);
        let fits = |item: &&Item| {
            let left = room.checked_sub(item.json.len() + 1);
            room = left.unwrap_or(room);
            left.is_some()
        };
        let count = self.waiting.iter().take_while(fits).count();
        self.take(count.min(LIMITS.batch_records))
    }

    /// Takes in what became of a batch. True: its records are done with; false: they wait again.
    pub(crate) fn settle(&mut self, ticket: u32, answer: Answer, now_ms: i64, spread: u32) -> bool {
        let Some(at) = self.in_flight.iter().position(|b| b.ticket == ticket) else {
            return true;
        };
        let batch = self.in_flight.swap_remove(at);
        let sent = batch.items.len();
        let verdict = self.outbox.after(&LIMITS, answer, sent, now_ms, spread);
        if verdict == Verdict::Keep {
            for item in batch.items.into_iter().rev() {
                self.waiting.push_front(item);
            }
            let over = self.outbox.overflow(&LIMITS, self.waiting.len());
            self.waiting.drain(..over);
        }
        verdict == Verdict::Remove
    }

    /// How long until the next batch may go; `None`: nothing waits.
    pub(crate) fn wait_ms(&self, now_ms: i64) -> Option<u32> {
        let left = self.outbox.not_before_ms.saturating_sub(now_ms).max(0);
        (!self.waiting.is_empty()).then(|| u32::try_from(left).unwrap_or(u32::MAX))
    }

    fn take(&mut self, count: usize) -> Option<Batch> {
        if count == 0 {
            return None;
        }
        let batch = Batch {
            ticket: self.tickets,
            items: self.waiting.drain(..count).collect(),
        };
        self.tickets = self.tickets.wrapping_add(1);
        self.in_flight.push(batch.clone());
        Some(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(sizes: &[usize]) -> Queue {
        let mut queue = Queue::default();
        for (id, size) in sizes.iter().enumerate() {
            queue.push(Item {
                id: id.to_string(),
                json: "x".repeat(*size),
            });
        }
        queue
    }

    fn ids(batch: &Batch) -> Vec<&str> {
        batch.items.iter().map(|item| item.id.as_str()).collect()
    }

    #[test]
    fn one_batch_goes_at_a_time_one_record_a_line() {
        let mut queue = queue(&[2, 3]);
        let batch = queue.next(0).unwrap();
        assert_eq!(batch.body(), "xx\nxxx");
        queue.push(Item {
            id: "new".into(),
            json: "y".into(),
        });
        assert_eq!(queue.next(0), None);
        assert!(queue.settle(batch.ticket, Answer::Stored, 0, 0));
        assert_eq!(ids(&queue.next(0).unwrap()), ["new"]);
    }

    #[test]
    fn a_failed_batch_waits_and_goes_again_before_newer_records() {
        let mut queue = queue(&[1, 1]);
        let batch = queue.next(0).unwrap();
        queue.push(Item {
            id: "new".into(),
            json: "y".into(),
        });
        assert!(!queue.settle(batch.ticket, Answer::Later(None), 0, u32::MAX));
        assert_eq!(queue.next(0), None, "the back-off holds");
        let wait = queue.wait_ms(0).unwrap();
        assert!((500..=1_000).contains(&wait), "{wait}");
        let again = queue.next(i64::from(wait)).unwrap();
        assert_eq!(ids(&again), ["0", "1", "new"]);
    }

    #[test]
    fn at_exit_a_back_off_is_not_waited_out() {
        let mut queue = queue(&[1]);
        let batch = queue.next(0).unwrap();
        queue.settle(batch.ticket, Answer::Later(None), 0, 0);
        assert_eq!(ids(&queue.next_at_exit().unwrap()), ["0"]);
    }

    #[test]
    fn at_exit_all_posts_together_stay_within_what_a_browser_allows() {
        let mut queue = queue(&[20_000, 20_000, 20_000, 20_000]);
        let first = queue.next_at_exit().unwrap();
        assert_eq!(ids(&first), ["0", "1"]);
        let second = queue.next_at_exit().unwrap();
        assert_eq!(ids(&second), ["2"]);
        assert_eq!(queue.next_at_exit(), None);
        assert!(first.bytes() + second.bytes() <= EXIT_BYTES);
        assert_eq!(queue.wait_ms(0), Some(0), "the fourth still waits");
    }

    #[test]
    fn a_refused_batch_is_done_with() {
        let mut queue = queue(&[1]);
        let batch = queue.next(0).unwrap();
        assert!(queue.settle(batch.ticket, Answer::Refused, 0, 0));
        assert_eq!(queue.wait_ms(0), None);
    }
}
