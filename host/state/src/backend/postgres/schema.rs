//! The PostgreSQL tables. Texts compare byte by byte, as in SQLite, whatever the collation of the database. A released
//! step is never edited: a change of the tables is a new step.

use super::ServerSession;
use crate::backend::{Result, TransactionStop, WriteLock};

/// Step `n` migrates a database from version `n` to version `n + 1`.
const STEPS: [&str; 7] = [
    include_str!("schema/00-first.sql"),
    include_str!("schema/01-machines.sql"),
    include_str!("schema/02-spending.sql"),
    include_str!("schema/03-writers.sql"),
    include_str!("schema/04-scale.sql"),
    include_str!("schema/05-purged.sql"),
    include_str!("schema/06-notes.sql"),
];

/// The schema version that this code reads and writes.
pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// Returns the schema version of a database; zero if it has none of our tables.
pub(crate) fn version(session: &ServerSession) -> Result<i64> {
    session.read(|| version_now(session))
}

/// Migrates a database of an earlier version to [`VERSION`] under the exclusive write lock, and returns its version
/// afterwards. Does nothing if another process has migrated it already, or to a newer version.
pub(crate) fn bring_up_to_date(session: &ServerSession) -> Result<i64> {
    let done = session.transact(WriteLock::Alone, || {
        let found = version_now(session)?;
        let from = usize::try_from(found).unwrap_or(STEPS.len());
        if from >= STEPS.len() {
            return Ok(found);
        }
        for step in &STEPS[from..] {
            session.with_client(|client| client.batch_execute(step))?;
        }
        let put = "DELETE FROM schema_version";
        session.with_client(|client| {
            client.batch_execute(put)?;
            client.execute("INSERT INTO schema_version VALUES ($1)", &[&VERSION])
        })?;
        Ok::<_, TransactionStop<std::convert::Infallible>>(VERSION)
    });
    match done {
        Ok(version) => Ok(version),
        Err(TransactionStop::Database(cause)) => Err(cause),
        Err(TransactionStop::Refused(never)) => match never {},
    }
}

fn version_now(session: &ServerSession) -> Result<i64> {
    session.with_client(|client| {
        // Query the catalog tables: `to_regclass` may answer from before another process created the tables.
        let known =
            "SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                         WHERE c.relname = 'schema_version' AND n.nspname = current_schema())";
        if !client.query_one(known, &[])?.get::<_, bool>(0) {
            return Ok(0);
        }
        let row = client.query_one("SELECT version FROM schema_version", &[])?;
        Ok(row.get(0))
    })
}
