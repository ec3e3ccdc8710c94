//! Purges a session: its rows are overwritten, not only deleted, and a hash of its name stays. Agents keep their own
//! file of a session, so that without the hash the next discovery would bring it back.

use camino::Utf8PathBuf;
use rusqlite::params;
use sha2::{Digest, Sha256};

use crate::backend::{Connection, OptionalExtension, Result as Answer, TransactionStop};
use crate::values::ColumnReader;
use crate::{Catalog, CatalogError, SessionKey};

/// Rows that were removed with a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Purged {
    /// True if the session existed.
    pub session: bool,
    pub jobs: u64,
    /// Number of events about it and its runs.
    pub events: u64,
    /// Folders of its runs, which are still on disk.
    pub run_folders: Vec<Utf8PathBuf>,
}

impl Catalog {
    /// Removes the rows of a session everywhere: session, jobs, runs, events, offers, pending sightings. A worker on it
    /// loses its lease. The row of its file is removed too. From then on discovery passes over the session, until
    /// a person names its file ([`Catalog::record_named`]). Repeating it completes one that was interrupted.
    pub fn purge_session(&self, key: &SessionKey) -> Result<Purged, CatalogError> {
        let purged = self.write(|connection| {
            let events = connection.execute(
                "DELETE FROM events
                 WHERE run_id IN (SELECT run_id FROM runs WHERE agent = ?1 AND session_id = ?2)
                     OR (fields ->> 'session' = ?2 AND fields ->> 'agent' = ?1)",
                [&key.agent, &key.id],
            )?;
            let run_folders = connection
                .prepare("DELETE FROM runs WHERE agent = ?1 AND session_id = ?2 RETURNING folder")?
                .query_map([&key.agent, &key.id], |row| ColumnReader::new(row).path())?
                .collect::<Answer<_>>()?;
            connection.execute(
                "DELETE FROM offers WHERE agent = ?1 AND session = ?2",
                [&key.agent, &key.id],
            )?;
            let row: Option<(i64, String, String)> = connection
                .query_row(
                    "SELECT session, adapter, path FROM sessions WHERE agent = ?1 AND id = ?2",
                    [&key.agent, &key.id],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()?;
            let mut purged = Purged {
                session: row.is_some(),
                jobs: 0,
                events: events as u64,
                run_folders,
            };
            connection.execute(
                "INSERT INTO purged_sessions (session) VALUES (?1) ON CONFLICT DO NOTHING",
                [tombstone(&key.agent, &key.id)],
            )?;
            if let Some((session, adapter, path)) = row {
                let jobs = connection.execute("DELETE FROM jobs WHERE session = ?1", [session])?;
                purged.jobs = jobs as u64;
                connection.execute("DELETE FROM sessions WHERE session = ?1", [session])?;
                connection.execute(
                    "DELETE FROM files WHERE adapter = ?1 AND path = ?2
                         AND NOT EXISTS (SELECT 1 FROM sessions WHERE adapter = ?1 AND path = ?2)",
                    params![adapter, path],
                )?;
            }
            Ok::<_, TransactionStop<CatalogError>>(purged)
        })?;
        self.purge_pending(key)?;
        self.empty_log()?;
        Ok(purged)
    }

    /// Reports whether a person purged a session and did not ask for it since.
    pub fn is_purged(&self, key: &SessionKey) -> Result<bool, CatalogError> {
        self.read(|connection| is_purged(connection, &key.agent, &key.id))
    }
}

/// Reports whether a person purged a session and did not ask for it since.
pub(crate) fn is_purged(connection: &Connection, agent: &str, id: &str) -> Answer<bool> {
    connection
        .prepare("SELECT EXISTS (SELECT 1 FROM purged_sessions WHERE session = ?1)")?
        .query_row([tombstone(agent, id)], |row| row.get(0))
}

/// Forgets that a session was purged.
pub(crate) fn readmit(connection: &Connection, agent: &str, id: &str) -> Answer<()> {
    connection.execute(
        "DELETE FROM purged_sessions WHERE session = ?1",
        [tombstone(agent, id)],
    )?;
    Ok(())
}

fn tombstone(agent: &str, id: &str) -> String {
    let hash = Sha256::new()
        .chain_update(agent)
        .chain_update([0])
        .chain_update(id);
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
