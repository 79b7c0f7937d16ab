//! The embedded store: SQLite in WAL mode, fully synchronous, one writing thread, a few readers.

mod read;
mod schema;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::watch;

use super::{Appended, Comparison, Entry, Health, Recent, Selection, Store, StoreError};
use writer::Writer;

/// Readers kept open between queries.
const IDLE_READERS: usize = 4;

/// The store in one SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    writer: Writer,
    changes: watch::Receiver<u64>,
    readers: Arc<Readers>,
}

impl Sqlite {
    /// Opens or makes the file, and brings an older one up to this version's schema.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (connection, newest) = schema::open(path).map_err(|reason| StoreError::Open {
            path: path.to_owned(),
            reason,
        })?;
        let (sender, changes) = watch::channel(newest);
        let writer = Writer::start(connection, sender).map_err(|error| StoreError::Open {
            path: path.to_owned(),
            reason: format!("the writing thread did not start: {error}"),
        })?;
        let readers = Arc::new(Readers {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
        });
        Ok(Self {
            writer,
            changes,
            readers,
        })
    }

    /// Runs a query where it may block.
    fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, StoreError>> {
        let readers = Arc::clone(&self.readers);
        let task = tokio::task::spawn_blocking(move || readers.run(query));
        async move {
            match task.await {
                Ok(Ok(value)) => Ok(value),
                Ok(Err(error)) => Err(StoreError::Read(error.to_string())),
                Err(_) => Err(StoreError::Closed),
            }
        }
        .boxed()
    }
}

impl Store for Sqlite {
    fn append(&self, entries: Vec<Entry>) -> BoxFuture<'_, Result<Appended, StoreError>> {
        self.writer.append(entries).boxed()
    }

    fn comparison(&self, selection: Selection) -> BoxFuture<'_, Result<Comparison, StoreError>> {
        self.read(move |connection| read::comparison(connection, &selection))
    }

    fn recent(&self, recent: Recent) -> BoxFuture<'_, Result<Vec<String>, StoreError>> {
        self.read(move |connection| read::recent(connection, &recent))
    }

    fn by_id(&self, id: [u8; 16]) -> BoxFuture<'_, Result<Option<String>, StoreError>> {
        self.read(move |connection| read::by_id(connection, &id))
    }

    fn health(&self) -> BoxFuture<'_, Result<Health, StoreError>> {
        self.read(read::health)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.clone()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async {
            // Readers first: whoever closes last folds the log into the file, and readers may not.
            self.readers.close();
            self.writer.close().await;
        }
        .boxed()
    }
}

/// Connections that only read. In WAL mode they neither wait for the writer nor hold it up.
#[derive(Debug)]
struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    fn run<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let connection = match kept {
            Some(connection) => connection,
            None => self.open()?,
        };
        let result = query(&connection);
        let mut idle = idle();
        if idle.len() < IDLE_READERS {
            idle.push(connection);
        }
        result
    }

    fn close(&self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.clear();
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(schema::PATIENCE)?;
        Ok(connection)
    }
}
