//! Runs and their results: `runs list|show`, and live events.

use acreta_state::{Catalog, Event, EventFilter, EventKind, Lookup, Run, RunFilter};
pub use acreta_state::{NoteOutcome, TaskState};
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Context, Failure, Kind, learn::reports, projects::scopes};

/// Filters of the list of runs.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunListRequest {
    pub state: Option<TaskState>,
    /// Only runs of this project.
    #[serde(skip)]
    pub project: Option<Utf8PathBuf>,
    /// Only runs that started before this time, in milliseconds: the `started_ms` of the last row of the previous page.
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub before: Option<u64>,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u64,
}

fn page_size() -> u64 {
    50
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunList {
    /// Newest first.
    pub runs: Vec<RunRow>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunRow {
    pub run_id: String,
    /// `sync`, `hot`, `cold`, `maintain`, `run`.
    pub mode: String,
    pub state: TaskState,
    pub project: String,
    /// Folder of its artifacts on this machine.
    pub run_folder: String,
    pub agent: Option<String>,
    pub session: Option<String>,
    pub started_ms: u64,
    pub finished_ms: Option<u64>,
    /// Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance.
    pub counts: Option<Map<String, Value>>,
    pub error: Option<String>,
    pub shown: bool,
}

/// One event of a run or of the process.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "LogEvent")]
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

/// A run with its report, its events and its artifacts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "RunDetail")]
pub struct RunShown {
    #[serde(flatten)]
    pub run: RunRow,
    /// The run's own report; null if its folder is missing.
    pub report: Value,
    /// Notes that the agent made in the run's session.
    pub notes: Vec<NoteRow>,
    pub events: Vec<EventRow>,
    /// Durations of its steps, in order; empty if they were not recorded.
    pub steps: Vec<StepTime>,
    /// Lines of `agent.log`.
    pub log: Vec<String>,
    /// Lines of `subagents.log`.
    pub findings: Vec<Value>,
    /// The candidates in `extract.json`.
    pub candidates: Vec<Value>,
    /// Names of the files in its folder.
    pub artifacts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepTime {
    pub step: String,
    pub started_ms: u64,
    /// Absent while it is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<u64>,
}

/// A note and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoteRow {
    pub id: String,
    /// `waiting`, `proven`, or `refused` with a reason.
    #[serde(flatten)]
    pub outcome: NoteOutcome,
}

/// Lists runs, newest first.
pub fn list(request: &RunListRequest, context: &Context) -> Result<RunList, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let runs = catalog.runs(&RunFilter {
        state: request.state,
        project_root: request.project.clone(),
        until_ms: request.before,
        limit: Some(request.limit),
        ..RunFilter::default()
    })?;
    Ok(RunList {
        runs: runs.into_iter().map(RunRow::from).collect(),
    })
}

/// Shows one run, by id or unique prefix.
pub fn show(prefix: &str, context: &Context) -> Result<RunShown, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let run = match catalog.run(prefix)? {
        Lookup::One(run) => run,
        Lookup::Missing => {
            let message = format!("no such run: `{prefix}`");
            return Err(Failure::new(Kind::Missing, message).hint("`acreta runs list` shows them"));
        }
        Lookup::Ambiguous(runs) => {
            let ids: Vec<&str> = runs.iter().map(|run| run.run_id.as_str()).collect();
            let message = format!("`{prefix}` matches several runs: {}", ids.join(", "));
            return Err(Failure::new(Kind::Usage, message));
        }
    };
    let events = catalog.events(&EventFilter {
        run_id: Some(run.run_id.clone()),
        ..EventFilter::default()
    })?;
    let findings = reports::lines(&run, "subagents.log").into_iter();
    let mut extracted = reports::json(&run, "extract.json").unwrap_or_default();
    Ok(RunShown {
        report: reports::report(&run).unwrap_or_default(),
        notes: notes(&run, &catalog, context)?,
        steps: steps(&events),
        log: reports::lines(&run, "agent.log"),
        findings: findings
            .filter_map(|line| serde_json::from_str(&line).ok())
            .collect(),
        candidates: match extracted["candidates"].take() {
            Value::Array(candidates) => candidates,
            _ => Vec::new(),
        },
        artifacts: reports::artifacts(&run),
        events: events.into_iter().map(EventRow::from).collect(),
        run: run.into(),
    })
}

/// Records that a person has seen a run's result.
pub fn mark_shown(shown: &RunShown, context: &Context) -> Result<(), Failure> {
    Ok(scopes::open_catalog(context)?.mark_shown(&shown.run.run_id)?)
}

/// Returns the steps of a run with their start and end.
fn steps(events: &[Event]) -> Vec<StepTime> {
    let mut steps: Vec<StepTime> = Vec::new();
    let of_steps = events.iter().map(|event| &event.event);
    for event in of_steps.filter(|event| event.name == "step") {
        let step = event.fields.get("step").and_then(|step| step.as_str());
        let step = step.unwrap_or_default();
        match event.kind {
            EventKind::Begin => steps.push(StepTime {
                step: step.to_owned(),
                started_ms: event.at_ms,
                ended_ms: None,
            }),
            _ => {
                if let Some(known) = steps.iter_mut().find(|known| known.step == step) {
                    known.ended_ms = Some(event.at_ms);
                }
            }
        }
    }
    steps
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

/// Returns the events after a number, oldest first, at most `limit`.
pub fn events_after(seq: u64, limit: u64, context: &Context) -> Result<Vec<EventRow>, Failure> {
    let events = scopes::open_catalog(context)?.events(&EventFilter {
        after_seq: Some(seq),
        limit: Some(limit),
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
            state: run.state,
            project: run.project_root.into_string(),
            run_folder: run.folder.into_string(),
            agent: session.as_ref().map(|key| key.agent.clone()),
            session: session.map(|key| key.id),
            started_ms: run.started_ms,
            finished_ms: run.finished_ms,
            counts: match run.counts {
                Some(Value::Object(counts)) => Some(counts),
                _ => None,
            },
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
