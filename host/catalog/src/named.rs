//! Runs of files that a person named. Such a file is no agent's record: it never becomes the file of a
//! session that discovery knows, and never says which project that session belongs to.

use acreta_model::Session;
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::{Connection, OptionalExtension, Result as Answer, Stop};
use crate::sessions::{put_cursor, put_ran};
use crate::values::{Columns, stored, to_json};
use crate::{Catalog, CatalogError, NewReading, ProjectId, Relation, TraceCursor, readings};

/// A completed run of a file that a person named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRun {
    pub adapter: String,
    /// Absolute.
    pub path: Utf8PathBuf,
    /// The session in it, at the revision that was read.
    pub session: Session,
    /// The project whose memory has it now.
    pub project: ProjectId,
    /// Where reading stopped; none if the trace was not kept.
    pub cursor: Option<TraceCursor>,
    pub reading: NewReading,
}

impl Catalog {
    /// Writes down the run of a named file. A session that no agent's folder holds is known by this file from
    /// now on, until discovery finds the agent's own. One that discovery knows keeps its file, its revision and
    /// its project; it counts as done if this was the same state, in the project it belongs to.
    pub fn record_named(&self, run: &NamedRun, now_ms: u64) -> Result<(), CatalogError> {
        self.write(|connection| {
            let known = Known::of(connection, &run.session)?;
            let session = match &known {
                Some(known) if !known.is_named => known.session,
                _ => put_named(connection, run, now_ms)?,
            };
            let known = known.filter(|known| !known.is_named);
            let is_elsewhere = |known: &Known| known.project.is_some_and(|own| own != run.project);
            if known.as_ref().is_some_and(is_elsewhere) {
                return Ok::<_, Stop<CatalogError>>(());
            }
            if run.cursor.is_some() {
                // The trace in this project is this file's now. A cursor into another file no longer fits it.
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

/// A session as the catalog has it.
struct Known {
    session: i64,
    path: Utf8PathBuf,
    revision: String,
    project: Option<ProjectId>,
    /// Known by a named file alone.
    is_named: bool,
}

impl Known {
    fn of(connection: &Connection, session: &Session) -> Answer<Option<Self>> {
        connection
            .prepare(
                "SELECT session, path, revision, project, root = '' FROM sessions
                 WHERE agent = ?1 AND id = ?2",
            )?
            .query_row([&session.agent, &session.id], |row| {
                let mut columns = Columns::new(row);
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

/// Puts down a session that only named files hold, and gives its row.
fn put_named(connection: &Connection, run: &NamedRun, now_ms: u64) -> Answer<i64> {
    let session = &run.session;
    let path: &Utf8Path = &run.path;
    connection
        .prepare(
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
                 trace_events = NULL, gone_ms = NULL
             RETURNING session",
        )?
        .query_row(
            params![
                session.agent,
                session.id,
                run.adapter,
                path.as_str(),
                session.path,
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
