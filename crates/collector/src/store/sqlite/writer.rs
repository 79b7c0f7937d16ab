//! The one thread that writes. Batches that wait together are committed together: one sync to the disk
//! serves them all, and each is acknowledged only after it.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, Transaction, params_from_iter, types::Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

use crate::clock::now_ms;
use crate::store::row::METRICS;
use crate::store::{Appended, Entry, StoreError};

/// Most records of one commit: a batch more than this waits for the next.
const COMMIT: usize = 4096;
/// Most batches that wait.
const QUEUE: usize = 4096;
/// Most text that waits, in KiB: what is beyond is refused, so that memory stays bounded.
const QUEUE_KIB: usize = 64 * 1024;

/// The way to the writing thread.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Message>,
    room: Arc<Semaphore>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
}

enum Message {
    Append(Job),
    Close,
}

struct Job {
    entries: Vec<Entry>,
    reply: oneshot::Sender<Result<Appended, StoreError>>,
    /// Gives the room back when the job is done.
    _room: OwnedSemaphorePermit,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        newest: watch::Sender<u64>,
    ) -> std::io::Result<Self> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || run(connection, queue, &newest))?;
        Ok(Self {
            jobs,
            room: Arc::new(Semaphore::new(QUEUE_KIB)),
            thread: Arc::new(Mutex::new(Some(thread))),
        })
    }

    pub(super) async fn append(&self, entries: Vec<Entry>) -> Result<Appended, StoreError> {
        if entries.is_empty() {
            return Ok(Appended::default());
        }
        let kib = 1 + entries.iter().map(|entry| entry.json.len()).sum::<usize>() / 1024;
        let kib = u32::try_from(kib).map_err(|_| StoreError::Busy)?;
        let room = Arc::clone(&self.room).try_acquire_many_owned(kib);
        let (reply, answer) = oneshot::channel();
        let job = Job {
            entries,
            reply,
            _room: room.map_err(|_| StoreError::Busy)?,
        };
        self.jobs
            .try_send(Message::Append(job))
            .map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => StoreError::Busy,
                mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
            })?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Everything queued before is committed, then the thread ends.
    pub(super) async fn close(&self) {
        // An error means that the thread has ended already.
        let _ = self.jobs.send(Message::Close).await;
        let thread = Arc::clone(&self.thread);
        let join = move || {
            let thread = thread.lock().unwrap_or_else(PoisonError::into_inner).take();
            thread.map(JoinHandle::join)
        };
        let _ = tokio::task::spawn_blocking(join).await;
    }
}

fn run(
    mut connection: Connection,
    mut queue: mpsc::Receiver<Message>,
    newest: &watch::Sender<u64>,
) {
    let mut open = true;
    while open && let Some(Message::Append(first)) = queue.blocking_recv() {
        let mut records = first.entries.len();
        let mut jobs = vec![first];
        while records < COMMIT {
            match queue.try_recv() {
                Ok(Message::Append(job)) => {
                    records += job.entries.len();
                    jobs.push(job);
                }
                Ok(Message::Close) => {
                    open = false;
                    break;
                }
                Err(_) => break,
            }
        }
        acknowledge(commit(&mut connection, &jobs), jobs, newest);
    }
}

/// What each job gave, and the number of the newest record, if there is a new one.
type Committed = (Vec<Appended>, Option<u64>);

fn commit(connection: &mut Connection, jobs: &[Job]) -> rusqlite::Result<Committed> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let now = now_ms();
    let mut newest = None;
    let mut results = Vec::with_capacity(jobs.len());
    for job in jobs {
        let mut appended = Appended::default();
        for entry in &job.entries {
            match insert(&transaction, entry, now)? {
                Some(seq) => {
                    appended.accepted += 1;
                    newest = Some(seq.unsigned_abs());
                }
                None => appended.duplicate += 1,
            }
        }
        results.push(appended);
    }
    transaction.commit()?;
    Ok((results, newest))
}

fn acknowledge(
    result: rusqlite::Result<Committed>,
    jobs: Vec<Job>,
    newest_seen: &watch::Sender<u64>,
) {
    // Nobody listens where the client has gone; its records are kept all the same.
    match result {
        Ok((results, newest)) => {
            // First: whoever has its answer finds its record among the newest.
            if let Some(seq) = newest {
                newest_seen.send_replace(seq);
            }
            for (job, appended) in jobs.into_iter().zip(results) {
                let _ = job.reply.send(Ok(appended));
            }
        }
        Err(error) => {
            for job in jobs {
                let _ = job.reply.send(Err(StoreError::Write(error.to_string())));
            }
        }
    }
}

/// The new record's number; `None`: its id is there already.
fn insert(
    transaction: &Transaction<'_>,
    entry: &Entry,
    now_ms: i64,
) -> rusqlite::Result<Option<i64>> {
    let text = |text: &Option<String>| text.clone().map_or(Value::Null, Value::Text);
    let fixed = [
        Value::Blob(entry.id.to_vec()),
        Value::Integer(now_ms),
        Value::Integer(entry.started_at_ms),
        Value::Text(entry.vantage.to_owned()),
        text(&entry.region),
        Value::Text(entry.target.clone()),
        Value::Text(entry.outcome.clone()),
        text(&entry.error_class),
        text(&entry.excluded.map(str::to_owned)),
    ];
    let metrics = entry.metrics.map(|ms| ms.map_or(Value::Null, Value::Real));
    let values = params_from_iter(fixed.into_iter().chain(metrics));
    if transaction.prepare_cached(&INSERT)?.execute(values)? == 0 {
        return Ok(None);
    }
    let seq = transaction.last_insert_rowid();
    let sql = "INSERT INTO record_json (seq, json) VALUES (?1, ?2)";
    transaction
        .prepare_cached(sql)?
        .execute((seq, &entry.json))?;
    Ok(Some(seq))
}

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let columns = METRICS.join(", ");
    let places = vec!["?"; 9 + METRICS.len()].join(", ");
    format!(
        "INSERT INTO record (id, received_at_ms, started_at_ms, vantage, region, target, outcome, \
         error_class, excluded, {columns}) VALUES ({places}) ON CONFLICT (id) DO NOTHING"
    )
});
