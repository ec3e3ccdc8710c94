//! Runs of files that a person named. Such a file is not an agent's own record: it never replaces the file of a session
//! that discovery found, and never decides that session's project.

use acreta_types::Session;
use camino::Utf8PathBuf;
use rusqlite::params;

use crate::backend::{Connection, OptionalExtension, Result as Answer, TransactionStop};
use crate::purge::readmit;
use crate::sessions::{put_cursor, put_ran};
use crate::values::{ColumnReader, clean, stored, to_json};
use crate::{Catalog, CatalogError, NewReading, ProjectId, Relation, TraceCursor, readings};

/// A completed run of a file that a person named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRun {
    pub adapter: String,
    /// Absolute path.
    pub path: Utf8PathBuf,
    /// The session in the file, at the revision that was read.
    pub session: Session,
    /// The project whose memory now contains it.
    pub project: ProjectId,
    /// Position where reading stopped; `None` if the trace was not stored.
    pub cursor: Option<TraceCursor>,
    pub reading: NewReading,
}

impl Catalog {
    /// Records the run of a named file. A session without a file in an agent's folder is stored with this file until
    /// discovery finds the agent's own. A session that discovery found keeps its file, revision and project; it counts
    /// as done if the named file has the same state and ran in the session's project. A session that was purged counts
    /// again: a person asked for it.
    pub fn record_named(&self, run: &NamedRun, now_ms: u64) -> Result<(), CatalogError> {
        self.write(|connection| {
            readmit(connection, &run.session.agent, &run.session.id)?;
            let known = NamedSessionRow::of(connection, &run.session)?;
            let session = match &known {
                Some(known) if !known.is_named => known.session,
                _ => put_named(connection, run, now_ms)?,
            };
            let known = known.filter(|known| !known.is_named);
            let is_elsewhere =
                |known: &NamedSessionRow| known.project.is_some_and(|own| own != run.project);
            if known.as_ref().is_some_and(is_elsewhere) {
                return Ok::<_, TransactionStop<CatalogError>>(());
            }
            if run.cursor.is_some() {
                // The trace in this project is now this file's. A cursor into another file no longer fits it.
                let is_own = known.as_ref().is_none_or(|known| known.path == run.path);
                let cursor = run.cursor.as_ref().filter(|_| is_own);
                put_cursor(connection, session, cursor)?;
            }
            let is_its_state = known
                .as_ref()
                .is_none_or(|known| known.revision == run.session.revision);
            if is_its_state {
                let (revision, project) = (&run.session.revision, Some(run.project));
                put_ran(connection, session, revision, project, now_ms)?;
                readings::put(connection, session, &run.reading, now_ms)?;
            }
            Ok(())
        })
    }
}

/// A session's row in the catalog.
struct NamedSessionRow {
    session: i64,
    path: Utf8PathBuf,
    revision: String,
    project: Option<ProjectId>,
    /// True if only a named file holds it.
    is_named: bool,
}

impl NamedSessionRow {
    fn of(connection: &Connection, session: &Session) -> Answer<Option<Self>> {
        connection
            .prepare(
                "SELECT session, path, revision, project, root = '' FROM sessions
                 WHERE agent = ?1 AND id = ?2",
            )?
            .query_row([&session.agent, &session.id], |row| {
                let mut columns = ColumnReader::new(row);
                Ok(Self {
                    session: columns.take()?,
                    path: columns.path()?,
                    revision: columns.take()?,
                    project: columns.take()?,
                    is_named: columns.take()?,
                })
            })
            .optional()
    }
}

/// Stores a session that only named files hold, and returns its row id.
fn put_named(connection: &Connection, run: &NamedRun, now_ms: u64) -> Answer<i64> {
    let session = &run.session;
    connection
        .prepare(&format!(
            "INSERT INTO sessions (agent, id, adapter, path, size, root, guest_path, project_dir,
                 project, parent, relation, started_ms, updated_ms, revision, title, attrs,
                 first_seen_ms)
             VALUES (?1, ?2, ?3, ?4, 0, '', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT (agent, id) DO UPDATE SET adapter = excluded.adapter,
                 path = excluded.path, guest_path = excluded.guest_path,
                 project_dir = excluded.project_dir, project = excluded.project,
                 parent = excluded.parent, relation = excluded.relation,
                 started_ms = excluded.started_ms, updated_ms = excluded.updated_ms,
                 revision = excluded.revision, title = excluded.title, attrs = excluded.attrs,
                 cursor_offset = NULL, cursor_state = NULL, trace_bytes = NULL,
                 trace_events = NULL, gone_ms = NULL{}
             RETURNING session",
            connection.either("", ", machine = excluded.machine"),
        ))?
        .query_row(
            params![
                session.agent,
                session.id,
                run.adapter,
                clean(run.path.as_str()),
                clean(&session.path),
                session.project_dir,
                run.project,
                session.parent,
                Relation::of(session),
                session.started_ms.map(stored),
                session.updated_ms.map(stored),
                session.revision,
                session.attrs.get("title"),
                to_json(&session.attrs)?,
                stored(now_ms),
            ],
            |row| row.get(0),
        )
}
