//! Runs, with or without a job. A failed run is kept until a person has seen it.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{named_params, params};
use serde_json::Value;

use crate::backend::{Connection, Result as Answer, ResultRow, TransactionStop};
use crate::lookup::{self, Lookup};
use crate::values::{ByName, ColumnReader, clean, stored, to_json};
use crate::{Catalog, CatalogError, SessionKey, TaskState};

/// A run to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRun {
    pub run_id: String,
    pub mode: String,
    pub project_root: Utf8PathBuf,
    pub folder: Utf8PathBuf,
    /// `None` for a run without a session, such as maintenance.
    pub session: Option<SessionKey>,
}

/// Result of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// With its statistics.
    Completed(Value),
    /// With the error.
    Failed(String),
    Cancelled,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub run_id: String,
    pub mode: String,
    pub project_root: Utf8PathBuf,
    pub folder: Utf8PathBuf,
    pub session: Option<SessionKey>,
    pub state: TaskState,
    pub started_ms: u64,
    pub finished_ms: Option<u64>,
    pub counts: Option<Value>,
    pub error: Option<String>,
    /// True once a person has seen the result.
    pub shown: bool,
}

/// Filter for runs; an unset field matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    pub state: Option<TaskState>,
    pub mode: Option<String>,
    pub project_root: Option<Utf8PathBuf>,
    pub session: Option<SessionKey>,
    /// Runs that started at this time or later.
    pub since_ms: Option<u64>,
    /// Runs that started before this time.
    pub until_ms: Option<u64>,
    pub limit: Option<u64>,
}

impl Catalog {
    /// Begins a run without a job.
    pub fn begin_run(&self, run: &NewRun, now_ms: u64) -> Result<(), CatalogError> {
        self.write(|connection| begin(connection, run, now_ms))
    }

    /// Ends a run without a job. A run that has already ended stays unchanged.
    pub fn finish_run(&self, run_id: &str, end: &RunEnd, now_ms: u64) -> Result<(), CatalogError> {
        self.write(|connection| self::end(connection, run_id, end, now_ms))
    }

    /// Returns runs, most recently started first.
    pub fn runs(&self, filter: &RunFilter) -> Result<Vec<Run>, CatalogError> {
        let sql = select(
            "WHERE (CAST(:state AS TEXT) IS NULL OR state = :state)
               AND (CAST(:mode AS TEXT) IS NULL OR mode = :mode)
               AND (CAST(:project_root AS TEXT) IS NULL OR project_root = :project_root)
               AND (CAST(:session_id AS TEXT) IS NULL OR (agent = :agent AND session_id = :session_id))
               AND started_ms >= :since AND started_ms < :until
             ORDER BY started_ms DESC, run_id DESC LIMIT :limit",
        );
        let session = filter.session.as_ref();
        self.read(|connection| {
            connection
                .prepare(&sql)?
                .query_map(
                    named_params! {
                        ":state": filter.state.map(ByName),
                        ":mode": filter.mode,
                        ":project_root": filter.project_root.as_deref().map(Utf8Path::as_str),
                        ":agent": session.map(|key| &key.agent),
                        ":session_id": session.map(|key| &key.id),
                        ":since": stored(filter.since_ms.unwrap_or(0)),
                        ":until": stored(filter.until_ms.unwrap_or(u64::MAX)),
                        ":limit": stored(filter.limit.unwrap_or(u64::MAX)),
                    },
                    run,
                )?
                .collect()
        })
    }

    /// Finds the run whose id starts with `prefix`.
    pub fn run(&self, prefix: &str) -> Result<Lookup<Run>, CatalogError> {
        let sql = select(&format!(
            "WHERE {} ORDER BY run_id LIMIT {}",
            lookup::begins("run_id"),
            lookup::SHOWN + 1,
        ));
        let found = self.read(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let rows = statement.query_map([prefix], run)?;
            rows.collect()
        })?;
        Ok(Lookup::new(found, |run: &Run| run.run_id == prefix))
    }

    /// Records that a person has seen the result of a run and of its job.
    pub fn mark_shown(&self, run_id: &str) -> Result<(), CatalogError> {
        self.write(|connection| {
            require(connection, run_id)?;
            connection.execute("UPDATE runs SET shown = TRUE WHERE run_id = ?1", [run_id])?;
            connection.execute("UPDATE jobs SET shown = TRUE WHERE run_id = ?1", [run_id])?;
            Ok(())
        })
    }

    /// Returns the failed runs that nobody has seen: their folders must stay.
    pub fn unshown_failures(&self) -> Result<Vec<String>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT run_id FROM runs WHERE state = 'failed' AND shown = FALSE ORDER BY run_id",
                )?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }
}

