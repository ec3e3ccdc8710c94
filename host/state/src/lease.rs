//! Operations for the holder of a job. Every call carries the fencing token of its lease and is refused once the job
//! has another token or has ended, so a worker that lost its lease changes nothing.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;
use serde_json::Value;

use crate::backend::{Connection, OptionalExtension, Result as Answer, ResultRow, TransactionStop};
use crate::jobs::{finish, job_by_id, queued_job_of};
use crate::sessions::{put_cursor, put_ran};
use crate::values::{ColumnReader, clean, stored};
use crate::{
    Catalog, CatalogError, Job, LeaseError, NewReading, NewRun, ProjectId, RunEnd, SessionKey,
    TaskState, TraceCursor, readings, runs,
};

/// Number of attempts before a job becomes a dead letter. A crash of the worker counts as an attempt.
pub const MAX_ATTEMPTS: u32 = 3;

/// The longest wait between two attempts.
pub(crate) const LONGEST_WAIT_MS: u64 = 3_600_000;

/// The right to work on a job, for a limited time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub job: String,
    /// Larger than every token issued before, in the whole database.
    pub token: u64,
    pub session: SessionKey,
    pub project: ProjectId,
    pub project_root: Utf8PathBuf,
    pub mode: String,
    pub revision: String,
    /// Number of this attempt, from one.
    pub attempt: u32,
    pub lease_ms: u64,
}

/// Answer to a worker's heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heartbeat {
    Go,
    /// A person asked to stop the job: stop, and confirm with `cancelled`.
    Cancel,
}

/// Says if a failed attempt is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    Later,
    Never,
}

/// Result of a completed job.
#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub run_id: String,
    /// The revision that was read; later than the requested one if the session grew meanwhile.
    pub ran_revision: String,
    /// Position where reading stopped; `None` keeps the session's cursor.
    pub cursor: Option<TraceCursor>,
    pub counts: Value,
    /// Quality of the reading; `None` keeps the stored one.
    pub reading: Option<NewReading>,
}

impl Lease {
    /// Reads the row of a job that was just leased.
    pub(crate) fn new(row: &ResultRow<'_>, lease_ms: u64) -> Answer<Self> {
        let mut columns = ColumnReader::new(row);
        Ok(Self {
            job: columns.take()?,
            token: columns.number()?,
            mode: columns.take()?,
            revision: columns.take()?,
            attempt: columns.take()?,
            project: columns.take()?,
            project_root: columns.path()?,
            session: SessionKey {
                agent: columns.take()?,
                id: columns.take()?,
            },
            lease_ms,
        })
    }
}

impl Catalog {
    /// Renews the lease for its full length.
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

    /// Returns true if the job still belongs to the lease: call right before a commit, under the project's lock.
    /// Compares only the token: an expired lease is valid until another worker claims the job.
    pub fn check(&self, lease: &Lease) -> Result<bool, CatalogError> {
        self.read(|connection| Ok(HeldJob::by_lease(connection, lease)?.is_some()))
    }

    /// Returns true if a person asked to stop the job: call before each step, and before a commit.
    pub fn is_cancelled(&self, lease: &Lease) -> Result<bool, CatalogError> {
        self.read(|connection| {
            let held = HeldJob::by_lease(connection, lease)?;
            Ok(held.is_some_and(|held| held.cancel_requested))
        })
    }

