//! Figures for a status page, all of one moment.

use std::collections::BTreeMap;

use crate::backend::Result as Answer;
use crate::sessions::STATE;
use crate::values::{Columns, Named};
use crate::{Catalog, CatalogError, SessionState, TaskState};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// By agent and state; a combination that does not occur is not listed.
    pub sessions: Vec<SessionCount>,
    /// By state, likewise.
    pub jobs: BTreeMap<TaskState, u64>,
    /// How many of the failed jobs are dead letters.
    pub dead_letters: u64,
    /// When the job that waits longest was put down.
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
            let sessions = connection
                .prepare(&format!(
                    "SELECT s.agent, {STATE} AS state, count(*)
                     FROM sessions s LEFT JOIN projects p USING (project)
                     GROUP BY 1, 2 ORDER BY 1, 2"
                ))?
                .query_map([], |row| {
                    let mut columns = Columns::new(row);
                    Ok(SessionCount {
                        agent: columns.take()?,
                        state: columns.take()?,
                        sessions: columns.number()?,
                    })
                })?
                .collect::<Answer<_>>()?;
            let jobs = connection
                .prepare("SELECT state, count(*) FROM jobs GROUP BY state")?
                .query_map([], |row| {
                    let mut columns = Columns::new(row);
                    Ok((columns.take::<Named<_>>()?.0, columns.number()?))
                })?
                .collect::<Answer<_>>()?;
            let dead = "SELECT count(*) FROM jobs WHERE dead";
            let oldest = "SELECT min(created_ms) FROM jobs WHERE state = 'queued'";
            Ok(Counts {
                sessions,
                jobs,
                dead_letters: connection.query_row(dead, [], |row| Columns::new(row).number())?,
                oldest_queued_ms: connection
                    .query_row(oldest, [], |row| Columns::new(row).number_if_any())?,
            })
        })
    }
}
