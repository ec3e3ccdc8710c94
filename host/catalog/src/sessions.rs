//! The sessions that were found, and how far each got: archived, read, run. What is derived here is
//! always of the session's current revision.

use std::collections::BTreeMap;

use acreta_model::{Cursor, Session};
use camino::Utf8PathBuf;
use rusqlite::{named_params, params};

use crate::backend::{Connection, OptionalExtension, Result as Answer, Row, Stop};
use crate::lookup::{self, Lookup};
use crate::values::{Columns, named, stored};
use crate::{Catalog, CatalogError, ProjectId, SessionKey};

named! {
    /// What a session is to its parent.
    pub enum Relation {
        None = "none",
        Subagent = "subagent",
        Fork = "fork",
    }
}

impl Relation {
    /// As the session's adapter says it; what is not known is none.
    pub fn of(session: &Session) -> Self {
        match session.attrs.get("relation") {
            Some("subagent") => Relation::Subagent,
            Some("fork") => Relation::Fork,
            _ => Relation::None,
        }
    }
}

named! {
    pub enum ArchiveKind {
        /// The agent's own record, redacted.
        Raw = "raw",
        /// Its events in canonical form.
        Trace = "trace",
    }
}

named! {
    /// Where a session stands.
    pub enum SessionState {
        /// Its project is not registered, or it has none.
        Waiting = "waiting",
        /// Its project is registered; nothing was done yet at this revision.
        New = "new",
        /// A job for it is queued or running.
        Queued = "queued",
        /// Memory has what this revision gives, or a person skipped it or cancelled its job.
        Done = "done",
        /// The job for this revision is a dead letter.
        Failed = "failed",
    }
}

/// A copy that acreta keeps of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    pub digest: String,
    pub kind: ArchiveKind,
    /// Revision of the session that was archived.
    pub revision: String,
}

/// Where reading a session stopped, and how long the trace was then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceCursor {
    pub cursor: Cursor,
    pub trace_bytes: u64,
    pub trace_events: u64,
}

/// All that is known of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSession {
    /// As its adapter told it last; `path` in it is the guest's.
    pub session: Session,
    pub adapter: String,
    /// The file that holds its latest state.
    pub file: Utf8PathBuf,
    /// Name of the adapter's root the file lies under.
    pub root: String,
    pub relation: Relation,
    pub title: Option<String>,
    pub project: Option<ProjectId>,
    pub state: SessionState,
    pub archive: Option<Archive>,
    /// Revision of the last run that was completed.
    pub ran_revision: Option<String>,
    /// The project whose memory has it. The cursor points into the trace that lies there.
    pub ran_project: Option<ProjectId>,
    pub cursor: Option<TraceCursor>,
    pub first_seen_ms: u64,
    /// Since when no file holds it.
    pub gone_ms: Option<u64>,
}

impl KnownSession {
    pub fn key(&self) -> SessionKey {
        SessionKey::new(&self.session.agent, &self.session.id)
    }
}

/// Which sessions are wanted; everything that is not said is any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionFilter {
    pub agent: Option<String>,
    pub project: Option<ProjectId>,
    /// By the last change, from here on.
    pub since_ms: Option<u64>,
    /// By the last change, before this.
    pub until_ms: Option<u64>,
    pub state: Option<SessionState>,
    pub limit: Option<u64>,
}

