//! Events in the state database: written by every process, read by anyone who follows them.

use std::time::Duration;

use acreta_fs::{Directory, NoFaults};
use acreta_state::{Catalog, CatalogOptions, EventKind, EventLevel, NewEvent, StateLocation};
use acreta_telemetry::{EventSink, Row, SinkError};
use camino::Utf8PathBuf;

use crate::process::clock::now_ms;
use crate::{Context, Failure};

/// Folder of logs in acreta's folder, and the log that every process writes.
pub const LOGS: &str = "logs";
pub const LOG: &str = "acreta.log";

/// The field of a stored event that names its job.
pub(crate) const JOB: &str = "job_id";

/// Maximum size of a log that is rewritten.
const LOG_BYTES: u64 = 64 * 1024 * 1024;

/// Maximum wait for a server that stores events.
const SERVER_WAIT: Duration = Duration::from_millis(500);

/// Number of rows between two prunings.
const PRUNED_EVERY: u64 = 2_000;

/// Stores rows in the catalog, which is opened with the first one.
pub struct KeptEvents {
    state: StateLocation,
    catalog: Option<Catalog>,
    written: u64,
}

impl KeptEvents {
    pub fn new(state: StateLocation) -> Self {
        Self {
            state,
            catalog: None,
            written: 0,
        }
    }
}

impl EventSink for KeptEvents {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError> {
        let catalog = match &mut self.catalog {
            Some(catalog) => catalog,
            none => none.insert(Catalog::open_at(&self.state, options(&self.state))?),
        };
        let events: Vec<NewEvent> = rows.iter().map(event).collect();
        catalog.append_events(&events)?;
        if self.written % PRUNED_EVERY < rows.len() as u64 {
            catalog.prune_events(now_ms())?;
        }
        self.written += rows.len() as u64;
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

/// Removes every line from the logs that contains one of these names.
pub fn forget_in_logs(context: &Context, names: &[String]) -> Result<(), Failure> {
    let folder = context.home.folder().join(LOGS);
    if names.is_empty() || !folder.is_dir() {
        return Ok(());
    }
    let directory = Directory::open(&folder, NoFaults::shared())?.private();
    let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().starts_with(LOG)) {
        let bytes = directory.read(entry.file_name(), LOG_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let is_kept = |line: &&str| !names.iter().any(|name| line.contains(name.as_str()));
        let kept: String = text.split_inclusive('\n').filter(is_kept).collect();
        if kept != text {
            directory.replace(entry.file_name(), kept.as_bytes())?;
        }
    }
    Ok(())
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
