//! Quality of each session's reading, and the readings that wait for a model. A waiting reading is never lost: it stays
//! until a complete one replaces it or the session is purged.

use acreta_types::{Reading, Shortfall};
use rusqlite::{named_params, params};

use crate::backend::{Connection, OptionalExtension, Result as Answer, ResultRow, TransactionStop};
use crate::sessions::require;
use crate::values::{ColumnReader, clean, named, stored};
use crate::{Catalog, CatalogError, ProjectId, SessionKey};

named! {
    /// Stored strength of a reading.
    pub enum Strength {
        Rules = "rules",
        Model = "model",
    }
}

/// All sessions, or only those that wait for a model, of which there are few.
macro_rules! all {
    () => {
        "sessions s"
    };
}
macro_rules! waiting {
    () => {
        "readings w JOIN sessions s ON s.session = w.session AND w.wait_code IS NOT NULL AND w.retry_at_ms <= :now"
    };
}

/// Completed sessions `s` of the projects, newest first and numbered; subagent sessions, empty ones and, if asked for,
/// other machines' are left out.
macro_rules! next {
    ($from:ident, $here:literal) => {
        concat!("
WITH done AS (
    SELECT s.session, s.agent, s.id, s.project, s.revision, coalesce(s.updated_ms, 0) AS updated,
        row_number() OVER (ORDER BY coalesce(s.updated_ms, 0) DESC, s.agent, s.id) AS back
    FROM ", $from!(), "
    WHERE s.ran_revision = s.revision AND coalesce(s.ran_project = s.project, TRUE)
        AND s.relation <> 'subagent' AND (NOT :here OR ", $here, ")
        AND coalesce(s.attrs ->> 'empty', '') <> 'true'
        AND s.project IN (SELECT CAST(value AS BIGINT) FROM json_each(:projects))
)
SELECT d.agent, d.id, d.project, d.revision
FROM done d LEFT JOIN readings r ON r.session = d.session
WHERE (CAST(:agent AS TEXT) IS NULL OR d.agent = :agent)
    AND NOT EXISTS (SELECT 1 FROM json_each(:except) pair
        WHERE d.agent = pair.value ->> 0 AND d.id = pair.value ->> 1)
    AND d.updated >= :since AND d.updated < :until
    AND NOT EXISTS (SELECT 1 FROM jobs j
        WHERE j.session = d.session AND (j.state IN ('queued', 'running')
            OR (j.revision = d.revision AND (j.dead OR j.cause = 'skipped'))))
    AND CASE
        WHEN r.wait_code IS NOT NULL THEN r.retry_at_ms <= :now
        WHEN r.session IS NULL THEN d.back <= :catch_up
        ELSE r.strength = 'rules' AND NOT r.could_ask AND d.back <= :catch_up
    END
ORDER BY d.updated DESC, d.agent, d.id LIMIT 1")
    };
}

/// The last reading of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionReading {
    pub session: SessionKey,
    pub revision: String,
    pub reading: Reading,
    /// True if a model was available.
    pub could_ask: bool,
    pub run_id: String,
    pub read_ms: u64,
    pub waits: Option<Wait>,
}

/// Reason and duration of a wait for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    pub shortfall: Shortfall,
    /// The earliest time of the next attempt.
    pub retry_at_ms: u64,
    /// Number of incomplete readings in a row.
    pub attempts: u32,
}

/// A reading to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReading {
    pub revision: String,
    pub reading: Reading,
    pub could_ask: bool,
    pub run_id: String,
    /// Set if the reading is incomplete for a temporary reason: the reason, and when to try again.
    pub waits: Option<(Shortfall, u64)>,
    /// True if memory keeps an earlier, stronger reading, whose row then stays.
    pub yields: bool,
}

/// Sessions that wait for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingReadings {
    /// Reason of the most recent reading. Its time is that of the earliest retry of all.
    pub shortfall: Shortfall,
    pub sessions: u64,
}