impl Catalog {
    pub fn session(&self, key: &SessionKey) -> Result<Option<KnownSession>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select("WHERE s.agent = ?1 AND s.id = ?2"))?
                .query_row([&key.agent, &key.id], known_session)
                .optional()
        })
    }

    /// The session whose id begins so, of any agent.
    pub fn find_session(&self, prefix: &str) -> Result<Lookup<KnownSession>, CatalogError> {
        let sql = select(&format!(
            "WHERE {} ORDER BY s.id, s.agent LIMIT {}",
            lookup::begins("s.id"),
            lookup::SHOWN + 1,
        ));
        let found = self.read(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let rows = statement.query_map([prefix], known_session)?;
            rows.collect()
        })?;
        Ok(Lookup::new(found, |known: &KnownSession| {
            known.session.id == prefix
        }))
    }

    /// Sessions, the one that changed last first.
    pub fn sessions(&self, filter: &SessionFilter) -> Result<Vec<KnownSession>, CatalogError> {
        let sql = select(&format!(
            "WHERE (CAST(:agent AS TEXT) IS NULL OR s.agent = :agent)
               AND (CAST(:project AS BIGINT) IS NULL OR s.project = :project)
               AND coalesce(s.updated_ms, 0) >= :since AND coalesce(s.updated_ms, 0) < :until
               AND (CAST(:state AS TEXT) IS NULL OR {STATE} = :state)
             ORDER BY coalesce(s.updated_ms, 0) DESC, s.agent, s.id LIMIT :limit"
        ));
        self.read(|connection| {
            connection
                .prepare(&sql)?
                .query_map(
                    named_params! {
                        ":agent": filter.agent,
                        ":project": filter.project,
                        ":since": stored(filter.since_ms.unwrap_or(0)),
                        ":until": stored(filter.until_ms.unwrap_or(u64::MAX)),
                        ":state": filter.state,
                        ":limit": stored(filter.limit.unwrap_or(u64::MAX)),
                    },
                    known_session,
                )?
                .collect()
        })
    }

    /// How many sessions of each agent are on disk at a revision that is not archived.
    pub fn not_archived(&self) -> Result<BTreeMap<String, u64>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT agent, count(*) FROM sessions
                     WHERE archived_revision IS DISTINCT FROM revision AND gone_ms IS NULL GROUP BY agent",
                )?
                .query_map([], |row| {
                    let mut columns = Columns::new(row);
                    Ok((columns.take()?, columns.number()?))
                })?
                .collect()
        })
    }

    /// Writes down copies that were made, all at once.
    pub fn set_archived(&self, archived: &[(SessionKey, Archive)]) -> Result<(), CatalogError> {
        self.write(|connection| {
            let mut statement = connection.prepare(
                "UPDATE sessions SET archive_digest = ?2, archive_kind = ?3, archived_revision = ?4
                 WHERE session = ?1",
            )?;
            for (key, archive) in archived {
                let session = require(connection, key)?;
                statement.execute(params![
                    session,
                    archive.digest,
                    archive.kind,
                    archive.revision
                ])?;
            }
            Ok(())
        })
    }

    /// Writes down where reading stopped; nothing means: read it from the start.
    pub fn set_cursor(
        &self,
        key: &SessionKey,
        cursor: Option<&TraceCursor>,
    ) -> Result<(), CatalogError> {
        self.write(|connection| {
            let session = require(connection, key)?;
            Ok(put_cursor(connection, session, cursor)?)
        })
    }

    /// Writes down a completed run that came from no job. A job that waits for the same is cancelled.
    pub fn mark_ran(
        &self,
        key: &SessionKey,
        revision: &str,
        now_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write(|connection| {
            let session = require(connection, key)?;
            Ok(put_ran(connection, session, revision, None, now_ms)?)
        })
    }
}

