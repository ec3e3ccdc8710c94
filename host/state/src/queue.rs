//! The durable queue. A job is on disk when `enqueue` returns. Each job is leased to one worker, one job per project at
//! a time, newest session first, and no job is lost: when a worker dies, its lease expires.
//!
//! An example, with leases of 60 seconds:
//!
//! | second | what happens | the job of session `s` |
//! |---|---|---|
//! | 0 | `enqueue` at revision `r1` | queued |
//! | 1 | worker A claims it | running, attempt 1, token 7, until 61 |
//! | 5 | `enqueue` at `r1` again | unchanged: [`Enqueued::AlreadyQueued`] |
//! | 30 | A sends a heartbeat | until 90; then A's machine sleeps |
//! | 95 | worker B calls `claim`, which frees expired leases first | attempt 1 failed, then running, attempt 2, token 8, until 155 |
//! | 100 | A wakes up and calls `check` before its commit | token 7 is not 8: A changes nothing |
//! | 120 | B calls `complete` | completed: job, run, cursor and revision in one transaction |
//!
//! The token, not the clock, decides who may commit: A could still commit at second 92, because nobody else had the job.
//! Three attempts without success make a dead letter. A session that grows to `r2` while `r1` runs gets a second job, which
//! waits, since no two jobs of a project run at once.

use rusqlite::{ToSql, params};

use crate::backend::{Connection, OptionalExtension, Result as Answer, TransactionStop};
use crate::jobs::queued_job_of;
use crate::lease::{HeldJob, LONGEST_WAIT_MS, Lease};
use crate::values::{ColumnReader, stored, to_json};
use crate::{Catalog, CatalogError, ProjectId, SessionKey, projects, wake};

/// A retry time further ahead than this was written by a clock that has been set back since.
const FAR_MS: u64 = LONGEST_WAIT_MS + 86_400_000;

/// Condition for jobs whose lease has expired, and the lock on their rows.
macro_rules! expired_jobs {
    ($lock:literal) => {
        concat!(
            "state = 'running'
                 AND (lease_until_ms <= ?1 OR lease_until_ms - lease_ms - ?1 > lease_ms) ",
            $lock
        )
    };
}

/// Start of the statement that leases a queued job, with the expression for its fencing token. The query that finds the
/// job follows, then [`RETURNING_LEASE`].
macro_rules! lease_the_job {
    ($token:literal) => {
        concat!(
            "UPDATE jobs SET state = 'running', attempt = attempt + 1, not_before_ms = 0, owner = :owner,
                 lease_ms = :lease, lease_until_ms = :until, started_ms = :now, token = ",
            $token,
            " WHERE id = ("
        )
    };
}
/// End of that statement: the columns that [`Lease::new`] reads.
const RETURNING_LEASE: &str = ")
    RETURNING id, token, mode, revision, attempt, project,
        (SELECT p.root FROM projects p WHERE p.project = jobs.project),
        (SELECT s.agent FROM sessions s WHERE s.session = jobs.session),
        (SELECT s.id FROM sessions s WHERE s.session = jobs.session)";

/// How long expired leases may go unnoticed on a server while there are other jobs.
const UNNOTICED_MS: u64 = 1_000;

/// A request to enqueue a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub session: SessionKey,
    pub project: ProjectId,
    pub mode: String,
    pub revision: String,
}

/// Result of an enqueue request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enqueued {
    New(String),
    /// A job of the session is queued, now for this revision, or runs at it.
    AlreadyQueued(String),
    AlreadyRan,
    /// Failed permanently at this revision (dead letter); `retry` enqueues it again.
    DeadLetter(String),
    /// The queue is at capacity. Try again later.
    Full,
}

/// Filter for the jobs that a worker claims; an unset field matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimFilter {
    pub projects: Option<Vec<ProjectId>>,
    pub agents: Option<Vec<String>>,
    pub sessions: Option<Vec<SessionKey>>,
    /// Claim no job of an adapter that is not built in: those agents are named `AGENT@PLUGIN`.
    pub built_in: bool,
    /// Claim nothing while any other job runs, in any project.
    pub alone: bool,
    /// Claim only jobs of sessions that this machine recorded.
    pub here: bool,
}

