//! Events in the state database: written by every process, read by anyone who follows them.

use std::time::Duration;

use acreta_state::{Catalog, CatalogOptions, EventKind, EventLevel, NewEvent, StateLocation};
use acreta_telemetry::{EventSink, Row, SinkError};
use camino::Utf8PathBuf;

use crate::process::clock::now_ms;

/// The field of a stored event that names its job.
pub(crate) const JOB: &str = "job_id";

/// Maximum wait for a server that stores events.
const SERVER_WAIT: Duration = Duration::from_millis(500);

/// Number of rows between two prunings. The first rows of a process prune, too.
const PRUNED_EVERY: u64 = 2_000;

/// Stores rows in the catalog, which is opened with the first one.
pub struct CatalogSink {
    state: StateLocation,
    catalog: Option<Catalog>,
    /// Rows written since the last pruning; `None` before the first.
    unpruned: Option<u64>,
}

impl CatalogSink {
    pub fn new(state: StateLocation) -> Self {
        Self {
            state,
            catalog: None,
            unpruned: None,
        }
    }
}

impl EventSink for CatalogSink {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError> {
        let catalog = match &mut self.catalog {
            Some(catalog) => catalog,
            none => none.insert(Catalog::open_at(&self.state, options(&self.state))?),
        };
        let events: Vec<NewEvent> = rows.iter().map(event).collect();
        catalog.append_events(&events)?;
        let unpruned = self
            .unpruned
            .map_or(PRUNED_EVERY, |count| count + rows.len() as u64);
        self.unpruned = Some(unpruned);
        if unpruned >= PRUNED_EVERY {
            catalog.prune_events(now_ms())?;
            self.unpruned = Some(0);
        }
        Ok(())
    }
}

/// Returns the options for a location. A command does not wait at its end for a server that is away.
fn options(state: &StateLocation) -> CatalogOptions {
    let default = CatalogOptions::default();
    match state.is_shared() {
        true => CatalogOptions {
            wait: SERVER_WAIT,
            ..default
        },
        false => default,
    }
}

fn event(row: &Row) -> NewEvent {
    let mut fields = row.fields.clone();
    if let Some(job) = &row.job_id {
        fields.insert(JOB.to_owned(), job.as_str().into());
    }
    NewEvent {
        at_ms: row.at_ms,
        level: match row.level {
            "error" => EventLevel::Error,
            "warn" => EventLevel::Warn,
            "info" => EventLevel::Info,
            "debug" => EventLevel::Debug,
            _ => EventLevel::Trace,
        },
        kind: match row.kind {
            "begin" => EventKind::Begin,
            "end" => EventKind::End,
            _ => EventKind::Event,
        },
        name: row.name.clone(),
        run_id: row.run_id.clone(),
        request_id: row.request_id.clone(),
        project: row.project.as_ref().map(Utf8PathBuf::from),
        fields,
    }
}