/// The row of a session that has to be there.
pub(crate) fn require(
    connection: &Connection,
    key: &SessionKey,
) -> Result<i64, Stop<CatalogError>> {
    connection
        .prepare("SELECT session FROM sessions WHERE agent = ?1 AND id = ?2")?
        .query_row([&key.agent, &key.id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| {
            Stop::Refused(CatalogError::UnknownSession {
                session: key.clone(),
            })
        })
}

pub(crate) fn put_cursor(
    connection: &Connection,
    session: i64,
    cursor: Option<&TraceCursor>,
) -> Answer<()> {
    connection
        .prepare(
            "UPDATE sessions SET cursor_offset = ?2, cursor_state = ?3, trace_bytes = ?4,
                 trace_events = ?5
             WHERE session = ?1",
        )?
        .execute(params![
            session,
            cursor.map(|at| stored(at.cursor.offset)),
            cursor.map(|at| at.cursor.state.as_slice()),
            cursor.map(|at| stored(at.trace_bytes)),
            cursor.map(|at| stored(at.trace_events)),
        ])?;
    Ok(())
}

/// Notes the revision that the memory of a project has now, by default of the session's own, and cancels the queued job that would do the same again:
/// one for this revision, or any when no later one is known.
pub(crate) fn put_ran(
    connection: &Connection,
    session: i64,
    revision: &str,
    project: Option<ProjectId>,
    now_ms: u64,
) -> Answer<()> {
    connection
        .prepare(
            "UPDATE sessions SET ran_revision = ?2, ran_project = coalesce(?3, project)
             WHERE session = ?1",
        )?
        .execute(params![session, revision, project])?;
    connection
        .prepare(
            "UPDATE jobs SET state = 'cancelled', finished_ms = ?3, cause = 'this revision ran already'
             WHERE session = ?1 AND state = 'queued'
               AND (revision = ?2 OR ?2 = (SELECT revision FROM sessions WHERE session = ?1))",
        )?
        .execute(params![session, revision, stored(now_ms)])?;
    Ok(())
}

/// The state of session `s` whose project is `p`.
pub(crate) const STATE: &str = "
CASE
    WHEN EXISTS (SELECT 1 FROM jobs j WHERE j.session = s.session AND j.state IN ('queued', 'running'))
        THEN 'queued'
    WHEN s.ran_revision = s.revision AND coalesce(s.ran_project = s.project, TRUE) THEN 'done'
    WHEN EXISTS (SELECT 1 FROM jobs j WHERE j.session = s.session AND j.dead AND j.revision = s.revision)
        THEN 'failed'
    WHEN EXISTS (SELECT 1 FROM jobs j WHERE j.session = s.session AND j.state = 'cancelled'
            AND j.cause = 'cancelled by request'
            AND NOT EXISTS (SELECT 1 FROM jobs l WHERE l.session = j.session AND l.rowid > j.rowid))
        THEN 'done'
    WHEN p.registered THEN 'new'
    ELSE 'waiting'
END";

/// A query for [`known_session`] over sessions `s` and their projects `p`.
pub(crate) fn select(rest: &str) -> String {
    format!(
        "SELECT s.id, s.agent, s.guest_path, s.project_dir, s.parent, s.started_ms, s.updated_ms,
             s.revision, s.attrs, s.adapter, s.path, s.root, s.relation, s.title, s.project, {STATE},
             s.archive_digest, s.archive_kind, s.archived_revision, s.ran_revision,
             s.ran_project, s.cursor_offset, s.cursor_state, s.trace_bytes, s.trace_events,
             s.first_seen_ms, s.gone_ms
         FROM sessions s LEFT JOIN projects p USING (project) {rest}"
    )
}

pub(crate) fn known_session(row: &Row<'_>) -> Answer<KnownSession> {
    let mut columns = Columns::new(row);
    Ok(KnownSession {
        session: Session {
            id: columns.take()?,
            agent: columns.take()?,
            path: columns.take()?,
            project_dir: columns.take()?,
            parent: columns.take()?,
            started_ms: columns.number_if_any()?,
            updated_ms: columns.number_if_any()?,
            revision: columns.take()?,
            attrs: columns.json()?.unwrap_or_default(),
        },
        adapter: columns.take()?,
        file: columns.path()?,
        root: columns.take()?,
        relation: columns.take()?,
        title: columns.take()?,
        project: columns.take()?,
        state: columns.take()?,
        archive: archive(&mut columns)?,
        ran_revision: columns.take()?,
        ran_project: columns.take()?,
        cursor: trace_cursor(&mut columns)?,
        first_seen_ms: columns.number()?,
        gone_ms: columns.number_if_any()?,
    })
}

fn archive(columns: &mut Columns<'_>) -> Answer<Option<Archive>> {
    let (digest, kind, revision) = (columns.take()?, columns.take()?, columns.take()?);
    Ok(match (digest, kind, revision) {
        (Some(digest), Some(kind), Some(revision)) => Some(Archive {
            digest,
            kind,
            revision,
        }),
        _ => None,
    })
}

fn trace_cursor(columns: &mut Columns<'_>) -> Answer<Option<TraceCursor>> {
    let (offset, state) = (columns.number_if_any()?, columns.take()?);
    let (bytes, events) = (columns.number_if_any()?, columns.number_if_any()?);
    Ok(match (offset, state, bytes, events) {
        (Some(offset), Some(state), Some(trace_bytes), Some(trace_events)) => Some(TraceCursor {
            cursor: Cursor { offset, state },
            trace_bytes,
            trace_events,
        }),
        _ => None,
    })
}