/// Treatment of a session that already ran at the requested revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Past {
    Counts,
    IsRepeated,
}

impl Catalog {
    pub fn enqueue(&self, wanted: &Wanted, now_ms: u64) -> Result<Enqueued, CatalogError> {
        self.write(|connection| {
            let mut live = count_live(connection)?;
            let enqueued = self.enqueue_one(connection, wanted, Past::Counts, &mut live, now_ms)?;
            announce(connection, std::slice::from_ref(&enqueued))?;
            Ok(enqueued)
        })
    }

    /// Enqueues a session again that already ran at this revision.
    pub fn enqueue_again(&self, wanted: &Wanted, now_ms: u64) -> Result<Enqueued, CatalogError> {
        self.write(|connection| {
            let mut live = count_live(connection)?;
            let enqueued =
                self.enqueue_one(connection, wanted, Past::IsRepeated, &mut live, now_ms)?;
            announce(connection, std::slice::from_ref(&enqueued))?;
            Ok(enqueued)
        })
    }

    /// Enqueues many sessions: all are on disk when this returns; on an error, none.
    pub fn enqueue_all(
        &self,
        wanted: &[Wanted],
        now_ms: u64,
    ) -> Result<Vec<Enqueued>, CatalogError> {
        self.write(|connection| {
            let mut live = count_live(connection)?;
            let enqueued = wanted
                .iter()
                .map(|wanted| self.enqueue_one(connection, wanted, Past::Counts, &mut live, now_ms))
                .collect::<Result<Vec<_>, TransactionStop<CatalogError>>>()?;
            announce(connection, &enqueued)?;
            Ok(enqueued)
        })
    }

    /// Claims the next job for `lease_ms`, renewed by heartbeats. Frees jobs with expired leases first; on a server at
    /// least once a second, and before it reports that there is no job.
    pub fn claim(
        &self,
        owner: &str,
        lease_ms: u64,
        now_ms: u64,
        filter: &ClaimFilter,
    ) -> Result<Option<Lease>, CatalogError> {
        let body = |connection: &Connection| {
            let now_ms = connection.lease_time_ms(now_ms);
            let claim = || lease_next(connection, filter, owner, lease_ms, now_ms);
            let looked = self.looked_for_expired.get();
            let since = looked.and_then(|looked| now_ms.checked_sub(looked));
            if connection.is_shared() && since.is_some_and(|since| since < UNNOTICED_MS) {
                let claimed = claim()?;
                if claimed.is_some() {
                    return Ok::<_, TransactionStop<CatalogError>>(claimed);
                }
            }
            for expired in expired(connection, now_ms)? {
                expired.expire(connection, now_ms)?;
            }
            self.looked_for_expired.set(Some(now_ms));
            Ok(claim()?)
        };
        match filter.alone {
            true => self.write(body),
            false => self.write_rows(body),
        }
    }

    fn enqueue_one(
        &self,
        connection: &Connection,
        wanted: &Wanted,
        past: Past,
        live: &mut u64,
        now_ms: u64,
    ) -> Result<Enqueued, TransactionStop<CatalogError>> {
        projects::require(connection, wanted.project)?;
        let session = session_state(connection, wanted)?;
        if past == Past::Counts && session.has_run(wanted) {
            return Ok(Enqueued::AlreadyRan);
        }
        if let Some(id) = find_job(connection, RUNNING, session.session, wanted)? {
            return Ok(Enqueued::AlreadyQueued(id));
        }
        if let Some(id) = queued_job_of(connection, session.session)? {
            connection
                .prepare(
                    "UPDATE jobs SET project = ?2, mode = ?3, revision = ?4, updated_ms = ?5
                     WHERE id = ?1",
                )?
                .execute(params![
                    id,
                    wanted.project,
                    wanted.mode,
                    wanted.revision,
                    session.updated_ms
                ])?;
            return Ok(Enqueued::AlreadyQueued(id));
        }
        if let Some(id) = find_job(connection, DEAD, session.session, wanted)? {
            return Ok(Enqueued::DeadLetter(id));
        }
        if *live >= self.capacity {
            return Ok(Enqueued::Full);
        }
        let id = self.free_id(connection, now_ms)?;
        connection
            .prepare(
                "INSERT INTO jobs (id, session, project, mode, revision, updated_ms, state, created_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'queued', ?7)",
            )?
            .execute(params![
                id,
                session.session,
                wanted.project,
                wanted.mode,
                wanted.revision,
                session.updated_ms,
                stored(now_ms),
            ])?;
        *live += 1;
        Ok(Enqueued::New(id))
    }

