//! The event log: begins, ends and single events, in the order they were written. Its size is limited, and no behaviour
//! depends on it.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{named_params, params};
use serde_json::{Map, Value};

use crate::backend::{OptionalExtension, Result as Answer, ResultRow, TransactionStop};
use crate::values::{ColumnReader, named, stored, to_json};
use crate::{Catalog, CatalogError};

/// Limits of the log: number of events, and their age.
pub const KEPT_EVENTS: u64 = 50_000;
pub const KEPT_MS: u64 = 30 * 24 * 60 * 60 * 1_000;

named! {
    pub enum EventLevel {
        Error = "error",
        Warn = "warn",
        Info = "info",
        Debug = "debug",
        Trace = "trace",
    }
}

named! {
    /// Distinguishes the begin and end of a span from a single event.
    pub enum EventKind {
        Begin = "begin",
        /// Has all fields, and the duration.
        End = "end",
        /// A single point in time.
        Event = "event",
    }
}

/// An event to append.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub at_ms: u64,
    pub level: EventLevel,
    pub kind: EventKind,
    /// For example `run`, `step`, `sync.finished`.
    pub name: String,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    /// Root of the project it is about.
    pub project: Option<Utf8PathBuf>,
    pub fields: Map<String, Value>,
}

/// A stored event with its sequence number. Sequence numbers are never reused.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub seq: u64,
    pub event: NewEvent,
}

/// Sort order of events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EventOrder {
    #[default]
    OldestFirst,
    NewestFirst,
}

/// An id that correlates events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventIdKind {
    Run,
    Request,
    Job,
}

/// Filter for events; an unset field matches all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Events written after this one.
    pub after_seq: Option<u64>,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    /// Events with this id in their field `job_id`.
    pub job_id: Option<String>,
    pub project: Option<Utf8PathBuf>,
    pub kind: Option<EventKind>,
    pub name: Option<String>,
    pub order: EventOrder,
    pub limit: Option<u64>,
}

impl Catalog {
    /// Appends events, all or none. This gives a sync no work.
    pub fn append_events(&self, events: &[NewEvent]) -> Result<(), CatalogError> {
        if events.is_empty() {
            return Ok(());
        }
        self.write_aside(|connection| {
            let mut statement = connection.prepare(
                "INSERT INTO events (at_ms, level, kind, name, run_id, request_id, project, fields)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?;
            for event in events {
                statement.execute(params![
                    stored(event.at_ms),
                    event.level,
                    event.kind,
                    event.name,
                    event.run_id,
                    event.request_id,
                    event.project.as_deref().map(Utf8Path::as_str),
                    to_json(&event.fields)?,
                ])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    pub fn events(&self, filter: &EventFilter) -> Result<Vec<Event>, CatalogError> {
        let direction = match filter.order {
            EventOrder::OldestFirst => "ASC",
            EventOrder::NewestFirst => "DESC",
        };
        // A separate condition, so that the index on runs is used.
        let of_run = match filter.run_id {
            Some(_) => "run_id = :run_id",
            None => "CAST(:run_id AS TEXT) IS NULL",
        };
        let sql = select(&format!(
            "WHERE {of_run} AND seq > :after
               AND (CAST(:request_id AS TEXT) IS NULL OR request_id = :request_id)
               AND (CAST(:job_id AS TEXT) IS NULL OR fields ->> 'job_id' = :job_id)
               AND (CAST(:project AS TEXT) IS NULL OR project = :project)
               AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)
               AND (CAST(:name AS TEXT) IS NULL OR name = :name)
             ORDER BY seq {direction} LIMIT :limit"
        ));
        self.read(|connection| {
            connection
                .prepare(&sql)?
                .query_map(
                    named_params! {
                        ":run_id": filter.run_id,
                        ":after": stored(filter.after_seq.unwrap_or(0)),
                        ":request_id": filter.request_id,
                        ":job_id": filter.job_id,
                        ":project": filter.project.as_deref().map(Utf8Path::as_str),
                        ":kind": filter.kind,
                        ":name": filter.name,
                        ":limit": stored(filter.limit.unwrap_or(u64::MAX)),
                    },
                    event,
                )?
                .collect()
        })
    }

    /// Returns the ids of one kind that occur in events and start with `prefix`, sorted, at most `limit`.
    pub fn event_ids(
        &self,
        kind: EventIdKind,
        prefix: &str,
        limit: u64,
    ) -> Result<Vec<String>, CatalogError> {
        let column = match kind {
            EventIdKind::Run => "run_id",
            EventIdKind::Request => "request_id",
            EventIdKind::Job => "fields ->> 'job_id'",
        };
        let sql = format!(
            "SELECT DISTINCT {column} AS id FROM events
             WHERE substr({column}, 1, length(:prefix)) = :prefix ORDER BY id LIMIT :limit"
        );
        self.read(|connection| {
            connection
                .prepare(&sql)?
                .query_map(
                    named_params! { ":prefix": prefix, ":limit": stored(limit) },
                    |row| row.get(0),
                )?
                .collect()
        })
    }

    /// Returns the last event: events with a higher sequence number are new.
    pub fn last_event(&self) -> Result<Option<Event>, CatalogError> {
        let sql = select("ORDER BY seq DESC LIMIT 1");
        self.read(|connection| {
            let mut statement = connection.prepare(&sql)?;
            statement.query_row([], event).optional()
        })
    }

    /// Deletes events beyond [`KEPT_EVENTS`] or older than [`KEPT_MS`], and returns how many. The cost is proportional
    /// to what it removes.
    pub fn prune_events(&self, now_ms: u64) -> Result<u64, CatalogError> {
        self.write_aside(|connection| {
            let last: Option<i64> =
                connection.query_row("SELECT max(seq) FROM events", [], |row| row.get(0))?;
            let Some(last) = last else {
                return Ok(0);
            };
            // Old events come first: the first recent one ends the search.
            let young: Option<i64> = connection
                .query_row(
                    "SELECT seq FROM events WHERE at_ms >= ?1 ORDER BY seq LIMIT 1",
                    [stored(now_ms.saturating_sub(KEPT_MS))],
                    |row| row.get(0),
                )
                .optional()?;
            let first = young
                .unwrap_or(last.saturating_add(1))
                .max(last.saturating_sub(stored(KEPT_EVENTS)).saturating_add(1));
            let gone = connection.execute("DELETE FROM events WHERE seq < ?1", [first])?;
            Ok::<_, TransactionStop<CatalogError>>(gone as u64)
        })
    }
}

fn select(rest: &str) -> String {
    format!(
        "SELECT seq, at_ms, level, kind, name, run_id, request_id, project, fields
         FROM events {rest}"
    )
}

fn event(row: &ResultRow<'_>) -> Answer<Event> {
    let mut columns = ColumnReader::new(row);
    Ok(Event {
        seq: columns.number()?,
        event: NewEvent {
            at_ms: columns.number()?,
            level: columns.take()?,
            kind: columns.take()?,
            name: columns.take()?,
            run_id: columns.take()?,
            request_id: columns.take()?,
            project: columns.take::<Option<String>>()?.map(Utf8PathBuf::from),
            fields: columns.json()?.unwrap_or_default(),
        },
    })
}