/// Filter for readings that may be repeated now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RereadFilter {
    /// Only these projects.
    pub projects: Vec<ProjectId>,
    pub agent: Option<String>,
    pub since_ms: Option<u64>,
    pub until_ms: Option<u64>,
    /// Sessions to leave out because they were just tried.
    pub except: Vec<SessionKey>,
    /// Number of sessions, newest first, for which to repeat readings made before a model was configured.
    pub catch_up: u64,
    /// Only sessions that this machine recorded.
    pub here: bool,
}

impl Catalog {
    /// Returns the last reading of a session.
    pub fn reading(&self, key: &SessionKey) -> Result<Option<SessionReading>, CatalogError> {
        self.read(|connection| {
            let sql = select("WHERE s.agent = ?1 AND s.id = ?2");
            connection
                .prepare(&sql)?
                .query_row([&key.agent, &key.id], session_reading)
                .optional()
        })
    }

    /// Stores a reading that did not come from a job.
    pub fn put_reading(
        &self,
        key: &SessionKey,
        reading: &NewReading,
        now_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write(|connection| {
            let session = require(connection, key)?;
            Ok(put(connection, session, reading, now_ms)?)
        })
    }

    /// Ends the wait of a session that can no longer be read. Its stored reading stays.
    pub fn stop_waiting(&self, key: &SessionKey, now_ms: u64) -> Result<(), CatalogError> {
        self.write(|connection| {
            let session = require(connection, key)?;
            let known = connection.execute(
                "UPDATE readings SET wait_code = NULL, wait_reason = NULL, wait_model = NULL,
                     retry_at_ms = NULL, attempts = 0, could_ask = TRUE
                 WHERE session = ?1",
                [session],
            )?;
            if known == 0 {
                let nothing = NewReading {
                    revision: String::new(),
                    reading: Reading::by_rules(),
                    could_ask: true,
                    run_id: String::new(),
                    waits: None,
                    yields: false,
                };
                put(connection, session, &nothing, now_ms)?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns readings, newest first.
    pub fn readings(&self, limit: u64) -> Result<Vec<SessionReading>, CatalogError> {
        self.read(|connection| {
            let sql = select("ORDER BY r.read_ms DESC, s.agent, s.id LIMIT ?1");
            connection
                .prepare(&sql)?
                .query_map([stored(limit)], session_reading)?
                .collect()
        })
    }

    /// Returns the number of sessions that wait for a model, by reason, largest first.
    pub fn waiting_readings(&self) -> Result<Vec<WaitingReadings>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "WITH waiting AS (
                         SELECT *, row_number() OVER newest AS place,
                             count(*) OVER alike AS sessions, min(retry_at_ms) OVER alike AS first
                         FROM readings WHERE wait_code IS NOT NULL
                         WINDOW alike AS (PARTITION BY wait_code),
                             newest AS (PARTITION BY wait_code ORDER BY read_ms DESC, session))
                     SELECT wait_code, wait_reason, wait_model, first, sessions FROM waiting
                     WHERE place = 1 ORDER BY sessions DESC, wait_code",
                )?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(WaitingReadings {
                        shortfall: Shortfall {
                            code: columns.take()?,
                            reason: columns.take()?,
                            model: columns.take()?,
                            retry_at_ms: columns.number_if_any()?,
                        },
                        sessions: columns.number()?,
                    })
                })?
                .collect()
        })
    }

    /// Returns the next session to read again: the newest whose wait is over, or that was read before a model was
    /// available. Sessions with a live job or an unread revision are left out.
    pub fn next_reread(
        &self,
        filter: &RereadFilter,
        now_ms: u64,
    ) -> Result<Option<(SessionKey, ProjectId, String)>, CatalogError> {
        let projects: Vec<i64> = filter.projects.iter().map(|id| id.0).collect();
        let except: Vec<_> = (filter.except.iter())
            .map(|key| (&key.agent, &key.id))
            .collect();
        self.read(|connection| {
            let sql = match filter.catch_up {
                0 => connection.either(
                    next!(waiting, "TRUE"),
                    next!(waiting, "s.machine = this_machine()"),
                ),
                _ => {
                    connection.either(next!(all, "TRUE"), next!(all, "s.machine = this_machine()"))
                }
            };
            connection
                .prepare(sql)?
                .query_row(
                    named_params! {
                        ":now": stored(now_ms),
                        ":projects": crate::values::to_json(&projects)?,
                        ":except": crate::values::to_json(&except)?,
                        ":agent": filter.agent,
                        ":since": stored(filter.since_ms.unwrap_or(0)),
                        ":until": stored(filter.until_ms.unwrap_or(u64::MAX)),
                        ":catch_up": stored(filter.catch_up),
                        ":here": filter.here,
                    },
                    |row| {
                        let mut columns = ColumnReader::new(row);
                        let key = SessionKey {
                            agent: columns.take()?,
                            id: columns.take()?,
                        };
                        Ok((key, columns.take()?, columns.take()?))
                    },
                )
                .optional()
        })
    }
}