    /// Returns an unused job id: another process may have started from the same seed.
    fn free_id(&self, connection: &Connection, now_ms: u64) -> Answer<String> {
        let mut taken = connection.prepare("SELECT 1 FROM jobs WHERE id = ?1")?;
        loop {
            let id = self.ids.borrow_mut().next(now_ms);
            if !taken.exists([&id])? {
                return Ok(id);
            }
        }
    }
}

/// Wakes waiting workers if there is a new job for them.
fn announce(connection: &Connection, enqueued: &[Enqueued]) -> Answer<()> {
    let is_new = |one: &Enqueued| matches!(one, Enqueued::New(_));
    match enqueued.iter().any(is_new) {
        true => wake::announce(connection),
        false => Ok(()),
    }
}

fn count_live(connection: &Connection) -> Answer<u64> {
    connection
        .prepare(
            "SELECT (SELECT count(*) FROM jobs WHERE state = 'queued')
                 + (SELECT count(*) FROM jobs WHERE state = 'running')",
        )?
        .query_row([], |row| ColumnReader::new(row).number())
}

struct SessionNow {
    session: i64,
    updated_ms: i64,
    ran_revision: Option<String>,
    ran_project: Option<ProjectId>,
}

impl SessionNow {
    fn has_run(&self, wanted: &Wanted) -> bool {
        self.ran_revision.as_ref() == Some(&wanted.revision)
            && self.ran_project.is_none_or(|ran| ran == wanted.project)
    }
}

fn session_state(
    connection: &Connection,
    wanted: &Wanted,
) -> Result<SessionNow, TransactionStop<CatalogError>> {
    connection
        .prepare(
            "SELECT session, coalesce(updated_ms, 0), ran_revision, ran_project FROM sessions
             WHERE agent = ?1 AND id = ?2",
        )?
        .query_row([&wanted.session.agent, &wanted.session.id], |row| {
            Ok(SessionNow {
                session: row.get(0)?,
                updated_ms: row.get(1)?,
                ran_revision: row.get(2)?,
                ran_project: row.get(3)?,
            })
        })
        .optional()?
        .ok_or_else(|| {
            TransactionStop::Refused(CatalogError::UnknownSession {
                session: wanted.session.clone(),
            })
        })
}

const RUNNING: &str =
    "SELECT id FROM jobs WHERE session = ?1 AND revision = ?2 AND state = 'running'";
const DEAD: &str = "SELECT id FROM jobs WHERE session = ?1 AND revision = ?2 AND dead
                    ORDER BY id DESC LIMIT 1";

fn find_job(
    connection: &Connection,
    sql: &str,
    session: i64,
    wanted: &Wanted,
) -> Answer<Option<String>> {
    connection
        .prepare(sql)?
        .query_row(params![session, wanted.revision], |row| row.get(0))
        .optional()
}

/// Returns the jobs whose lease has expired. A lease that ends more than twice its length ahead was granted by a clock
/// that has been set back since, and counts as expired.
fn expired(connection: &Connection, now_ms: u64) -> Answer<Vec<HeldJob>> {
    connection
        .prepare(&HeldJob::select(connection.either(
            expired_jobs!(""),
            expired_jobs!("FOR UPDATE SKIP LOCKED"),
        )))?
        .query_map([stored(now_ms)], HeldJob::new)?
        .collect()
}

