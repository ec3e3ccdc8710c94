//! Counts for a status page, all from one snapshot.

use std::collections::BTreeMap;

use crate::backend::{Connection, Result as Answer};
use crate::sessions::{STATE, may_be_open};
use crate::values::{ByName, ColumnReader};
use crate::{Catalog, CatalogError, SessionState, TaskState};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// By agent and state; combinations that do not occur are omitted.
    pub sessions: Vec<SessionCount>,
    /// By state; states that do not occur are omitted.
    pub jobs: BTreeMap<TaskState, u64>,
    /// Number of failed jobs that are dead letters.
    pub dead_letters: u64,
    /// Time at which the oldest queued job was enqueued.
    pub oldest_queued_ms: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCount {
    pub agent: String,
    pub state: SessionState,
    pub sessions: u64,
}

impl Catalog {
    pub fn counts(&self) -> Result<Counts, CatalogError> {
        self.read_at_once(|connection| {
            let sessions = count_sessions(connection)?;
            let jobs = connection
                .prepare(connection.either(
                    "SELECT state, count(*) FROM jobs GROUP BY state",
                    "WITH others AS (
                         SELECT state, count(*) AS number FROM jobs WHERE state <> 'completed' GROUP BY state),
                     completed AS (
                         SELECT 'completed', CAST(sum(number) - (SELECT coalesce(sum(number), 0) FROM others) AS BIGINT)
                             AS number
                         FROM totals WHERE kind = 'jobs')
                     SELECT * FROM others UNION ALL SELECT * FROM completed WHERE number > 0",
                ))?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok((columns.take::<ByName<_>>()?.0, columns.number()?))
                })?
                .collect::<Answer<_>>()?;
            let dead = "SELECT count(*) FROM jobs WHERE dead";
            let oldest = "SELECT min(created_ms) FROM jobs WHERE state = 'queued'";
            Ok(Counts {
                sessions,
                jobs,
                dead_letters: connection
                    .query_row(dead, [], |row| ColumnReader::new(row).number())?,
                oldest_queued_ms: connection
                    .query_row(oldest, [], |row| ColumnReader::new(row).number_if_any())?,
            })
        })
    }
}

/// Counts sessions. Most of them are done and never looked at: they are what remains of all.
fn count_sessions(connection: &Connection) -> Answer<Vec<SessionCount>> {
    let mut counts: BTreeMap<(String, SessionState), u64> = connection
        .prepare(&format!(
            "SELECT s.agent, {STATE} AS state, count(*)
             FROM sessions s LEFT JOIN projects p USING (project)
             WHERE {}
             GROUP BY 1, 2",
            may_be_open(connection)
        ))?
        .query_map([], |row| {
            let mut columns = ColumnReader::new(row);
            Ok(((columns.take()?, columns.take()?), columns.number()?))
        })?
        .collect::<Answer<_>>()?;
    let all: Vec<(String, u64)> = connection
        .prepare(connection.either(
            "SELECT agent, count(*) FROM sessions GROUP BY agent",
            "SELECT name, CAST(sum(number) AS BIGINT) FROM totals WHERE kind = 'sessions' GROUP BY name",
        ))?
        .query_map([], |row| {
            let mut columns = ColumnReader::new(row);
            Ok((columns.take()?, columns.number()?))
        })?
        .collect::<Answer<_>>()?;
    for (agent, number) in all {
        let looked_at = counts.iter().filter(|((of, _), _)| *of == agent);
        let done = number.saturating_sub(looked_at.map(|(_, number)| number).sum());
        if done > 0 {
            *counts.entry((agent, SessionState::Done)).or_default() += done;
        }
    }
    let mut counts: Vec<_> = counts
        .into_iter()
        .map(|((agent, state), sessions)| SessionCount {
            agent,
            state,
            sessions,
        })
        .collect();
    counts.sort_by(|one, other| {
        (&one.agent, one.state.name()).cmp(&(&other.agent, other.state.name()))
    });
    Ok(counts)
}
