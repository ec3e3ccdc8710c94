//! What the holder of a job may do with it. Every call carries the fencing token of its lease and is
//! refused once the job has another, or has ended: a worker that comes back from the dead changes
//! nothing.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;
use serde_json::Value;

use crate::backend::{Connection, OptionalExtension, Result as Answer, Row, Stop};
use crate::jobs::{finish, job_by_id, queued_job_of};
use crate::sessions::{put_cursor, put_ran};
use crate::values::{Columns, stored};
use crate::{
    Catalog, CatalogError, Job, LeaseError, NewReading, NewRun, ProjectId, RunEnd, SessionKey,
    TaskState, TraceCursor, readings, runs,
};

/// How often a job is tried before it is a dead letter. A worker that dies has tried.
pub const MAX_ATTEMPTS: u32 = 3;

/// The longest wait between two attempts.
pub(crate) const LONGEST_WAIT_MS: u64 = 3_600_000;

/// The right to work on a job, for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub job: String,
    /// Larger than every token given out before, in the whole database.
    pub token: u64,
    pub session: SessionKey,
    pub project: ProjectId,
    pub project_root: Utf8PathBuf,
    pub mode: String,
    pub revision: String,
    /// Which attempt this is, from one.
    pub attempt: u32,
    pub lease_ms: u64,
}

/// What a worker hears when it says that it is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heartbeat {
    Go,
    /// A person wants the job stopped: stop, and say so with `cancelled`.
    Cancel,
}

/// Whether a failed attempt is worth another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Later,
    Never,
}

/// What is left behind by a job that is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub run_id: String,
    /// The revision that was read; a later one than was wanted if the session grew meanwhile.
    pub ran_revision: String,
    /// Where reading stopped; nothing leaves the session's cursor as it is.
    pub cursor: Option<TraceCursor>,
    pub counts: Value,
    /// How well the session was read; nothing leaves what is known of it.
    pub reading: Option<NewReading>,
}

impl Lease {
    pub(crate) fn new(job: Job, lease_ms: u64) -> Option<Self> {
        Some(Self {
            token: job.token?,
            job: job.id,
            session: job.session,
            project: job.project,
            project_root: job.project_root,
            mode: job.mode,
            revision: job.revision,
            attempt: job.attempt,
            lease_ms,
        })
    }
}

impl Catalog {
    /// Says that the worker is alive, and makes the lease last for its full length from now.
    pub fn heartbeat(&self, lease: &Lease, now_ms: u64) -> Result<Heartbeat, LeaseError> {
        self.as_holder(lease, |connection, held| {
            let now_ms = connection.lease_time_ms(now_ms);
            connection
                .prepare("UPDATE jobs SET lease_until_ms = ?2 WHERE id = ?1")?
                .execute(params![
                    held.id,
                    stored(now_ms.saturating_add(lease.lease_ms))
                ])?;
            Ok(if held.cancel_requested {
                Heartbeat::Cancel
            } else {
                Heartbeat::Go
            })
        })
    }

    /// Whether the lease is still the job's: to be asked right before a commit, under the project's
    /// lock. By token alone: a lease that ran out is good for as long as nobody took the job.
    pub fn check(&self, lease: &Lease) -> Result<bool, CatalogError> {
        self.read(|connection| Ok(Held::by_lease(connection, lease)?.is_some()))
    }

    /// Reports whether a person wants the job stopped: to be asked before each step, and before a commit.
    pub fn is_cancelled(&self, lease: &Lease) -> Result<bool, CatalogError> {
        self.read(|connection| {
            let held = Held::by_lease(connection, lease)?;
            Ok(held.is_some_and(|held| held.cancel_requested))
        })
    }

    /// Begins a run of the job. If the worker dies, the run fails with it.
    pub fn begin_leased_run(
        &self,
        lease: &Lease,
        run_id: &str,
        folder: &Utf8Path,
        now_ms: u64,
    ) -> Result<(), LeaseError> {
        let run = NewRun {
            run_id: run_id.to_owned(),
            mode: lease.mode.clone(),
            project_root: lease.project_root.clone(),
            folder: folder.to_owned(),
            session: Some(lease.session.clone()),
        };
        self.as_holder(lease, |connection, held| {
            let now_ms = connection.lease_time_ms(now_ms);
            runs::begin(connection, &run, now_ms).map_err(Stop::widen)?;
            connection.execute(
                "UPDATE jobs SET run_id = ?2 WHERE id = ?1",
                params![held.id, run_id],
            )?;
            Ok(())
        })
    }

