//! Sessions and their progress: archived, read, run. Derived values are always for the session's current revision.

use std::collections::BTreeMap;

use acreta_types::{Cursor, Session};
use camino::Utf8PathBuf;
use rusqlite::{named_params, params};

use crate::backend::{Connection, OptionalExtension, Result as Answer, ResultRow, TransactionStop};
use crate::lookup::{self, Lookup};
use crate::values::{ColumnReader, named, stored};
use crate::{Catalog, CatalogError, ProjectId, SessionKey};

named! {
    /// Relation of a session to its parent.
    pub enum Relation {
        None = "none",
        Subagent = "subagent",
        Fork = "fork",
    }
}

impl Relation {
    /// Returns the relation that the adapter reports; an unknown one is `None`.
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
        /// The session's events in canonical form.
        Trace = "trace",
    }
}

named! {
    /// Processing state of a session.
    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum SessionState {
        /// Its project is not registered, or it has none.
        Waiting = "waiting",
        /// Its project is registered; this revision has not been processed.
        New = "new",
        /// A job for it is queued or running.
        Queued = "queued",
        /// Memory includes this revision, or a person skipped it.
        Done = "done",
        /// A person cancelled its job, and nothing was queued since.
        Cancelled = "cancelled",
        /// The job for this revision is a dead letter.
        Failed = "failed",
    }
}

/// An archived copy of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    pub digest: String,
    pub kind: ArchiveKind,
    /// Revision of the session that was archived.
    pub revision: String,
}

/// Position where reading a session stopped, and the trace at that point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceCursor {
    pub cursor: Cursor,
    pub trace_bytes: u64,
    pub trace_events: u64,
    /// SHA-256 of the trace. It is stored before the cursor's state, in one column: what an earlier version wrote there has a
    /// digest that fits no trace, and such a session is read whole once.
    pub trace_digest: [u8; 32],
}

/// Everything stored about a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSession {
    /// As its adapter last reported it; `path` in it is the guest's path.
    pub session: Session,
    pub adapter: String,
    /// The file that holds its latest state.
    pub file: Utf8PathBuf,
    /// Name of the adapter's root that contains the file.
    pub root: String,
    pub relation: Relation,
    pub title: Option<String>,
    pub project: Option<ProjectId>,
    pub state: SessionState,
    pub archive: Option<Archive>,
    /// Revision of the last completed run.
    pub ran_revision: Option<String>,
    /// The project whose memory contains it. The cursor points into the trace in that project.
    pub ran_project: Option<ProjectId>,
    pub cursor: Option<TraceCursor>,
    pub first_seen_ms: u64,
    /// Time since which no file holds it.
    pub gone_ms: Option<u64>,
    /// False if another machine recorded it: its path is on that machine.
    pub is_here: bool,
}

impl KnownSession {
    pub fn key(&self) -> SessionKey {
        SessionKey::new(&self.session.agent, &self.session.id)
    }
}

/// Filter for sessions; an unset field matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionFilter {
    pub agent: Option<String>,
    pub project: Option<ProjectId>,
    /// Sessions last changed at this time or later.
    pub since_ms: Option<u64>,
    /// Sessions last changed before this time.
    pub until_ms: Option<u64>,
    pub state: Option<SessionState>,
    /// Only sessions that this machine recorded.
    pub here: bool,
    pub limit: Option<u64>,
}

impl Catalog {
    pub fn session(&self, key: &SessionKey) -> Result<Option<KnownSession>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select(connection, "WHERE s.agent = ?1 AND s.id = ?2"))?
                .query_row([&key.agent, &key.id], known_session)
                .optional()
        })
    }

    /// Finds the session whose id starts with `prefix`, of any agent.
    pub fn find_session(&self, prefix: &str) -> Result<Lookup<KnownSession>, CatalogError> {
        let condition = format!(
            "WHERE {} ORDER BY s.id, s.agent LIMIT {}",
            lookup::begins("s.id"),
            lookup::SHOWN + 1,
        );
        let found = self.read(|connection| {
            let mut statement = connection.prepare(&select(connection, &condition))?;
            let rows = statement.query_map([prefix], known_session)?;
            rows.collect()
        })?;
        Ok(Lookup::new(found, |known: &KnownSession| {
            known.session.id == prefix
        }))
    }

    /// Returns sessions, most recently changed first.
    pub fn sessions(&self, filter: &SessionFilter) -> Result<Vec<KnownSession>, CatalogError> {
        let condition = |connection: &Connection| {
            let here = connection.here("s");
            let open = match filter.state {
                Some(state) if state != SessionState::Done => may_be_open(connection),
                _ => "TRUE",
            };
            format!(
                "WHERE {open} AND (NOT :here OR {here})
               AND (CAST(:agent AS TEXT) IS NULL OR s.agent = :agent)
               AND (CAST(:project AS BIGINT) IS NULL OR s.project = :project)
               AND coalesce(s.updated_ms, 0) >= :since AND coalesce(s.updated_ms, 0) < :until
               AND (CAST(:state AS TEXT) IS NULL OR {STATE} = :state)
             ORDER BY coalesce(s.updated_ms, 0) DESC, s.agent, s.id LIMIT :limit"
            )
        };
        self.read(|connection| {
            connection
                .prepare(&select(connection, &condition(connection)))?
                .query_map(
                    named_params! {
                        ":agent": filter.agent,
                        ":project": filter.project,
                        ":since": stored(filter.since_ms.unwrap_or(0)),
                        ":until": stored(filter.until_ms.unwrap_or(u64::MAX)),
                        ":here": filter.here,
                        ":state": filter.state,
                        ":limit": stored(filter.limit.unwrap_or(u64::MAX)),
                    },
                    known_session,
                )?
                .collect()
        })
    }

    /// Returns the number of sessions on disk whose current revision is not archived, by agent.
    pub fn not_archived(&self) -> Result<BTreeMap<String, u64>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&format!(
                    "SELECT agent, count(*) FROM sessions
                     WHERE archived_revision IS DISTINCT FROM revision AND gone_ms IS NULL AND {}
                     GROUP BY agent",
                    connection.here("sessions"),
                ))?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok((columns.take()?, columns.number()?))
                })?
                .collect()
        })
    }

    /// Records archived copies, in one transaction.
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

    /// Stores the position where reading stopped; `None` means read from the start.
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

    /// Records a completed run without a job. A queued job for the same revision is cancelled.
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

