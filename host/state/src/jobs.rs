//! Jobs as people see them: list, cancel, retry, skip. An operation that a job's state does not allow is refused with
//! that state.

use camino::Utf8PathBuf;
use rusqlite::{named_params, params};

use crate::backend::{Connection, OptionalExtension, Result as Answer, ResultRow, TransactionStop};
use crate::lookup::{self, Lookup};
use crate::sessions::put_ran;
use crate::values::{ByName, ColumnReader, clean, stored};
use crate::{Catalog, CatalogError, JobError, ProjectId, SessionKey, TaskState, wake};

/// A unit of work: turns one session into memory of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: String,
    pub session: SessionKey,
    pub project: ProjectId,
    pub project_root: Utf8PathBuf,
    /// Reason it was enqueued: `sync`, `hot`, `cold`.
    pub mode: String,
    /// Requested revision of the session.
    pub revision: String,
    /// Time of the session's last change: newer sessions go first.
    pub updated_ms: u64,
    pub state: TaskState,
    /// True for a dead letter: it is not tried again until a person asks.
    pub dead: bool,
    /// Number of attempts, including a running one.
    pub attempt: u32,
    /// The earliest time of the next attempt.
    pub not_before_ms: u64,
    /// Worker that holds the job.
    pub owner: Option<String>,
    /// Fencing token of its last lease.
    pub token: Option<u64>,
    pub lease_until_ms: Option<u64>,
    pub created_ms: u64,
    pub started_ms: Option<u64>,
    pub finished_ms: Option<u64>,
    /// Reason why the last attempt failed, or why the job was cancelled.
    pub cause: Option<String>,
    /// Id of its last run.
    pub run_id: Option<String>,
    pub cancel_requested: bool,
    /// True once a person has seen the result.
    pub shown: bool,
}

/// Filter for jobs; an unset field matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    pub state: Option<TaskState>,
    /// Only dead letters, or only other jobs.
    pub dead: Option<bool>,
    pub project: Option<ProjectId>,
    pub agent: Option<String>,
    pub session: Option<SessionKey>,
    pub limit: Option<u64>,
}

impl Catalog {
    /// Returns jobs in the order in which they are claimed.
    pub fn jobs(&self, filter: &JobFilter) -> Result<Vec<Job>, CatalogError> {
        let sql = select(
            "WHERE (CAST(:state AS TEXT) IS NULL OR j.state = :state)
               AND (CAST(:dead AS BOOLEAN) IS NULL OR j.dead = :dead)
               AND (CAST(:project AS BIGINT) IS NULL OR j.project = :project)
               AND (CAST(:agent AS TEXT) IS NULL OR s.agent = :agent)
               AND (CAST(:session_id AS TEXT) IS NULL OR (s.agent = :session_agent AND s.id = :session_id))
             ORDER BY j.updated_ms DESC, j.id LIMIT :limit",
        );
        let session = filter.session.as_ref();
        self.read(|connection| {
            connection
                .prepare(&sql)?
                .query_map(
                    named_params! {
                        ":state": filter.state.map(ByName),
                        ":dead": filter.dead,
                        ":project": filter.project,
                        ":agent": filter.agent,
                        ":session_agent": session.map(|key| &key.agent),
                        ":session_id": session.map(|key| &key.id),
                        ":limit": stored(filter.limit.unwrap_or(u64::MAX)),
                    },
                    job,
                )?
                .collect()
        })
    }

