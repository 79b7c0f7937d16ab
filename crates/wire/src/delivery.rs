//! The outbox as a policy: how much to send next, when to try again, what to give up, and how many
//! records were lost on the way. One for the browser's queue and the edge's outbox.
//!
//! Pure: the shell keeps the rows (oldest first), does the post, and tells what came back. *A record is
//! dropped only where this policy says so, and every drop is counted.*

use serde::{Deserialize, Serialize};

/// How much is kept and sent, and how long to wait after a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most records of one post.
    pub batch_records: usize,
    /// Most bytes of one post, separators included.
    pub batch_bytes: usize,
    /// Most records kept; beyond it the oldest are dropped.
    pub kept_records: usize,
    /// Wait after the first failure; doubled by each further one.
    pub first_wait_ms: u32,
    /// Longest such wait.
    pub longest_wait_ms: u32,
}

/// What became of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Stored (or stored before).
    Stored,
    /// Will never be taken: the records themselves are wrong.
    Refused,
    /// Too large for the collector.
    TooLarge,
    /// Not now: try again, at the earliest after so many milliseconds where the collector said so.
    Later(Option<u32>),
}

impl Answer {
    /// Reads a collector's answer; `None`: there was none. A wrong key or signature (401, 403) is the
    /// set-up's fault and can be mended, so the records wait.
    pub fn from_status(status: Option<u16>, retry_after_ms: Option<u32>) -> Self {
        match status {
            Some(200..=299) => Self::Stored,
            Some(400 | 422) => Self::Refused,
            Some(413) => Self::TooLarge,
            _ => Self::Later(retry_after_ms),
        }
    }
}

/// What to do with the rows that were sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Take them out: they are stored, or given up and counted.
    Remove,
    /// Leave them.
    Keep,
}

/// What the policy remembers between posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Outbox {
    /// Failures in a row.
    pub failures: u32,
    /// No post before this moment (milliseconds of the caller's clock).
    pub not_before_ms: i64,
    /// Posts are split in two this many times, since the collector found them too large.
    pub halved: u32,
    /// Records dropped because too many waited.
    pub dropped: u64,
    /// Records given up because the collector will never take them.
    pub refused: u64,
}

impl Outbox {
    /// How many of the oldest rows make the next post, given each row's bytes. At least one, if there is
    /// one and the wait is over.
    pub fn batch(
        &self,
        limits: &Limits,
        rows: impl IntoIterator<Item = usize>,
        now_ms: i64,
    ) -> usize {
        if now_ms < self.not_before_ms {
            return 0;
        }
        let most = (limits.batch_records >> self.halved.min(31)).max(1);
        let mut bytes = 0_usize;
        let fits = |row: usize| {
            bytes = bytes.saturating_add(row).saturating_add(1);
            bytes <= limits.batch_bytes
        };
        let mut rows = rows.into_iter().take(most).peekable();
        let least = usize::from(rows.peek().is_some());
        rows.map(fits).take_while(|fits| *fits).count().max(least)
    }

    /// Takes in what became of a post of `sent` records. `spread` is any random number: shells that
    /// failed together then don't come back together.
    pub fn after(
        &mut self,
        limits: &Limits,
        answer: Answer,
        sent: usize,
        now_ms: i64,
        spread: u32,
    ) -> Verdict {
        let count = sent as u64;
        match answer {
            Answer::Stored => {
                (self.failures, self.not_before_ms, self.halved) = (0, 0, 0);
                Verdict::Remove
            }
            Answer::Refused => {
                self.refused = self.refused.saturating_add(count);
                Verdict::Remove
            }
            Answer::TooLarge if sent > 1 => {
                self.halved = self.halved.saturating_add(1);
                Verdict::Keep
            }
            Answer::TooLarge => {
                self.refused = self.refused.saturating_add(count);
                Verdict::Remove
            }
            Answer::Later(asked_ms) => {
                let doubled = u64::from(limits.first_wait_ms) << self.failures.min(31);
                let wait = doubled.min(u64::from(limits.longest_wait_ms));
                // Half of the wait is fixed, half is drawn.
                let wait = wait / 2 + u64::from(spread) % (wait / 2 + 1);
                let wait = wait.max(u64::from(asked_ms.unwrap_or(0)));
                self.failures = self.failures.saturating_add(1);
                self.not_before_ms = now_ms.saturating_add_unsigned(wait);
                Verdict::Keep
            }
        }
    }

