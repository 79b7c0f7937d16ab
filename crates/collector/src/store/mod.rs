//! Where records are kept: the interface, and what goes through it.
//!
//! *Nothing in front of this module knows SQL, and nothing behind it knows HTTP.* `append` answers only
//! once the records are on the disk.

pub mod comparison;
pub mod row;
pub mod sqlite;

use std::path::PathBuf;

use futures_util::future::BoxFuture;
use streamlag_wire::Vantage;
use tokio::sync::watch;

pub use comparison::Comparison;
pub use row::Entry;
pub use sqlite::Sqlite;

/// A place for records.
pub trait Store: Send + Sync + 'static {
    /// Keeps the records that are not there yet. Resolves after they are durable.
    fn append(&self, entries: Vec<Entry>) -> BoxFuture<'_, Result<Appended, StoreError>>;
    /// Grouped percentiles of a selection.
    fn comparison(&self, selection: Selection) -> BoxFuture<'_, Result<Comparison, StoreError>>;
    /// JSON texts of single records, newest first.
    fn recent(&self, recent: Recent) -> BoxFuture<'_, Result<Vec<String>, StoreError>>;
    /// The JSON text of one record.
    fn by_id(&self, id: [u8; 16]) -> BoxFuture<'_, Result<Option<String>, StoreError>>;
    /// Whether it works, and how much it holds.
    fn health(&self) -> BoxFuture<'_, Result<Health, StoreError>>;
    /// The number of the newest record; changes after each commit with something new.
    fn changes(&self) -> watch::Receiver<u64>;
    /// Finishes what was accepted and closes.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Appended {
    /// New records.
    pub accepted: usize,
    /// Records whose id was there already; the first one stays.
    pub duplicate: usize,
}

/// Which records to compare.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// Earliest start, ms since 1970 UTC.
    pub since_ms: i64,
    /// Only this target.
    pub target: Option<String>,
}

/// Which single records to show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recent {
    /// At most so many.
    pub limit: u32,
    /// Only this target.
    pub target: Option<String>,
    /// Only this vantage.
    pub vantage: Option<Vantage>,
}

/// A look at the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Health {
    /// Records held.
    pub records: u64,
}

/// Why the store could not do it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be opened as ours.
    #[error("cannot use {path} as the store: {reason}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// Nothing of the batch was kept.
    #[error("the records could not be written: {0}")]
    Write(String),
    /// A query failed.
    #[error("the records could not be read: {0}")]
    Read(String),
    /// More is waiting to be written than is good.
    #[error("too many records are waiting to be written")]
    Busy,
    /// The store was closed.
    #[error("the collector is stopping")]
    Closed,
}
