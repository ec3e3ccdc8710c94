//! What happened, in the order it was written down: what began, what ended, what was said on the way.
//! Only so much of it is kept, and nothing that is done depends on it.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{named_params, params};
use serde_json::{Map, Value};

use crate::backend::{OptionalExtension, Result as Answer, Row, Stop};
use crate::values::{Columns, named, stored, to_json};
use crate::{Catalog, CatalogError};

/// How many events are kept, and for how long.
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
    /// Whether something took time, and which end of it this is.
    pub enum EventKind {
        Begin = "begin",
        /// Has all that is known of it, and how long it took.
        End = "end",
        /// A moment.
        Event = "event",
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub at_ms: u64,
    pub level: EventLevel,
    pub kind: EventKind,
    /// `run`, `step`, `sync.finished`, …
    pub name: String,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    /// Root of the project it was about.
    pub project: Option<Utf8PathBuf>,
    pub fields: Map<String, Value>,
}

/// The same with its place in the order of all. Places are never given twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub seq: u64,
    pub event: NewEvent,
}

/// From which end events are given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EventOrder {
    #[default]
    OldestFirst,
    NewestFirst,
}

/// An id that ties events together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventIdKind {
    Run,
    Request,
    Job,
}

/// Which events are wanted; everything that is not said is any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Those that were written down after this one.
    pub after_seq: Option<u64>,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    /// Those with this id in their field `job_id`.
    pub job_id: Option<String>,
    pub project: Option<Utf8PathBuf>,
    pub kind: Option<EventKind>,
    pub name: Option<String>,
    pub order: EventOrder,
    pub limit: Option<u64>,
}

impl Catalog {
    /// Writes events down, all of them or none. A sync is given nothing to do by it.
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
            Ok::<_, Stop<CatalogError>>(())
        })
    }

    pub fn events(&self, filter: &EventFilter) -> Result<Vec<Event>, CatalogError> {
        let direction = match filter.order {
            EventOrder::OldestFirst => "ASC",
            EventOrder::NewestFirst => "DESC",
        };
        // Said apart from the rest, so that the index of runs is used.
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

    /// The ids of one kind that events have and that begin with `prefix`, in order, at most `limit`.
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

    /// What was written down last: from its place on, whatever comes is new.
    pub fn last_event(&self) -> Result<Option<Event>, CatalogError> {
        let sql = select("ORDER BY seq DESC LIMIT 1");
        self.read(|connection| {
            let mut statement = connection.prepare(&sql)?;
            statement.query_row([], event).optional()
        })
    }

    /// Forgets what is more than [`KEPT_EVENTS`] events or [`KEPT_MS`] ago, and says how many went. Costs
    /// no more than what it removes.
    pub fn prune_events(&self, now_ms: u64) -> Result<u64, CatalogError> {
        self.write_aside(|connection| {
            let last: Option<i64> =
                connection.query_row("SELECT max(seq) FROM events", [], |row| row.get(0))?;
            let Some(last) = last else {
                return Ok(0);
            };
            // Old ones lie at the beginning: the first that is young enough ends the search.
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
            Ok::<_, Stop<CatalogError>>(gone as u64)
        })
    }
}

fn select(rest: &str) -> String {
    format!(
        "SELECT seq, at_ms, level, kind, name, run_id, request_id, project, fields
         FROM events {rest}"
    )
}

fn event(row: &Row<'_>) -> Answer<Event> {
    let mut columns = Columns::new(row);
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