/// Returns the row id of a session; an unknown session is an error.
pub(crate) fn require(
    connection: &Connection,
    key: &SessionKey,
) -> Result<i64, TransactionStop<CatalogError>> {
    connection
        .prepare("SELECT session FROM sessions WHERE agent = ?1 AND id = ?2")?
        .query_row([&key.agent, &key.id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| {
            TransactionStop::Refused(CatalogError::UnknownSession {
                session: key.clone(),
            })
        })
}

pub(crate) fn put_cursor(
    connection: &Connection,
    session: i64,
    cursor: Option<&TraceCursor>,
) -> Answer<()> {
    let state = cursor.map(|at| [&at.trace_digest[..], &at.cursor.state[..]].concat());
    connection
        .prepare(
            "UPDATE sessions SET cursor_offset = ?2, cursor_state = ?3, trace_bytes = ?4,
                 trace_events = ?5
             WHERE session = ?1",
        )?
        .execute(params![
            session,
            cursor.map(|at| stored(at.cursor.offset)),
            state.as_deref(),
            cursor.map(|at| stored(at.trace_bytes)),
            cursor.map(|at| stored(at.trace_events)),
        ])?;
    Ok(())
}

/// Records the revision that a project's memory now contains (by default the session's own project), and cancels the
/// queued job that would repeat the work: one for this revision, or any if no later revision is known.
pub(crate) fn put_ran(
    connection: &Connection,
    session: i64,
    revision: &str,
    project: Option<ProjectId>,
    now_ms: u64,
) -> Answer<()> {
    let has_queued = connection
        .prepare(
            "UPDATE sessions SET ran_revision = ?2, ran_project = coalesce(?3, project)
             WHERE session = ?1
             RETURNING EXISTS (SELECT 1 FROM jobs j WHERE j.session = sessions.session AND j.state = 'queued')",
        )?
        .query_row(params![session, revision, project], |row| row.get(0))
        .optional()?;
    if has_queued != Some(true) {
        return Ok(());
    }
    connection
        .prepare(
            "UPDATE jobs SET state = 'cancelled', finished_ms = ?3, cause = 'this revision ran already'
             WHERE session = ?1 AND state = 'queued'
               AND (revision = ?2 OR ?2 = (SELECT revision FROM sessions WHERE session = ?1))",
        )?
        .execute(params![session, revision, stored(now_ms)])?;
    Ok(())
}

/// Returns a condition for sessions `s` that may be in another state than `done`. They are few in a large catalog.
pub(crate) fn may_be_open(connection: &Connection) -> &'static str {
    connection.either(
        "s.session IN (SELECT session FROM jobs WHERE state IN ('queued', 'running')
             UNION SELECT session FROM sessions
                 WHERE ran_revision IS DISTINCT FROM revision OR ran_project <> project)",
        // As an array, so that only these are looked up; the column has an index.
        "s.session = ANY (ARRAY(SELECT session FROM jobs WHERE state IN ('queued', 'running')
             UNION SELECT session FROM sessions WHERE NOT is_run))",
    )
}

/// SQL expression for the state of session `s` whose project is `p`.
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
        THEN 'cancelled'
    WHEN p.registered THEN 'new'
    ELSE 'waiting'
END";

/// Builds a query for [`known_session`] over sessions `s` and their projects `p`.
pub(crate) fn select(connection: &Connection, rest: &str) -> String {
    let is_here = connection.here("s");
    format!(
        "SELECT s.id, s.agent, s.guest_path, s.project_dir, s.parent, s.started_ms, s.updated_ms,
             s.revision, s.attrs, s.adapter, s.path, s.root, s.relation, s.title, s.project, {STATE},
             s.archive_digest, s.archive_kind, s.archived_revision, s.ran_revision,
             s.ran_project, s.cursor_offset, s.cursor_state, s.trace_bytes, s.trace_events,
             s.first_seen_ms, s.gone_ms, {is_here}
         FROM sessions s LEFT JOIN projects p USING (project) {rest}"
    )
}

pub(crate) fn known_session(row: &ResultRow<'_>) -> Answer<KnownSession> {
    let mut columns = ColumnReader::new(row);
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
        is_here: columns.take()?,
    })
}

fn archive(columns: &mut ColumnReader<'_>) -> Answer<Option<Archive>> {
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

fn trace_cursor(columns: &mut ColumnReader<'_>) -> Answer<Option<TraceCursor>> {
    let (offset, state): (_, Option<Vec<u8>>) = (columns.number_if_any()?, columns.take()?);
    let (bytes, events) = (columns.number_if_any()?, columns.number_if_any()?);
    let state = state.as_ref().and_then(|state| state.split_first_chunk());
    Ok(match (offset, state, bytes, events) {
        (Some(offset), Some((digest, state)), Some(trace_bytes), Some(trace_events)) => {
            Some(TraceCursor {
                cursor: Cursor {
                    offset,
                    state: state.to_vec(),
                },
                trace_bytes,
                trace_events,
                trace_digest: *digest,
            })
        }
        _ => None,
    })
}