pub(crate) fn begin(
    connection: &Connection,
    run: &NewRun,
    now_ms: u64,
) -> Result<(), TransactionStop<CatalogError>> {
    let session = run.session.as_ref();
    let inserted = connection
        .prepare(
            "INSERT INTO runs (run_id, mode, project_root, folder, agent, session_id, state, started_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running', ?7) ON CONFLICT (run_id) DO NOTHING",
        )?
        .execute(params![
            run.run_id,
            run.mode,
            run.project_root.as_str(),
            run.folder.as_str(),
            session.map(|key| &key.agent),
            session.map(|key| &key.id),
            stored(now_ms),
        ])?;
    if inserted == 0 {
        let run_id = run.run_id.clone();
        return Err(TransactionStop::Refused(CatalogError::RunExists { run_id }));
    }
    Ok(())
}

/// Ends a run; an unknown run is an error.
pub(crate) fn end(
    connection: &Connection,
    run_id: &str,
    end: &RunEnd,
    now_ms: u64,
) -> Result<(), TransactionStop<CatalogError>> {
    match end_if_running(connection, run_id, end, now_ms)? {
        true => Ok(()),
        false => require(connection, run_id),
    }
}

/// Ends a run unless it has ended. Returns true if it was running.
pub(crate) fn end_if_running(
    connection: &Connection,
    run_id: &str,
    end: &RunEnd,
    now_ms: u64,
) -> Answer<bool> {
    let (state, counts, error) = match end {
        RunEnd::Completed(counts) => (TaskState::Completed, Some(to_json(counts)?), None),
        RunEnd::Failed(error) => (TaskState::Failed, None, Some(clean(error))),
        RunEnd::Cancelled => (TaskState::Cancelled, None, None),
    };
    let ended = connection
        .prepare(
            "UPDATE runs SET state = ?2, finished_ms = ?3, counts = ?4, error = ?5
             WHERE run_id = ?1 AND state = 'running'",
        )?
        .execute(params![
            run_id,
            ByName(state),
            stored(now_ms),
            counts,
            error
        ])?;
    Ok(ended > 0)
}

fn require(connection: &Connection, run_id: &str) -> Result<(), TransactionStop<CatalogError>> {
    let known = connection
        .prepare("SELECT 1 FROM runs WHERE run_id = ?1")?
        .exists([run_id])?;
    if known {
        return Ok(());
    }
    let run_id = run_id.to_owned();
    Err(TransactionStop::Refused(CatalogError::UnknownRun {
        run_id,
    }))
}

fn select(rest: &str) -> String {
    format!(
        "SELECT run_id, mode, project_root, folder, agent, session_id, state, started_ms,
             finished_ms, counts, error, shown
         FROM runs {rest}"
    )
}

fn run(row: &ResultRow<'_>) -> Answer<Run> {
    let mut columns = ColumnReader::new(row);
    let (run_id, mode) = (columns.take()?, columns.take()?);
    let (project_root, folder) = (columns.path()?, columns.path()?);
    let (agent, id) = (columns.take()?, columns.take()?);
    let session = match (agent, id) {
        (Some(agent), Some(id)) => Some(SessionKey { agent, id }),
        _ => None,
    };
    Ok(Run {
        run_id,
        mode,
        project_root,
        folder,
        session,
        state: columns.take::<ByName<_>>()?.0,
        started_ms: columns.number()?,
        finished_ms: columns.number_if_any()?,
        counts: columns.json()?,
        error: columns.take()?,
        shown: columns.take()?,
    })
}