/// Replaces the stored reading.
pub(crate) fn put(
    connection: &Connection,
    session: i64,
    new: &NewReading,
    now_ms: u64,
) -> Answer<()> {
    if new.yields {
        let known = connection
            .prepare("UPDATE readings SET revision = ?2 WHERE session = ?1")?
            .execute(params![session, new.revision])?;
        if known > 0 {
            return Ok(());
        }
    }
    let waits = new.waits.as_ref();
    connection
        .prepare(
            "INSERT INTO readings (session, revision, strength, reader, complete, could_ask, run_id,
                 read_ms, wait_code, wait_reason, wait_model, retry_at_ms, attempts)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (session) DO UPDATE SET revision = excluded.revision,
                 strength = excluded.strength, reader = excluded.reader,
                 complete = excluded.complete, could_ask = excluded.could_ask,
                 run_id = excluded.run_id, read_ms = excluded.read_ms,
                 wait_code = excluded.wait_code, wait_reason = excluded.wait_reason,
                 wait_model = excluded.wait_model,
                 retry_at_ms = excluded.retry_at_ms,
                 attempts = CASE WHEN excluded.wait_code IS NULL THEN 0
                     ELSE readings.attempts + 1 END",
        )?
        .execute(params![
            session,
            new.revision,
            new.reading.strength.name(),
            new.reading.reader,
            new.reading.complete,
            new.could_ask,
            new.run_id,
            stored(now_ms),
            waits.map(|(short, _)| &short.code),
            waits.map(|(short, _)| clean(&short.reason)),
            waits.map(|(short, _)| &short.model),
            waits.map(|(_, at)| stored(*at)),
            i64::from(waits.is_some()),
        ])?;
    Ok(())
}

/// Builds a query for [`session_reading`] over readings `r` and their sessions `s`.
fn select(rest: &str) -> String {
    format!(
        "SELECT s.agent, s.id, r.revision, r.strength, r.reader, r.complete, r.could_ask, r.run_id,
             r.read_ms, r.wait_code, r.wait_reason, r.wait_model, r.retry_at_ms,
             r.attempts
         FROM readings r JOIN sessions s USING (session) {rest}"
    )
}

fn session_reading(row: &ResultRow<'_>) -> Answer<SessionReading> {
    let mut columns = ColumnReader::new(row);
    Ok(SessionReading {
        session: SessionKey {
            agent: columns.take()?,
            id: columns.take()?,
        },
        revision: columns.take()?,
        reading: Reading {
            strength: match columns.take()? {
                Strength::Rules => acreta_types::ReadingStrength::Rules,
                Strength::Model => acreta_types::ReadingStrength::Model,
            },
            reader: columns.take()?,
            complete: columns.take()?,
        },
        could_ask: columns.take()?,
        run_id: columns.take()?,
        read_ms: columns.number()?,
        waits: wait(&mut columns)?,
    })
}

fn wait(columns: &mut ColumnReader<'_>) -> Answer<Option<Wait>> {
    let (code, reason): (Option<String>, Option<String>) = (columns.take()?, columns.take()?);
    let model: Option<String> = columns.take()?;
    let (retry_at, attempts) = (columns.number_if_any()?, columns.take()?);
    Ok(match (code, reason, retry_at) {
        (Some(code), Some(reason), Some(retry_at_ms)) => Some(Wait {
            shortfall: Shortfall {
                code,
                reason,
                model: model.unwrap_or_default(),
                retry_at_ms: Some(retry_at_ms),
            },
            retry_at_ms,
            attempts,
        }),
        _ => None,
    })
}
