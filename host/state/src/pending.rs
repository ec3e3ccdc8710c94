//! Remaining work: sessions whose latest state is not archived, runs to repeat, queued jobs.

use rusqlite::params;

use crate::backend::{OptionalExtension, TransactionStop};
use crate::sessions::{known_session, require, select};
use crate::values::stored;
use crate::{Catalog, CatalogError, KnownSession, SessionKey};

impl Catalog {
    /// Returns the sessions on disk whose current revision is not archived, most recently changed first.
    pub fn sessions_to_archive(&self) -> Result<Vec<KnownSession>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select(
                    connection,
                    &format!(
                        "WHERE s.archived_revision IS DISTINCT FROM s.revision AND s.gone_ms IS NULL
                             AND {}
                         ORDER BY coalesce(s.updated_ms, 0) DESC, s.agent, s.id",
                        connection.here("s"),
                    ),
                ))?
                .query_map([], known_session)?
                .collect()
        })
    }

    /// Returns true if any session of an agent is archived under this digest.
    pub fn is_archived_elsewhere(&self, agent: &str, digest: &str) -> Result<bool, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT EXISTS (SELECT 1 FROM sessions
                         WHERE agent = ?1 AND archive_digest = ?2)",
                )?
                .query_row([agent, digest], |row| row.get(0))
        })
    }

    /// Resets sessions as if they had never run: they run again from the start, including dead letters.
    pub fn forget_runs(&self, keys: &[SessionKey], now_ms: u64) -> Result<(), CatalogError> {
        self.write(|connection| {
            let mut forget = connection.prepare(
                "UPDATE sessions SET ran_revision = NULL, ran_project = NULL, cursor_offset = NULL, cursor_state = NULL,
                     trace_bytes = NULL, trace_events = NULL
                 WHERE session = ?1",
            )?;
            let mut revive = connection.prepare(
                "UPDATE jobs SET state = 'cancelled', dead = FALSE, finished_ms = ?2,
                     cause = 'to be run again'
                 WHERE session = ?1 AND state = 'failed'",
            )?;
            for key in keys {
                let session = require(connection, key)?;
                forget.execute([session])?;
                revive.execute(params![session, stored(now_ms)])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the number of queued and running jobs.
    pub fn live_jobs(&self) -> Result<u64, CatalogError> {
        self.read(|connection| {
            let count: i64 = connection
                .prepare("SELECT count(*) FROM jobs WHERE state IN ('queued', 'running')")?
                .query_row([], |row| row.get(0))?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
    }

    /// Returns the workers that hold a job now, without duplicates.
    pub fn workers(&self) -> Result<Vec<String>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT DISTINCT owner FROM jobs
                     WHERE state = 'running' AND owner IS NOT NULL ORDER BY owner",
                )?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }

    /// Expires the leases of a worker that is known to be dead. Each counts as an attempt.
    pub fn bury(&self, worker: &str) -> Result<(), CatalogError> {
        self.write(|connection| {
            connection.execute(
                "UPDATE jobs SET lease_until_ms = 0 WHERE owner = ?1 AND state = 'running'",
                [worker],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Records that no work is left, until the next change of the database.
    pub fn settle(&self, note: &str) -> Result<(), CatalogError> {
        self.write(|connection| {
            // This transaction counts as a change itself.
            let sql = connection.either(
                "UPDATE changes SET settled = made + 1, note = ?1",
                "INSERT INTO settlement (note, settled)
                     SELECT ?1, CAST(sum(made) AS BIGINT) + 1 FROM writers
                 ON CONFLICT (machine) DO UPDATE SET note = excluded.note, settled = excluded.settled",
            );
            connection.execute(sql, [note])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the note of the last [`Catalog::settle`], if nothing has changed since.
    pub fn settled(&self) -> Result<Option<String>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(connection.either(
                    "SELECT note FROM changes WHERE settled = made",
                    "SELECT note FROM settlement
                     WHERE machine = this_machine() AND settled = (SELECT sum(made) FROM writers)",
                ))?
                .query_row([], |row| row.get(0))
                .optional()
        })
    }
}