    /// Completes the job: job, session and run change together.
    pub fn complete(
        &self,
        lease: &Lease,
        completion: &Completion,
        now_ms: u64,
    ) -> Result<(), LeaseError> {
        self.as_holder(lease, |connection, held| {
            let now_ms = connection.lease_time_ms(now_ms);
            connection
                .prepare(
                    "UPDATE jobs SET state = 'completed', run_id = ?2, finished_ms = ?3, cause = NULL,
                         lease_until_ms = NULL, owner = NULL
                     WHERE id = ?1",
                )?
                .execute(params![held.id, completion.run_id, stored(now_ms)])?;
            if let Some(cursor) = &completion.cursor {
                put_cursor(connection, held.session, Some(cursor))?;
            }
            put_ran(
                connection,
                held.session,
                &completion.ran_revision,
                Some(lease.project),
                now_ms,
            )?;
            if let Some(reading) = &completion.reading {
                readings::put(connection, held.session, reading, now_ms)?;
            }
            let end = RunEnd::Completed(completion.counts.clone());
            runs::end(connection, &completion.run_id, &end, now_ms).map_err(Stop::widen)
        })
    }

    /// Ends an attempt that did not succeed. The job is tried again later or is a dead letter.
    pub fn fail(
        &self,
        lease: &Lease,
        cause: &str,
        retry: Retry,
        now_ms: u64,
    ) -> Result<Job, LeaseError> {
        self.end(lease, |connection, held| {
            let now_ms = connection.lease_time_ms(now_ms);
            held.fail(connection, cause, retry, wait_ms(held.attempt), now_ms)
        })
    }

    /// Gives the job back as if it had not been taken: for a worker that has to stop.
    pub fn release(&self, lease: &Lease, now_ms: u64) -> Result<Job, LeaseError> {
        self.end(lease, |connection, held| {
            held.release(connection, connection.lease_time_ms(now_ms))
        })
    }

    /// Ends a job whose cancelling a heartbeat asked for.
    pub fn cancelled(&self, lease: &Lease, now_ms: u64) -> Result<Job, LeaseError> {
        self.end(lease, |connection, held| {
            held.cancel(connection, connection.lease_time_ms(now_ms))
        })
    }

    /// Ends the lease, and gives the job as it is then.
    fn end(
        &self,
        lease: &Lease,
        action: impl Fn(&Connection, &Held) -> Answer<()>,
    ) -> Result<Job, LeaseError> {
        self.as_holder(lease, |connection, held| {
            action(connection, held)?;
            job_by_id(connection, &held.id)?.ok_or_else(|| lost(lease))
        })
    }

    /// Does something in one transaction with the check that the job is still the lease's.
    fn as_holder<T>(
        &self,
        lease: &Lease,
        action: impl Fn(&Connection, &Held) -> Result<T, Stop<LeaseError>>,
    ) -> Result<T, LeaseError> {
        self.write_rows(|connection| {
            let held = Held::locked_by_lease(connection, lease)?.ok_or_else(|| lost(lease))?;
            action(connection, &held)
        })
    }
}

fn lost(lease: &Lease) -> Stop<LeaseError> {
    Stop::Refused(LeaseError::Lost {
        job: lease.job.clone(),
        token: lease.token,
    })
}

/// The wait after failed attempt `attempt`: half a minute, doubled each time, an hour at most.
fn wait_ms(attempt: u32) -> u64 {
    let doubled = 1_u64 << attempt.saturating_sub(1).min(20);
    (30_000 * doubled).min(LONGEST_WAIT_MS)
}

/// A job that somebody works on, and the ways in which that ends without success.
pub(crate) struct Held {
    id: String,
    session: i64,
    attempt: u32,
    owner: Option<String>,
    run_id: Option<String>,
    cancel_requested: bool,
}

impl Held {
    pub(crate) fn select(condition: &str) -> String {
        format!(
            "SELECT id, session, attempt, owner, run_id, cancel_requested FROM jobs WHERE {condition}"
        )
    }

    pub(crate) fn new(row: &Row<'_>) -> Answer<Self> {
        let mut columns = Columns::new(row);
        Ok(Self {
            id: columns.take()?,
            session: columns.take()?,
            attempt: columns.take()?,
            owner: columns.take()?,
            run_id: columns.take()?,
            cancel_requested: columns.take()?,
        })
    }

