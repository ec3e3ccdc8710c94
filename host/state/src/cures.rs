//! Cures of failed commands, by session. They can be collected again from archived traces, and are deleted with the row
//! of their session.

use acreta_types::CureRecord;
use camino::Utf8PathBuf;
use rusqlite::params;

use crate::backend::{Result as Answer, ResultRow, TransactionStop};
use crate::sessions::require;
use crate::values::{ColumnReader, stored, to_json};
use crate::{Catalog, CatalogError, ProjectId, SessionKey};

/// A cure and the session it was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCure {
    pub session: SessionKey,
    /// Without its signatures.
    pub cure: CureRecord,
}

/// A processed session whose cures have not been collected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncollected {
    pub session: SessionKey,
    pub revision: String,
    /// Root of the project that holds the session's trace.
    pub root: Utf8PathBuf,
}

impl Catalog {
    /// Returns the sessions whose cures were not collected at the processed revision, most recently changed first.
    /// `only` limits the result to one session.
    pub fn uncollected_cures(
        &self,
        collector: u32,
        only: Option<&SessionKey>,
    ) -> Result<Vec<Uncollected>, CatalogError> {
        let (agent, id) = only.map(|key| (&key.agent, &key.id)).unzip();
        self.read(|connection| {
            connection
                .prepare(&format!(
                    "SELECT s.agent, s.id, s.ran_revision, p.root
                     FROM sessions s JOIN projects p ON p.project = s.ran_project
                     WHERE s.ran_revision IS NOT NULL AND {}
                       AND (CAST(?2 AS TEXT) IS NULL OR s.agent = ?2) AND (CAST(?3 AS TEXT) IS NULL OR s.id = ?3)
                       AND NOT EXISTS (SELECT 1 FROM collected_cures c WHERE c.session = s.session
                           AND c.revision = s.ran_revision AND c.collector = ?1)
                     ORDER BY coalesce(s.updated_ms, 0) DESC, s.agent, s.id",
                    connection.here("s"),
                ))?
                .query_map(params![collector, agent, id], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(Uncollected {
                        session: key(&mut columns)?,
                        revision: columns.take()?,
                        root: columns.path()?,
                    })
                })?
                .collect()
        })
    }

    /// Replaces the cures of a session with those of a revision.
    pub fn put_cures(
        &self,
        session: &SessionKey,
        revision: &str,
        collector: u32,
        cures: &[CureRecord],
    ) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let session = require(connection, session)?;
            connection
                .prepare("DELETE FROM cures WHERE session = ?1")?
                .execute([session])?;
            for (position, cure) in (0_i64..).zip(cures) {
                connection
                    .prepare(
                        "INSERT INTO cures (session, position, failed, commands, specifics, sure, event, at_ms)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                    )?
                    .execute(params![
                        session,
                        position,
                        cure.failed,
                        to_json(&cure.commands)?,
                        to_json(&cure.specifics)?,
                        cure.is_sure,
                        cure.event_id,
                        cure.at_ms.map(stored),
                    ])?;
                for signature in &cure.signatures {
                    connection
                        .prepare(
                            "INSERT INTO cure_signatures VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                        )?
                        .execute(params![signature, session, position])?;
                }
            }
            connection
                .prepare(
                    "INSERT INTO collected_cures (session, revision, collector) VALUES (?1, ?2, ?3)
                     ON CONFLICT (session) DO UPDATE SET
                         revision = excluded.revision, collector = excluded.collector",
                )?
                .execute(params![session, revision, collector])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the cures of failures with one of these signatures, in sessions that the project has processed, newest
    /// first.
    pub fn cures_of(
        &self,
        project: ProjectId,
        signatures: &[String],
    ) -> Result<Vec<StoredCure>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select(
                    "WHERE s.ran_project = ?1 AND (c.session, c.position) IN (
                         SELECT session, position FROM cure_signatures
                         WHERE signature IN (SELECT value FROM json_each(?2)))",
                ))?
                .query_map(params![project, to_json(&signatures)?], stored_cure)?
                .collect()
        })
    }

    /// Returns all cures in sessions that the project has processed, newest first.
    pub fn cures(&self, project: ProjectId) -> Result<Vec<StoredCure>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select("WHERE s.ran_project = ?1"))?
                .query_map([project], stored_cure)?
                .collect()
        })
    }
}

fn select(condition: &str) -> String {
    format!(
        "SELECT s.agent, s.id, c.failed, c.commands, c.specifics, c.sure, c.event, c.at_ms
         FROM cures c JOIN sessions s USING (session) {condition}
         ORDER BY coalesce(c.at_ms, 0) DESC, c.session DESC, c.position DESC"
    )
}

fn key(columns: &mut ColumnReader<'_>) -> Answer<SessionKey> {
    Ok(SessionKey {
        agent: columns.take()?,
        id: columns.take()?,
    })
}

fn stored_cure(row: &ResultRow<'_>) -> Answer<StoredCure> {
    let mut columns = ColumnReader::new(row);
    Ok(StoredCure {
        session: key(&mut columns)?,
        cure: CureRecord {
            signatures: Vec::new(),
            failed: columns.take()?,
            commands: columns.json()?.unwrap_or_default(),
            specifics: columns.json()?.unwrap_or_default(),
            is_sure: columns.take()?,
            event_id: columns.take()?,
            at_ms: columns.number_if_any()?,
        },
    })
}
