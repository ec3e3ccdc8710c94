//! The SQLite tables and their migrations. A released step is never edited: a change of the tables is a new step.

use rusqlite::Connection;

/// Step `n` migrates a database from version `n` to version `n + 1`.
const STEPS: [&str; 13] = [
    include_str!("schema/00-first.sql"),
    include_str!("schema/01-accesses.sql"),
    include_str!("schema/02-events.sql"),
    include_str!("schema/03-readings.sql"),
    include_str!("schema/04-pending.sql"),
    include_str!("schema/05-old-confirmations.sql"),
    include_str!("schema/06-ran-project.sql"),
    include_str!("schema/07-offers.sql"),
    include_str!("schema/08-cures.sql"),
    include_str!("schema/09-reviews.sql"),
    include_str!("schema/10-spending.sql"),
    include_str!("schema/11-purged.sql"),
    include_str!("schema/12-notes.sql"),
];

/// The `user_version` that this code reads and writes.
pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// Returns the schema version of a database; zero if it is empty.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Migrates a database of an earlier version to [`VERSION`]. Must be called in a transaction.
pub(crate) fn bring_up_to_date(connection: &Connection) -> rusqlite::Result<()> {
    let found = usize::try_from(version(connection)?).unwrap_or(STEPS.len());
    for step in STEPS.iter().skip(found) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "user_version", VERSION.max(found as i64))
}