    /// How many of the oldest rows must go so that the rest is within bounds. They are counted as dropped.
    pub fn overflow(&mut self, limits: &Limits, rows: usize) -> usize {
        let over = rows.saturating_sub(limits.kept_records);
        self.dropped = self.dropped.saturating_add(over as u64);
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        batch_records: 8,
        batch_bytes: 100,
        kept_records: 20,
        first_wait_ms: 1_000,
        longest_wait_ms: 60_000,
    };

    #[test]
    fn a_batch_is_bounded_by_count_and_bytes_and_never_empty() {
        let outbox = Outbox::default();
        assert_eq!(outbox.batch(&LIMITS, [], 0), 0);
        assert_eq!(outbox.batch(&LIMITS, [1; 20], 0), 8);
        assert_eq!(outbox.batch(&LIMITS, [49, 49, 49], 0), 2);
        assert_eq!(outbox.batch(&LIMITS, [1_000, 1], 0), 1);
    }

    #[test]
    fn an_hour_without_collector_loses_nothing_within_the_bound() {
        let (mut outbox, mut now, mut posts) = (Outbox::default(), 0, 0);
        while now < 3_600_000 {
            assert_eq!(
                outbox.batch(&LIMITS, [1; 20], now - 1),
                0,
                "tried too early"
            );
            assert_eq!(outbox.batch(&LIMITS, [1; 20], now), 8);
            let verdict = outbox.after(
                &LIMITS,
                Answer::from_status(Some(500), None),
                8,
                now,
                now as u32,
            );
            assert_eq!(verdict, Verdict::Keep);
            now = outbox.not_before_ms;
            posts += 1;
        }
        assert!(posts < 130, "{posts} posts in an hour is no back-off");
        assert_eq!((outbox.dropped, outbox.refused), (0, 0));
        assert_eq!(
            outbox.after(&LIMITS, Answer::Stored, 8, now, 0),
            Verdict::Remove
        );
        assert_eq!(outbox, Outbox::default());
    }

    #[test]
    fn the_wait_grows_is_spread_and_ends_at_its_bound() {
        let mut outbox = Outbox::default();
        for (failure, most) in [1_000, 2_000, 4_000, 8_000].into_iter().enumerate() {
            outbox.after(&LIMITS, Answer::Later(None), 1, 0, failure as u32 * 7_919);
            assert!((most / 2..=most).contains(&outbox.not_before_ms));
        }
        outbox.failures = u32::MAX;
        outbox.after(&LIMITS, Answer::Later(None), 1, 0, u32::MAX);
        assert!(outbox.not_before_ms <= 60_000);
        outbox.after(&LIMITS, Answer::Later(Some(90_000)), 1, 0, 0);
        assert_eq!(outbox.not_before_ms, 90_000);
    }

    #[test]
    fn a_post_that_is_too_large_is_split_until_it_fits_or_is_one_record() {
        let mut outbox = Outbox::default();
        for size in [4, 2, 1] {
            let sent = outbox.batch(&LIMITS, [1; 20], 0);
            assert_eq!(
                outbox.after(&LIMITS, Answer::TooLarge, sent, 0, 0),
                Verdict::Keep
            );
            assert_eq!(outbox.batch(&LIMITS, [1; 20], 0), size);
        }
        assert_eq!(
            outbox.after(&LIMITS, Answer::TooLarge, 1, 0, 0),
            Verdict::Remove
        );
        assert_eq!(outbox.refused, 1);
    }

    #[test]
    fn what_can_be_mended_waits_and_what_cannot_is_counted() {
        assert_eq!(Answer::from_status(Some(401), None), Answer::Later(None));
        assert_eq!(Answer::from_status(None, None), Answer::Later(None));
        assert_eq!(Answer::from_status(Some(302), None), Answer::Later(None));
        let mut outbox = Outbox::default();
        let refused = Answer::from_status(Some(400), None);
        assert_eq!(outbox.after(&LIMITS, refused, 3, 0, 0), Verdict::Remove);
        assert_eq!(outbox.refused, 3);
    }

    #[test]
    fn the_oldest_rows_go_first_and_are_counted() {
        let mut outbox = Outbox::default();
        assert_eq!(outbox.overflow(&LIMITS, 20), 0);
        assert_eq!(outbox.overflow(&LIMITS, 23), 3);
        assert_eq!(outbox.dropped, 3);
    }
}