    /// Finds the job whose id starts with `prefix`, ignoring case.
    pub fn job(&self, prefix: &str) -> Result<Lookup<Job>, CatalogError> {
        let prefix = prefix.to_ascii_uppercase();
        let sql = select(&format!(
            "WHERE {} ORDER BY j.id LIMIT {}",
            lookup::begins("j.id"),
            lookup::SHOWN + 1,
        ));
        let found = self.read(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let rows = statement.query_map([&prefix], job)?;
            rows.collect()
        })?;
        Ok(Lookup::new(found, |job: &Job| job.id == prefix))
    }

    /// Cancels a queued job at once. A running one is asked to stop: its worker notices before its next step and does
    /// not commit. The session is not queued again until the job is retried, even if it grows.
    pub fn cancel(&self, id: &str, now_ms: u64) -> Result<Job, JobError> {
        self.change(id, |connection, job| {
            match job.state {
                TaskState::Queued => finish(
                    connection,
                    id,
                    TaskState::Cancelled,
                    "cancelled by request",
                    now_ms,
                ),
                TaskState::Running => connection
                    .execute(
                        "UPDATE jobs SET cancel_requested = TRUE WHERE id = ?1",
                        [id],
                    )
                    .map(drop),
                _ => return Err(refused(job, "cancelled")),
            }
            .map_err(TransactionStop::from)
        })
    }

    /// Enqueues a failed or cancelled job again with its attempts reset, for the session's current revision.
    pub fn retry(&self, id: &str) -> Result<Job, JobError> {
        self.change(id, |connection, job| {
            if !matches!(job.state, TaskState::Failed | TaskState::Cancelled) {
                return Err(refused(job, "tried again"));
            }
            let session = session_of(connection, id)?;
            if let Some(by) = queued_job_of(connection, session)? {
                let id = id.to_owned();
                return Err(TransactionStop::Refused(JobError::Superseded { id, by }));
            }
            connection.execute(
                "UPDATE jobs SET state = 'queued', dead = FALSE, attempt = 0, not_before_ms = 0,
                     cancel_requested = FALSE, shown = FALSE, finished_ms = NULL, cause = NULL,
                     revision = s.revision, updated_ms = coalesce(s.updated_ms, 0)
                 FROM sessions s WHERE s.session = jobs.session AND jobs.id = ?1",
                [id],
            )?;
            wake::announce(connection)?;
            Ok(())
        })
    }

    /// Drops a queued or failed job: its session is not queued again at this revision.
    pub fn skip(&self, id: &str, now_ms: u64) -> Result<Job, JobError> {
        self.change(id, |connection, job| {
            if !matches!(job.state, TaskState::Queued | TaskState::Failed) {
                return Err(refused(job, "skipped"));
            }
            finish(connection, id, TaskState::Cancelled, "skipped", now_ms)?;
            let session = session_of(connection, id)?;
            put_ran(
                connection,
                session,
                &job.revision,
                Some(job.project),
                now_ms,
            )?;
            Ok(())
        })
    }

    /// Records that a person has seen the result of a job and of its run.
    pub fn mark_job_shown(&self, id: &str) -> Result<Job, JobError> {
        self.change(id, |connection, job| {
            connection.execute("UPDATE jobs SET shown = TRUE WHERE id = ?1", [id])?;
            connection.execute(
                "UPDATE runs SET shown = TRUE WHERE run_id = ?1",
                [&job.run_id],
            )?;
            Ok(())
        })
    }

    /// Changes an existing job, and returns its new state.
    fn change(
        &self,
        id: &str,
        action: impl Fn(&Connection, &Job) -> Result<(), TransactionStop<JobError>>,
    ) -> Result<Job, JobError> {
        let unknown = || TransactionStop::Refused(JobError::Unknown { id: id.to_owned() });
        self.write(|connection| {
            let job = job_by_id(connection, id)?.ok_or_else(unknown)?;
            action(connection, &job)?;
            job_by_id(connection, id)?.ok_or_else(unknown)
        })
    }
}

fn refused(job: &Job, action: &'static str) -> TransactionStop<JobError> {
    TransactionStop::Refused(JobError::State {
        id: job.id.clone(),
        state: job.state,
        action,
    })
}

/// Ends a job. A dead letter that ends with another state is no longer one.
pub(crate) fn finish(
    connection: &Connection,
    id: &str,
    state: TaskState,
    cause: &str,
    now_ms: u64,
) -> Answer<()> {
    connection
        .prepare(
            "UPDATE jobs SET state = ?2, dead = FALSE, cause = ?3, finished_ms = ?4,
                 lease_until_ms = NULL, owner = NULL
             WHERE id = ?1",
        )?
        .execute(params![id, ByName(state), clean(cause), stored(now_ms)])?;
    Ok(())
}

pub(crate) fn job_by_id(connection: &Connection, id: &str) -> Answer<Option<Job>> {
    connection
        .prepare(&select("WHERE j.id = ?1"))?
        .query_row([id], job)
        .optional()
}

/// Returns the queued job of a session.
pub(crate) fn queued_job_of(connection: &Connection, session: i64) -> Answer<Option<String>> {
    connection
        .prepare("SELECT id FROM jobs WHERE session = ?1 AND state = 'queued'")?
        .query_row([session], |row| row.get(0))
        .optional()
}

fn session_of(connection: &Connection, id: &str) -> Answer<i64> {
    connection.query_row("SELECT session FROM jobs WHERE id = ?1", [id], |row| {
        row.get(0)
    })
}

/// Builds a query for [`job`] over jobs `j`, their sessions `s` and projects `p`.
fn select(rest: &str) -> String {
    format!(
        "SELECT j.id, s.agent, s.id, j.project, p.root, j.mode, j.revision, j.updated_ms, j.state,
             j.dead, j.attempt, j.not_before_ms, j.owner, j.token, j.lease_until_ms, j.created_ms,
             j.started_ms, j.finished_ms, j.cause, j.run_id, j.cancel_requested, j.shown
         FROM jobs j JOIN sessions s ON s.session = j.session
             JOIN projects p ON p.project = j.project {rest}"
    )
}

fn job(row: &ResultRow<'_>) -> Answer<Job> {
    let mut columns = ColumnReader::new(row);
    Ok(Job {
        id: columns.take()?,
        session: SessionKey {
            agent: columns.take()?,
            id: columns.take()?,
        },
        project: columns.take()?,
        project_root: columns.path()?,
        mode: columns.take()?,
        revision: columns.take()?,
        updated_ms: columns.number()?,
        state: columns.take::<ByName<_>>()?.0,
        dead: columns.take()?,
        attempt: columns.take()?,
        not_before_ms: columns.number()?,
        owner: columns.take()?,
        token: columns.number_if_any()?,
        lease_until_ms: columns.number_if_any()?,
        created_ms: columns.number()?,
        started_ms: columns.number_if_any()?,
        finished_ms: columns.number_if_any()?,
        cause: columns.take()?,
        run_id: columns.take()?,
        cancel_requested: columns.take()?,
        shown: columns.take()?,
    })
}