    fn by_lease(connection: &Connection, lease: &Lease) -> Answer<Option<Self>> {
        connection
            .prepare(&Self::select(
                "id = ?1 AND token = ?2 AND state = 'running'",
            ))?
            .query_row(params![lease.job, stored(lease.token)], Self::new)
            .optional()
    }

    /// As [`Held::by_lease`], and nobody else changes the job until the transaction ends.
    fn locked_by_lease(connection: &Connection, lease: &Lease) -> Answer<Option<Self>> {
        connection
            .prepare(&Self::select(connection.either(
                "id = ?1 AND token = ?2 AND state = 'running'",
                "id = ?1 AND token = ?2 AND state = 'running' FOR UPDATE",
            )))?
            .query_row(params![lease.job, stored(lease.token)], Self::new)
            .optional()
    }

    /// The worker let its lease run out. That was an attempt; having waited for it is wait enough.
    pub(crate) fn expire(&self, connection: &Connection, now_ms: u64) -> Answer<()> {
        let cause = format!(
            "worker `{}` stopped answering in attempt {}",
            self.owner.as_deref().unwrap_or_default(),
            self.attempt
        );
        self.fail(connection, &cause, Retry::Later, 0, now_ms)
    }

    fn fail(
        &self,
        connection: &Connection,
        cause: &str,
        retry: Retry,
        wait_ms: u64,
        now_ms: u64,
    ) -> Answer<()> {
        self.end_run(connection, &RunEnd::Failed(cause.to_owned()), now_ms)?;
        if retry == Retry::Later && self.cancel_requested {
            return finish(connection, &self.id, TaskState::Cancelled, cause, now_ms);
        }
        if retry == Retry::Never || self.attempt >= MAX_ATTEMPTS {
            finish(connection, &self.id, TaskState::Failed, cause, now_ms)?;
            return connection
                .execute("UPDATE jobs SET dead = TRUE WHERE id = ?1", [&self.id])
                .map(drop);
        }
        let not_before_ms = match wait_ms {
            0 => 0,
            wait => stored(now_ms.saturating_add(wait)),
        };
        // Another job waits for a later revision of the session: it goes on from here.
        if let Some(follower) = queued_job_of(connection, self.session)? {
            finish(connection, &self.id, TaskState::Failed, cause, now_ms)?;
            return connection
                .execute(
                    "UPDATE jobs SET not_before_ms = ?2 WHERE id = ?1 AND not_before_ms < ?2",
                    params![follower, not_before_ms],
                )
                .map(drop);
        }
        self.requeue(connection, self.attempt, not_before_ms, Some(cause))
    }

    fn release(&self, connection: &Connection, now_ms: u64) -> Answer<()> {
        if self.cancel_requested {
            return self.cancel(connection, now_ms);
        }
        self.end_run(connection, &RunEnd::Cancelled, now_ms)?;
        if let Some(follower) = queued_job_of(connection, self.session)? {
            let cause = format!("job `{follower}` waits for a later revision");
            return finish(connection, &self.id, TaskState::Cancelled, &cause, now_ms);
        }
        self.requeue(connection, self.attempt.saturating_sub(1), 0, None)
    }

    fn cancel(&self, connection: &Connection, now_ms: u64) -> Answer<()> {
        self.end_run(connection, &RunEnd::Cancelled, now_ms)?;
        // Leaving a project out cancels its jobs, and says nothing of their sessions.
        let is_registered: bool = connection
            .prepare(
                "SELECT p.registered FROM jobs j JOIN projects p USING (project) WHERE j.id = ?1",
            )?
            .query_row([&self.id], |row| row.get(0))?;
        let cause = match is_registered {
            true => "cancelled by request",
            false => "the project is no longer registered",
        };
        finish(connection, &self.id, TaskState::Cancelled, cause, now_ms)
    }

    fn requeue(
        &self,
        connection: &Connection,
        attempt: u32,
        not_before_ms: i64,
        cause: Option<&str>,
    ) -> Answer<()> {
        connection
            .prepare(
                "UPDATE jobs SET state = 'queued', attempt = ?2, not_before_ms = ?3,
                     cause = coalesce(?4, cause), owner = NULL, lease_until_ms = NULL
                 WHERE id = ?1",
            )?
            .execute(params![self.id, attempt, not_before_ms, cause])?;
        Ok(())
    }

    /// Ends the run that the attempt began, if it began one.
    fn end_run(&self, connection: &Connection, end: &RunEnd, now_ms: u64) -> Answer<()> {
        match &self.run_id {
            Some(run_id) => runs::end_if_running(connection, run_id, end, now_ms).map(drop),
            None => Ok(()),
        }
    }
}
