//! The file's shape, its versions, and how an older one becomes the newest.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode};

/// How long to wait for another process that holds the file.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Marks the file as ours (`PRAGMA application_id`): "slag" in ASCII.
const APPLICATION_ID: i64 = 0x736c_6167;

/// One step a version. A released step is never changed; `PRAGMA user_version` counts those done.
///
/// Values that are grouped by and counted are in `record`, the JSON text in `record_json`: a comparison
/// reads all rows of a window, and without the texts that is a tenth of the pages. The unique id has an
/// index of its own, 16 bytes wide, so that random ids spread over few pages.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE record (
        seq INTEGER PRIMARY KEY,
        id BLOB NOT NULL UNIQUE,
        received_at_ms INTEGER NOT NULL,
        started_at_ms INTEGER NOT NULL,
        vantage TEXT NOT NULL,
        region TEXT,
        target TEXT NOT NULL,
        outcome TEXT NOT NULL,
        error_class TEXT,
        excluded TEXT,
        wait_ms REAL,
        ttfb_ms REAL,
        ttft_ms REAL,
        ttfo_ms REAL,
        gen_ms REAL,
        total_ms REAL,
        longest_gap_ms REAL,
        parse_ms REAL,
        render_lag_earliest_ms REAL,
        render_lag_latest_ms REAL
    ) STRICT;
    CREATE INDEX record_by_time ON record (started_at_ms);
    CREATE INDEX record_by_target ON record (target, started_at_ms);
    CREATE TABLE record_json (seq INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
"];

/// The connection that writes, and the number of the newest record. The error is a sentence with remedy.
pub(super) fn open(path: &Path) -> Result<(Connection, u64), String> {
    let mut connection = Connection::open(path).map_err(explain)?;
    prepare(&mut connection)?;
    let newest = "SELECT coalesce(max(seq), 0) FROM record";
    let newest: i64 = connection
        .query_row(newest, (), |row| row.get(0))
        .map_err(explain)?;
    Ok((connection, newest.unsigned_abs()))
}

fn prepare(connection: &mut Connection) -> Result<(), String> {
    connection.busy_timeout(PATIENCE).map_err(explain)?;
    let application: i64 = pragma(connection, "application_id")?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))
        .map_err(explain)?;
    if application != APPLICATION_ID && tables > 0 {
        return Err("it is a database of another program; name another file with --db".to_owned());
    }
    // FULL: a commit is on the disk when it returns, also when the machine then loses power.
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        .map_err(explain)?;
    migrate(connection)
}

fn migrate(connection: &mut Connection) -> Result<(), String> {
    let done: i64 = pragma(connection, "user_version")?;
    let done = usize::try_from(done).unwrap_or(usize::MAX);
    let Some(missing) = MIGRATIONS.get(done..) else {
        return Err(format!(
            "it was written by a newer version (schema {done}, this one knows {}); update streamlag",
            MIGRATIONS.len()
        ));
    };
    if missing.is_empty() {
        return Ok(());
    }
    let transaction = connection.transaction().map_err(explain)?;
    for step in missing {
        transaction.execute_batch(step).map_err(explain)?;
    }
    let marks = format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {};",
        MIGRATIONS.len()
    );
    transaction.execute_batch(&marks).map_err(explain)?;
    transaction.commit().map_err(explain)
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, String> {
    connection
        .pragma_query_value(None, name, |row| row.get(0))
        .map_err(explain)
}

/// What SQLite says, with what to do about it.
fn explain(error: Error) -> String {
    let remedy = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            "restore it from a back-up, or name another file with --db"
        }
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied | ErrorCode::ReadOnly) => {
            "check that its folder exists and may be written, or name another file with --db"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program holds it; stop that, or name another file with --db"
        }
        Some(ErrorCode::DiskFull) => "make room on the disk",
        _ => "name another file with --db",
    };
    format!("{error}; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_gets_the_newest_schema_and_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        for _ in 0..2 {
            let (connection, newest) = open(&path).unwrap();
            assert_eq!(newest, 0);
            assert_eq!(
                pragma(&connection, "user_version"),
                Ok(MIGRATIONS.len() as i64)
            );
            assert_eq!(pragma(&connection, "synchronous"), Ok(2));
        }
    }

    fn refusal(make: impl FnOnce(&Path)) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        make(&path);
        open(&path).unwrap_err()
    }

    #[test]
    fn files_that_are_not_ours_are_left_alone() {
        let other = refusal(|path| {
            let connection = Connection::open(path).unwrap();
            connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
        });
        assert!(other.contains("another program"), "{other}");
        let text = refusal(|path| std::fs::write(path, "no database at all, only text").unwrap());
        assert!(
            text.contains("not a database") && text.contains("--db"),
            "{text}"
        );
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let newer = refusal(|path| {
            let (connection, _) = open(path).unwrap();
            connection
                .execute_batch("PRAGMA user_version = 99")
                .unwrap();
        });
        assert!(newer.contains("newer version"), "{newer}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named_as_the_trouble() {
        let message = open(Path::new("/nowhere/at/all/a.db")).unwrap_err();
        assert!(message.contains("folder exists"), "{message}");
    }
}