/// Leases the next job to a worker. Skips a job that another worker is claiming, and all other jobs of its project.
///
/// Only the filters that are set are in the query: the database then plans it once, and no query is asked more often.
fn lease_next(
    connection: &Connection,
    filter: &ClaimFilter,
    owner: &str,
    lease_ms: u64,
    now_ms: u64,
) -> Answer<Option<Lease>> {
    let (now, far) = (stored(now_ms), stored(now_ms.saturating_add(FAR_MS)));
    let (lease, until) = (stored(lease_ms), stored(now_ms.saturating_add(lease_ms)));
    let mut values: Vec<(&str, &dyn ToSql)> = vec![
        (":now", &now),
        (":far", &far),
        (":owner", &owner),
        (":lease", &lease),
        (":until", &until),
    ];
    let mut sql = String::from(connection.either(
        lease_the_job!("(SELECT token + 1 FROM fence)"),
        lease_the_job!("nextval('fence')"),
    ));
    sql.push_str(connection.either(
        "SELECT j.id FROM jobs j",
        "SELECT j.id FROM jobs j JOIN team_projects p ON p.project = j.project",
    ));
    sql.push_str(
        " WHERE j.state = 'queued' AND (j.not_before_ms <= :now OR j.not_before_ms > :far)
          AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.project = j.project AND r.state = 'running')
          AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.session = j.session AND r.state = 'running')",
    );
    if filter.alone {
        sql.push_str(" AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.state = 'running')");
    }
    if filter.here && connection.is_shared() {
        let here = connection.here("s");
        sql.push_str(&format!(
            " AND EXISTS (SELECT 1 FROM sessions s WHERE s.session = j.session AND {here})"
        ));
    }
    let projects = filter.projects.as_ref().map(|projects| {
        let ids: Vec<i64> = projects.iter().map(|id| id.0).collect();
        to_json(&ids)
    });
    let projects = projects.transpose()?;
    if projects.is_some() {
        sql.push_str(" AND j.project IN (SELECT CAST(value AS BIGINT) FROM json_each(:projects))");
        values.push((":projects", &projects));
    }
    let agents = filter.agents.as_ref().map(to_json).transpose()?;
    if agents.is_some() {
        sql.push_str(
            " AND (SELECT s.agent FROM sessions s WHERE s.session = j.session)
                  IN (SELECT value FROM json_each(:agents))",
        );
        values.push((":agents", &agents));
    }
    if filter.built_in {
        sql.push_str(
            " AND (SELECT s.agent FROM sessions s WHERE s.session = j.session) NOT LIKE '%@%'",
        );
    }
    let sessions = filter.sessions.as_ref().map(|sessions| {
        let pairs: Vec<_> = sessions.iter().map(|key| (&key.agent, &key.id)).collect();
        to_json(&pairs)
    });
    let sessions = sessions.transpose()?;
    if sessions.is_some() {
        sql.push_str(
            " AND j.session IN (SELECT t.session FROM json_each(:sessions) pair
                  JOIN sessions t ON t.agent = pair.value ->> 0 AND t.id = pair.value ->> 1)",
        );
        values.push((":sessions", &sessions));
    }
    sql.push_str(" ORDER BY j.updated_ms DESC, j.id LIMIT 1");
    sql.push_str(connection.either(
        "",
        " FOR UPDATE OF j SKIP LOCKED FOR NO KEY UPDATE OF p SKIP LOCKED",
    ));
    sql.push_str(RETURNING_LEASE);
    let leased = connection
        .prepare(&sql)?
        .query_row(values.as_slice(), |row| Lease::new(row, lease_ms))
        .optional()?;
    if leased.is_some() && !connection.is_shared() {
        connection.execute("UPDATE fence SET token = token + 1", [])?;
    }
    Ok(leased)
}
