//! Notes that agents made of what the person said, and what became of each. The text of a note is a pending record with
//! the same id; here is only who made it, in which session, and the outcome.

use std::collections::BTreeMap;

use rusqlite::params;
use schemars::JsonSchema;
use serde::Serialize;

use crate::backend::TransactionStop;
use crate::values::{ColumnReader, stored};
use crate::waiting::scope;
use crate::{Catalog, CatalogError, SessionKey};

/// Outcome of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "outcome", content = "reason")]
pub enum NoteOutcome {
    /// Its session was not read yet.
    Waiting,
    /// The person's words in its session prove it: it is memory.
    Proven,
    /// Its session does not prove it, for this reason.
    Refused(String),
}

/// A note as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedNote {
    /// Of its pending record.
    pub id: String,
    /// The agent that made it.
    pub agent: String,
    /// Id of the session, once it is known.
    pub session: Option<String>,
    pub made_ms: u64,
    pub outcome: NoteOutcome,
}

/// Notes of one agent, by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteCounts {
    pub made: u64,
    pub proven: u64,
    pub refused: u64,
}

impl Catalog {
    /// Records a note. A note that is known already stays as it is.
    pub fn add_note(
        &self,
        project: &str,
        id: &str,
        (agent, session): (&str, Option<&str>),
        now_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let project = scope(connection, project)?;
            connection.execute(
                "INSERT INTO notes VALUES (?1, ?2, ?3, ?4, ?5, 'waiting', NULL)
                 ON CONFLICT (project, id) DO NOTHING",
                params![project, id, agent, session, stored(now_ms)],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Records what a session that was read says of its notes. What was proven once stays proven.
    pub fn settle_notes(
        &self,
        project: &str,
        key: &SessionKey,
        outcomes: &[(String, NoteOutcome)],
    ) -> Result<(), CatalogError> {
        if outcomes.is_empty() {
            return Ok(());
        }
        self.write_aside(|connection| {
            let project = scope(connection, project)?;
            let mut settle = connection.prepare(
                "UPDATE notes SET agent = ?3, session = ?4, outcome = ?5, reason = ?6
                 WHERE project = ?1 AND id = ?2 AND outcome <> 'proven'",
            )?;
            for (id, outcome) in outcomes {
                let (name, reason) = match outcome {
                    NoteOutcome::Waiting => ("waiting", None),
                    NoteOutcome::Proven => ("proven", None),
                    NoteOutcome::Refused(reason) => ("refused", Some(reason.as_str())),
                };
                settle.execute(params![project, id, key.agent, key.id, name, reason])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the notes of a project, newest first.
    pub fn notes(&self, project: &str) -> Result<Vec<RecordedNote>, CatalogError> {
        self.read(|connection| {
            let project = scope(connection, project)?;
            connection
                .prepare(
                    "SELECT id, agent, session, made_ms, outcome, reason FROM notes
                     WHERE project = ?1 ORDER BY made_ms DESC, id",
                )?
                .query_map([project], |row| {
                    let mut columns = ColumnReader::new(row);
                    let (id, agent, session) = (columns.take()?, columns.take()?, columns.take()?);
                    let made_ms = columns.number()?;
                    let (outcome, reason): (String, Option<String>) =
                        (columns.take()?, columns.take()?);
                    let outcome = match outcome.as_str() {
                        "proven" => NoteOutcome::Proven,
                        "refused" => NoteOutcome::Refused(reason.unwrap_or_default()),
                        _ => NoteOutcome::Waiting,
                    };
                    Ok(RecordedNote {
                        id,
                        agent,
                        session,
                        made_ms,
                        outcome,
                    })
                })?
                .collect()
        })
    }

    /// Returns how many notes each agent made in all projects.
    pub fn note_counts(&self) -> Result<BTreeMap<String, NoteCounts>, CatalogError> {
        self.read(|connection| {
            let mut counts: BTreeMap<String, NoteCounts> = BTreeMap::new();
            let mut statement = connection.prepare(
                "SELECT agent, outcome, count(*) FROM notes GROUP BY agent, outcome ORDER BY agent",
            )?;
            let rows = statement.query_map([], |row| {
                let mut columns = ColumnReader::new(row);
                let (agent, outcome): (String, String) = (columns.take()?, columns.take()?);
                Ok((agent, outcome, columns.number()?))
            })?;
            for row in rows {
                let (agent, outcome, number) = row?;
                let of_agent = counts.entry(agent).or_default();
                of_agent.made += number;
                match outcome.as_str() {
                    "proven" => of_agent.proven += number,
                    "refused" => of_agent.refused += number,
                    _ => {}
                }
            }
            Ok(counts)
        })
    }
}
