//! The jobs as people see them: listed, cancelled, tried again, skipped. Asking for something that a
//! job's state does not allow is refused with that state.

use camino::Utf8PathBuf;
use rusqlite::{named_params, params};

use crate::backend::{Connection, OptionalExtension, Result as Answer, Row, Stop};
use crate::lookup::{self, Lookup};
use crate::sessions::put_ran;
use crate::values::{Columns, Named, stored};
use crate::{Catalog, CatalogError, JobError, ProjectId, SessionKey, TaskState};

/// One piece of work: a session that is to become memory in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: String,
    pub session: SessionKey,
    pub project: ProjectId,
    pub project_root: Utf8PathBuf,
    /// Why it was put down: `sync`, `hot`, `cold`.
    pub mode: String,
    /// The session's revision that is wanted.
    pub revision: String,
    /// When the session last changed: newer ones go first.
    pub updated_ms: u64,
    pub state: TaskState,
    /// Whether it is a dead letter: nothing is done with it until a person says so.
    pub dead: bool,
    /// Attempts that were made, with the one that runs.
    pub attempt: u32,
    /// It is not tried before this.
    pub not_before_ms: u64,
    /// Who works on it.
    pub owner: Option<String>,
    /// Fencing token of whoever had it last.
    pub token: Option<u64>,
    pub lease_until_ms: Option<u64>,
    pub created_ms: u64,
    pub started_ms: Option<u64>,
    pub finished_ms: Option<u64>,
    /// Why the last attempt did not succeed, or why it was cancelled.
    pub cause: Option<String>,
    /// Its last run.
    pub run_id: Option<String>,
    pub cancel_requested: bool,
    /// Whether a person has seen how it ended.
    pub shown: bool,
}

/// Which jobs are wanted; everything that is not said is any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    pub state: Option<TaskState>,
    /// Dead letters only, or none of them.
    pub dead: Option<bool>,
    pub project: Option<ProjectId>,
    pub agent: Option<String>,
    pub session: Option<SessionKey>,
    pub limit: Option<u64>,
}

impl Catalog {
    /// Jobs in the order in which they are claimed.
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
                        ":state": filter.state.map(Named),
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

    /// The job whose id begins so, in capitals or not.
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

    /// Cancels a job that waits, at once. One that runs is asked to stop: its worker hears of it before its next
    /// step, and does not commit. The session is left alone until the job is tried again, even if it grows.
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
            .map_err(Stop::from)
        })
    }

    /// Puts a job that failed or was cancelled back into the queue, as if it had never been tried,
    /// for the session's revision of now.
    pub fn retry(&self, id: &str) -> Result<Job, JobError> {
        self.change(id, |connection, job| {
            if !matches!(job.state, TaskState::Failed | TaskState::Cancelled) {
                return Err(refused(job, "tried again"));
            }
            let session = session_of(connection, id)?;
            if let Some(by) = queued_job_of(connection, session)? {
                let id = id.to_owned();
                return Err(Stop::Refused(JobError::Superseded { id, by }));
            }
            connection.execute(
                "UPDATE jobs SET state = 'queued', dead = FALSE, attempt = 0, not_before_ms = 0,
                     cancel_requested = FALSE, shown = FALSE, finished_ms = NULL, cause = NULL,
                     revision = s.revision, updated_ms = coalesce(s.updated_ms, 0)
                 FROM sessions s WHERE s.session = jobs.session AND jobs.id = ?1",
                [id],
            )?;
            Ok(())
        })
    }

    /// Gives up a job that waits or failed: its session is not queued again at this revision.
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

    /// Notes that a person has seen how a job ended, and with it its run.
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

    /// Does something to a job that is there, and gives the job as it is then.
    fn change(
        &self,
        id: &str,
        action: impl Fn(&Connection, &Job) -> Result<(), Stop<JobError>>,
    ) -> Result<Job, JobError> {
        let unknown = || Stop::Refused(JobError::Unknown { id: id.to_owned() });
        self.write(|connection| {
            let job = job_by_id(connection, id)?.ok_or_else(unknown)?;
            action(connection, &job)?;
            job_by_id(connection, id)?.ok_or_else(unknown)
        })
    }
}

fn refused(job: &Job, action: &'static str) -> Stop<JobError> {
    Stop::Refused(JobError::State {
        id: job.id.clone(),
        state: job.state,
        action,
    })
}

/// Ends a job. A dead letter that ends otherwise is none any more.
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
        .execute(params![id, Named(state), cause, stored(now_ms)])?;
    Ok(())
}

pub(crate) fn job_by_id(connection: &Connection, id: &str) -> Answer<Option<Job>> {
    connection
        .prepare(&select("WHERE j.id = ?1"))?
        .query_row([id], job)
        .optional()
}

/// The job of a session that waits in the queue.
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

/// A query for [`job`] over jobs `j`, their sessions `s` and projects `p`.
fn select(rest: &str) -> String {
    format!(
        "SELECT j.id, s.agent, s.id, j.project, p.root, j.mode, j.revision, j.updated_ms, j.state,
             j.dead, j.attempt, j.not_before_ms, j.owner, j.token, j.lease_until_ms, j.created_ms,
             j.started_ms, j.finished_ms, j.cause, j.run_id, j.cancel_requested, j.shown
         FROM jobs j JOIN sessions s ON s.session = j.session
             JOIN projects p ON p.project = j.project {rest}"
    )
}

fn job(row: &Row<'_>) -> Answer<Job> {
    let mut columns = Columns::new(row);
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
        state: columns.take::<Named<_>>()?.0,
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
