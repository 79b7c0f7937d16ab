//! The queries. Values are always bound, never written into the SQL.

use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use crate::store::comparison::{Collector, Row};
use crate::store::row::METRICS;
use crate::store::{Comparison, Health, Recent, Selection};

/// Most rows that one comparison reads; about 100 MB of values.
const MOST_ROWS: usize = 1_000_000;

pub(super) fn comparison(
    connection: &Connection,
    selection: &Selection,
) -> rusqlite::Result<Comparison> {
    let columns = METRICS.join(", ");
    let only = match selection.target {
        Some(_) => "target = ?2 AND",
        None => "?2 IS NULL AND",
    };
    let sql = format!(
        "SELECT vantage, region, target, outcome, error_class, excluded, {columns} FROM record
         WHERE {only} started_at_ms >= ?1 ORDER BY started_at_ms DESC, seq DESC"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((selection.since_ms, &selection.target))?;
    let mut collector = Collector::default();
    let mut read = 0;
    while let Some(row) = rows.next()? {
        if read == MOST_ROWS {
            return Ok(collector.finish(false));
        }
        read += 1;
        collector.add(&as_row(row)?);
    }
    Ok(collector.finish(true))
}

fn as_row<'a>(row: &'a SqlRow<'_>) -> rusqlite::Result<Row<'a>> {
    let text = |column: usize| -> rusqlite::Result<&'a str> { Ok(row.get_ref(column)?.as_str()?) };
    let maybe = |column: usize| -> rusqlite::Result<Option<&'a str>> {
        Ok(row.get_ref(column)?.as_str_or_null()?)
    };
    let mut metrics = [None; METRICS.len()];
    for (metric, column) in metrics.iter_mut().zip(6..) {
        *metric = row.get(column)?;
    }
    Ok(Row {
        vantage: text(0)?,
        region: maybe(1)?,
        target: text(2)?,
        outcome: text(3)?,
        error_class: maybe(4)?,
        excluded: maybe(5)?,
        metrics,
    })
}

pub(super) fn recent(connection: &Connection, recent: &Recent) -> rusqlite::Result<Vec<String>> {
    let only = match recent.target {
        Some(_) => "target = ?1",
        None => "?1 IS NULL",
    };
    let sql = format!(
        "SELECT json FROM record JOIN record_json USING (seq)
         WHERE {only} AND (?2 IS NULL OR vantage = ?2)
         ORDER BY started_at_ms DESC, seq DESC LIMIT ?3"
    );
    let vantage = recent.vantage.map(streamlag_wire::Vantage::as_str);
    connection
        .prepare_cached(&sql)?
        .query_map((&recent.target, vantage, recent.limit), |row| row.get(0))?
        .collect()
}

pub(super) fn by_id(connection: &Connection, id: &[u8; 16]) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT json FROM record JOIN record_json USING (seq) WHERE id = ?1";
    connection
        .prepare_cached(sql)?
        .query_row([id.as_slice()], |row| row.get(0))
        .optional()
}

pub(super) fn health(connection: &Connection) -> rusqlite::Result<Health> {
    // Nothing is deleted yet and numbers are given without holes, so that the newest is the count.
    let records: i64 =
        connection.query_row("SELECT coalesce(max(seq), 0) FROM record", (), |row| {
            row.get(0)
        })?;
    Ok(Health {
        records: records.unsigned_abs(),
    })
}
