//! Runs and their results: `runs list|show`, and live events.

use acreta_state::{Catalog, EventFilter, Lookup, Run, RunFilter, TaskState};
pub use acreta_state::{Event, EventKind, NoteOutcome};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Context, Failure, Kind, learn::reports, projects::scopes};

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRow {
    pub run_id: String,
    pub mode: String,
    pub state: &'static str,
    pub project: String,
    pub run_folder: String,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub started_ms: u64,
    pub finished_ms: Option<u64>,
    pub counts: Option<Value>,
    pub error: Option<String>,
    pub shown: bool,
}

/// One event of a run or of the process.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventRow {
    pub seq: u64,
    pub at_ms: u64,
    pub level: &'static str,
    pub kind: &'static str,
    pub name: String,
    pub run_id: Option<String>,
    pub request_id: Option<String>,
    pub project: Option<String>,
    pub fields: Map<String, Value>,
}

/// A run with its report and its events.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunShown {
    #[serde(flatten)]
    pub run: RunRow,
    /// The run's own report; null if its folder is missing.
    pub report: Value,
    /// Notes that the agent made in the run's session.
    pub notes: Vec<NoteRow>,
    pub events: Vec<EventRow>,
}

/// A note and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteRow {
    pub id: String,
    /// `waiting`, `proven`, or `refused` with a reason.
    #[serde(flatten)]
    pub outcome: NoteOutcome,
}

/// Lists runs, newest first.
pub fn list(limit: u64, failed: bool, context: &Context) -> Result<Vec<RunRow>, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let runs = catalog.runs(&RunFilter {
        state: failed.then_some(TaskState::Failed),
        limit: Some(limit),
        ..RunFilter::default()
    })?;
    Ok(runs.into_iter().map(RunRow::from).collect())
}

/// Shows one run, by id or unique prefix.
pub fn show(prefix: &str, context: &Context) -> Result<RunShown, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let run = match catalog.run(prefix)? {
        Lookup::One(run) => run,
        Lookup::Missing => {
            return Err(Failure::saying(format!("no such run: `{prefix}`"))
                .hint("`acreta runs list` shows them"));
        }
        Lookup::Ambiguous(runs) => {
            let ids: Vec<&str> = runs.iter().map(|run| run.run_id.as_str()).collect();
            let message = format!("`{prefix}` matches several runs: {}", ids.join(", "));
            return Err(Failure::new(Kind::Usage, message));
        }
    };
    catalog.mark_shown(&run.run_id)?;
    let events = catalog.events(&EventFilter {
        run_id: Some(run.run_id.clone()),
        ..EventFilter::default()
    })?;
    Ok(RunShown {
        report: reports::report(&run).unwrap_or_default(),
        notes: notes(&run, &catalog, context)?,
        events: events.into_iter().map(EventRow::from).collect(),
        run: run.into(),
    })
}

fn notes(run: &Run, catalog: &Catalog, context: &Context) -> Result<Vec<NoteRow>, Failure> {
    let Some(session) = &run.session else {
        return Ok(Vec::new());
    };
    let notes = catalog.notes(context.layout(&run.project_root).base().as_str())?;
    let own = notes
        .into_iter()
        .filter(|note| note.session.as_ref() == Some(&session.id));
    Ok(own
        .map(|note| NoteRow {
            id: note.id,
            outcome: note.outcome,
        })
        .collect())
}

/// Returns the number of the newest event.
pub fn last_event(context: &Context) -> Result<u64, Failure> {
    let last = scopes::open_catalog(context)?.last_event()?;
    Ok(last.map_or(0, |event| event.seq))
}

/// Maximum number of events per query.
const EVENTS: u64 = 1_000;

/// Returns the events after a number, oldest first.
pub fn events_after(seq: u64, context: &Context) -> Result<Vec<EventRow>, Failure> {
    let events = scopes::open_catalog(context)?.events(&EventFilter {
        after_seq: Some(seq),
        limit: Some(EVENTS),
        ..EventFilter::default()
    })?;
    Ok(events.into_iter().map(EventRow::from).collect())
}

impl From<Run> for RunRow {
    fn from(run: Run) -> Self {
        let session = run.session;
        Self {
            run_id: run.run_id,
            mode: run.mode,
            state: run.state.name(),
            project: run.project_root.into_string(),
            run_folder: run.folder.into_string(),
            agent: session.as_ref().map(|key| key.agent.clone()),
            session: session.map(|key| key.id),
            started_ms: run.started_ms,
            finished_ms: run.finished_ms,
            counts: run.counts,
            error: run.error,
            shown: run.shown,
        }
    }
}

impl From<Event> for EventRow {
    fn from(row: Event) -> Self {
        let event = row.event;
        Self {
            seq: row.seq,
            at_ms: event.at_ms,
            level: event.level.name(),
            kind: event.kind.name(),
            name: event.name,
            run_id: event.run_id,
            request_id: event.request_id,
            project: event.project.map(|project| project.into_string()),
            fields: event.fields,
        }
    }
}