    /// Begins a run of the job. If the worker dies, the run fails.
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
            runs::begin(connection, &run, now_ms).map_err(TransactionStop::widen)?;
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
        self.write_rows(|connection| {
            let now_ms = connection.lease_time_ms(now_ms);
            let session = connection
                .prepare(
                    "UPDATE jobs SET state = 'completed', run_id = ?3, finished_ms = ?4, cause = NULL,
                         lease_until_ms = NULL, owner = NULL
                     WHERE id = ?1 AND token = ?2 AND state = 'running' RETURNING session",
                )?
                .query_row(
                    params![
                        lease.job,
                        stored(lease.token),
                        completion.run_id,
                        stored(now_ms)
                    ],
                    |row| row.get(0),
                )
                .optional()?
                .ok_or_else(|| lost(lease))?;
            if let Some(cursor) = &completion.cursor {
                put_cursor(connection, session, Some(cursor))?;
            }
            put_ran(
                connection,
                session,
                &completion.ran_revision,
                Some(lease.project),
                now_ms,
            )?;
            if let Some(reading) = &completion.reading {
                readings::put(connection, session, reading, now_ms)?;
            }
            let end = RunEnd::Completed(completion.counts.clone());
            runs::end(connection, &completion.run_id, &end, now_ms).map_err(TransactionStop::widen)
        })
    }

    /// Ends a failed attempt. The job is retried later or becomes a dead letter.
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

    /// Returns the job to the queue without counting an attempt, for a worker that has to stop.
    pub fn release(&self, lease: &Lease, now_ms: u64) -> Result<Job, LeaseError> {
        self.end(lease, |connection, held| {
            held.release(connection, connection.lease_time_ms(now_ms))
        })
    }

    /// Returns the job to the queue without counting an attempt; it is not claimed for `wait_ms`.
    pub fn postpone(
        &self,
        lease: &Lease,
        cause: &str,
        wait_ms: u64,
        now_ms: u64,
    ) -> Result<Job, LeaseError> {
        self.end(lease, |connection, held| {
            let now_ms = connection.lease_time_ms(now_ms);
            held.release(connection, now_ms)?;
            connection.execute(
                "UPDATE jobs SET not_before_ms = ?2, cause = ?3 WHERE id = ?1 AND state = 'queued'",
                params![
                    held.id,
                    stored(now_ms.saturating_add(wait_ms)),
                    clean(cause)
                ],
            )?;
            Ok(())
        })
    }

    /// Ends a job after a heartbeat asked to cancel it.
    pub fn cancelled(&self, lease: &Lease, now_ms: u64) -> Result<Job, LeaseError> {
        self.end(lease, |connection, held| {
            held.cancel(connection, connection.lease_time_ms(now_ms))
        })
    }

    /// Ends the lease, and returns the job's new state.
    fn end(
        &self,
        lease: &Lease,
        action: impl Fn(&Connection, &HeldJob) -> Answer<()>,
    ) -> Result<Job, LeaseError> {
        self.as_holder(lease, |connection, held| {
            action(connection, held)?;
            job_by_id(connection, &held.id)?.ok_or_else(|| lost(lease))
        })
    }

    /// Runs an operation in one transaction with the check that the lease still holds the job.
    fn as_holder<T>(
        &self,
        lease: &Lease,
        action: impl Fn(&Connection, &HeldJob) -> Result<T, TransactionStop<LeaseError>>,
    ) -> Result<T, LeaseError> {
        self.write_rows(|connection| {
            let held = HeldJob::locked_by_lease(connection, lease)?.ok_or_else(|| lost(lease))?;
            action(connection, &held)
        })
    }
}

fn lost(lease: &Lease) -> TransactionStop<LeaseError> {
    TransactionStop::Refused(LeaseError::Lost {
        job: lease.job.clone(),
        token: lease.token,
    })
}

/// Returns the wait after failed attempt `attempt`: half a minute, doubled each time, at most an hour.
fn wait_ms(attempt: u32) -> u64 {
    let doubled = 1_u64 << attempt.saturating_sub(1).min(20);
    (30_000 * doubled).min(LONGEST_WAIT_MS)
}

/// A running job, and the ways it can end without success.
pub(crate) struct HeldJob {
    id: String,
    session: i64,
    attempt: u32,
    owner: Option<String>,
    run_id: Option<String>,
    cancel_requested: bool,
}

impl HeldJob {
    pub(crate) fn select(condition: &str) -> String {
        format!(
            "SELECT id, session, attempt, owner, run_id, cancel_requested FROM jobs WHERE {condition}"
        )
    }

    pub(crate) fn new(row: &ResultRow<'_>) -> Answer<Self> {
        let mut columns = ColumnReader::new(row);
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

    /// Like [`HeldJob::by_lease`], and locks the job until the transaction ends.
    fn locked_by_lease(connection: &Connection, lease: &Lease) -> Answer<Option<Self>> {
        connection
            .prepare(&Self::select(connection.either(
                "id = ?1 AND token = ?2 AND state = 'running'",
                "id = ?1 AND token = ?2 AND state = 'running' FOR UPDATE",
            )))?
            .query_row(params![lease.job, stored(lease.token)], Self::new)
            .optional()
    }

    /// Ends an attempt whose lease expired. It counts as an attempt; the retry has no further delay.
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
        // Another job is queued for a later revision of the session: it continues from here.
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
        // Unregistering a project cancels its jobs without marking their sessions.
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
            .execute(params![self.id, attempt, not_before_ms, cause.map(clean)])?;
        Ok(())
    }

    /// Ends the run of the attempt, if it began one.
    fn end_run(&self, connection: &Connection, end: &RunEnd, now_ms: u64) -> Answer<()> {
        match &self.run_id {
            Some(run_id) => runs::end_if_running(connection, run_id, end, now_ms).map(drop),
            None => Ok(()),
        }
    }
}
