//! The truth log: per request, when it came in and when each event was written.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use crate::timing_error::TimingError;

/// Most requests kept; the oldest go first.
const MOST_REQUESTS: usize = 10_000;
/// Most events kept over all requests; the oldest requests go first.
const MOST_EVENTS: usize = 2_000_000;

/// What was sent for one request. All times in µs since the request had been read whole.
#[derive(Debug, Clone, Serialize)]
pub struct Truth {
    /// The caller's `x-request-id`, or one drawn for it.
    pub id: String,
    /// Path and query as asked for.
    pub path: String,
    /// The script as it was written, or what was replayed.
    pub script: String,
    /// Wall clock when the request had been read, ms since 1970 UTC.
    pub received_unix_ms: f64,
    /// When status and headers were due. `null`: never.
    pub headers_scheduled_us: Option<u64>,
    /// When the write of status and headers had returned. `null`: not written.
    pub headers_us: Option<u64>,
    /// Every event written, in order.
    pub events: Vec<Event>,
    /// When the request was over. `null`: not yet.
    pub ended_us: Option<u64>,
    /// How it ended. `null`: not yet.
    pub ending: Option<Ending>,
}

/// One event on the wire.
#[derive(Debug, Clone, Serialize)]
pub struct Event {
    /// Its place in the stream, from 0.
    pub i: usize,
    /// `role`, `content`, `reasoning`, `tool`, `block`, `keepalive`, `error`, `finish`, `usage`, `done`,
    /// `whole`, `page`, `refusal`; in a replay `frame` or `bytes`.
    pub kind: &'static str,
    /// When it was due.
    pub scheduled_us: u64,
    /// Just before the socket write: no byte of it can have arrived earlier.
    pub began_us: u64,
    /// Just after the socket write returned: the kernel has all of it.
    pub written_us: u64,
    /// Its bytes, without the transfer coding.
    pub bytes: usize,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All of the script was written.
    Complete,
    /// All of it was written, and its last event was an error.
    Error,
    /// The script reset the connection.
    Cut,
    /// The script ended the body before the answer's end.
    Eof,
    /// The client closed its side first.
    ClientGone,
    /// The server was stopped meanwhile.
    ServerStopped,
}

/// One request's entry while it is being written.
#[derive(Debug, Clone)]
pub(crate) struct Entry(Arc<Mutex<Truth>>);

impl Entry {
    /// An entry of no log, for requests that measure nothing.
    pub(crate) fn unlisted(truth: Truth) -> Self {
        Self(Arc::new(Mutex::new(truth)))
    }

    /// Looks at or changes what is known.
    pub(crate) fn with<T>(&self, f: impl FnOnce(&mut Truth) -> T) -> T {
        f(&mut lock(&self.0))
    }
}

/// The log.
#[derive(Debug, Default)]
pub(crate) struct Log(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    entries: VecDeque<Entry>,
    /// Events of the entries that are over.
    events: usize,
}

impl Log {
    /// Opens an entry. The oldest entries go when there are too many.
    pub(crate) fn open(&self, truth: Truth) -> Entry {
        let entry = Entry::unlisted(truth);
        let mut inner = lock(&self.0);
        inner.entries.push_back(entry.clone());
        inner.trim();
        entry
    }

    /// Closes an entry: from now on it counts towards the bound on events.
    pub(crate) fn close(&self, entry: &Entry, ended_us: u64, ending: Ending) {
        let events = entry.with(|truth| {
            truth.ended_us = Some(ended_us);
            truth.ending = Some(ending);
            truth.events.len()
        });
        let mut inner = lock(&self.0);
        // It may have been pushed out while it ran.
        if inner
            .entries
            .iter()
            .rev()
            .any(|e| Arc::ptr_eq(&e.0, &entry.0))
        {
            inner.events += events;
            inner.trim();
        }
    }

    /// The latest entry of this id.
    pub(crate) fn find(&self, id: &str) -> Option<Truth> {
        let entries = self.newest_first(usize::MAX);
        let found = entries.iter().find(|e| e.with(|t| t.id == id));
        found.map(|e| e.with(|t| t.clone()))
    }

    /// The newest entries, newest first.
    pub(crate) fn list(&self, limit: usize) -> Vec<Truth> {
        let entries = self.newest_first(limit);
        entries.iter().map(|e| e.with(|t| t.clone())).collect()
    }

    /// How far the writes were from their schedule.
    pub(crate) fn timing_error(&self) -> TimingError {
        let (mut late, mut writing) = (Vec::new(), Vec::new());
        for entry in self.newest_first(usize::MAX) {
            entry.with(|truth| {
                for event in &truth.events {
                    late.push(event.written_us.saturating_sub(event.scheduled_us));
                    writing.push(event.written_us.saturating_sub(event.began_us));
                }
            });
        }
        TimingError::of(late, writing)
    }

    fn newest_first(&self, limit: usize) -> Vec<Entry> {
        // Copied out, so that no request waits for a reader of the log.
        lock(&self.0)
            .entries
            .iter()
            .rev()
            .take(limit)
            .cloned()
            .collect()
    }
}

impl Inner {
    fn trim(&mut self) {
        while self.entries.len() > MOST_REQUESTS
            || (self.events > MOST_EVENTS && self.entries.len() > 1)
        {
            let Some(oldest) = self.entries.pop_front() else {
                return;
            };
            let counted = oldest.with(|t| t.ended_us.map_or(0, |_| t.events.len()));
            self.events = self.events.saturating_sub(counted);
        }
    }
}

/// A panic elsewhere leaves plain data behind, which is still true.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(id: &str, events: usize) -> Truth {
        let event = |i| Event {
            i,
            kind: "content",
            scheduled_us: 1_000,
            began_us: 1_000,
            written_us: 1_000 + i as u64,
            bytes: 1,
        };
        Truth {
            id: id.to_owned(),
            path: String::new(),
            script: String::new(),
            received_unix_ms: 0.0,
            headers_scheduled_us: None,
            headers_us: None,
            events: (0..events).map(event).collect(),
            ended_us: None,
            ending: None,
        }
    }

    #[test]
    fn the_log_keeps_the_newest_requests_only() {
        let log = Log::default();
        for i in 0..MOST_REQUESTS + 5 {
            log.open(truth(&i.to_string(), 0));
        }
        assert!(log.find("4").is_none());
        assert!(log.find("5").is_some());
        assert_eq!(log.list(2)[0].id, (MOST_REQUESTS + 4).to_string());
    }

    #[test]
    fn the_log_bounds_its_events_too() {
        let log = Log::default();
        for i in 0..3 {
            let entry = log.open(truth(&i.to_string(), MOST_EVENTS / 2));
            log.close(&entry, 1, Ending::Complete);
        }
        assert!(log.find("0").is_none());
        assert!(log.find("1").is_some());
    }

    #[test]
    fn the_timing_error_is_exact_over_all_events() {
        let log = Log::default();
        assert_eq!(log.timing_error().p50_us, None);
        log.open(truth("a", 101));
        let error = log.timing_error();
        assert_eq!(
            (error.n, error.p50_us, error.p99_us, error.max_us),
            (101, Some(50), Some(99), Some(100))
        );
    }

    #[test]
    fn a_repeated_id_finds_the_latest_request() {
        let log = Log::default();
        log.open(truth("a", 1));
        log.open(truth("a", 2));
        assert_eq!(log.find("a").map(|t| t.events.len()), Some(2));
    }
}
