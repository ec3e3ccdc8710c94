//! A run's report: the artifacts in its folder and the payload of `run --json`. Keys and order are stable;
//! `docs/formats.md` has the schema.

use std::collections::BTreeMap;

use acreta_session_archive::TraceMark;
use acreta_types::{Cursor, Denial, Diagnostic, ModelUsage, Reading, Session, Shortfall, Usage};
use camino::Utf8PathBuf;
use serde::Serialize;

/// The steps of a run, in order.
pub const STEPS: [&str; 8] = [
    "validate",
    "normalise",
    "extract",
    "summarise",
    "explore",
    "decide",
    "write",
    "report",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    Pending,
    InProgress,
    Completed,
    /// Not run: nothing was left to do, or the run ended before it.
    Skipped,
    Failed,
}

impl TodoState {
    /// Returns the name used in JSON and logs.
    pub fn name(self) -> &'static str {
        match self {
            TodoState::Pending => "pending",
            TodoState::InProgress => "in_progress",
            TodoState::Completed => "completed",
            TodoState::Skipped => "skipped",
            TodoState::Failed => "failed",
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct Todo {
    pub step: &'static str,
    pub state: TodoState,
    /// Start time, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// Time at which it was completed, skipped or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}

/// Decision about a candidate or a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    Add,
    Update,
    NoOp,
    Archive,
}

impl Action {
    /// Returns the name used in JSON and logs.
    pub fn name(self) -> &'static str {
        match self {
            Action::Add => "add",
            Action::Update => "update",
            Action::NoOp => "no-op",
            Action::Archive => "archive",
        }
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct ActionRecord {
    /// `None` if a memory changes because a session withdrew its contribution.
    pub candidate_id: Option<String>,
    pub action: Action,
    pub memory_id: String,
    /// The memory's title after the change.
    pub title: String,
    /// Relative to the memory root.
    pub path: Option<String>,
    pub overlap: Option<f64>,
    pub reason: String,
}

impl ActionRecord {
    /// Reports whether it is about the session's summary.
    pub fn is_summary(&self) -> bool {
        self.candidate_id.as_deref() == Some(SUMMARY_ACTION)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub add: u64,
    pub update: u64,
    pub no_op: u64,
    pub archived: u64,
}

impl Counts {
    pub(crate) fn of(actions: &[ActionRecord]) -> Self {
        let count = |wanted: Action| {
            actions
                .iter()
                .filter(|record| record.action == wanted)
                .count() as u64
        };
        Self {
            add: count(Action::Add),
            update: count(Action::Update),
            no_op: count(Action::NoOp),
            archived: count(Action::Archive),
        }
    }
}

/// `memory_actions.json`.
#[derive(Debug, Clone, Serialize)]
pub struct MemoryActions {
    pub run_id: String,
    pub trace_path: Utf8PathBuf,
    pub todos: Vec<Todo>,
    pub actions: Vec<ActionRecord>,
    pub counts: Counts,
    pub written_memory_paths: Vec<Utf8PathBuf>,
    pub summary_path: Option<Utf8PathBuf>,
    pub metrics: Metrics,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadingReport>,
    /// Reason why nothing was done or why the run failed, and the steps that were not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Payload of `run --json`.
#[derive(Debug, Clone, Serialize)]
pub struct RunReport {
    pub run_id: String,
    pub run_folder: Utf8PathBuf,
    pub artifacts: BTreeMap<&'static str, Utf8PathBuf>,
    pub counts: Counts,
    pub written_memory_paths: Vec<Utf8PathBuf>,
    pub summary_path: Option<Utf8PathBuf>,
    pub metrics: Metrics,
    /// `None` if the session was not read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadingReport>,
    pub session: SessionReport,
    pub actions: Vec<ActionRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub dry_run: bool,
    /// Position from which the next read of the session continues; `None` if its trace was not archived.
    #[serde(skip)]
    pub resume: Option<Resume>,
    /// The session, and the adapter that read it.
    #[serde(skip)]
    pub taken: Option<ReadSession>,
    /// The person asked in the session that it be forgotten; nothing was learnt from it.
    #[serde(skip)]
    pub is_unwanted: bool,
}

/// Quality of the reading of a session, and the reason for a shortfall.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReadingReport {
    #[serde(flatten)]
    pub reading: Reading,
    /// Stable code of the failure that caused the shortfall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Time from which asking again may help, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<String>,
    #[serde(skip)]
    pub shortfall: Option<Shortfall>,
    /// True if an extractor could ask a model.
    #[serde(skip)]
    pub could_ask: bool,
    /// The earlier reading that stays because it is stronger.
    #[serde(skip)]
    pub yields_to: Option<Reading>,
}

impl ReadingReport {
    pub(crate) fn new(reading: Reading, shortfall: Option<Shortfall>, could_ask: bool) -> Self {
        let at = shortfall.as_ref().and_then(|short| short.retry_at_ms);
        let at = at.and_then(|at| jiff::Timestamp::from_millisecond(i64::try_from(at).ok()?).ok());
        Self {
            reading,
            code: shortfall.as_ref().map(|short| short.code.clone()),
            reason: shortfall.as_ref().map(|short| short.reason.clone()),
            retry_at: at.map(|at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
            shortfall,
            could_ask,
            yields_to: None,
        }
    }
}

impl ReadingReport {
    /// Marks the reading as incomplete, with a reason. It is not retried automatically.
    pub(crate) fn falls_short(&mut self, code: &str, reason: &str) {
        self.reading.complete = false;
        self.code = Some(code.to_owned());
        self.reason = Some(reason.to_owned());
    }
}

/// A session that a run has read.
#[derive(Debug, Clone)]
pub struct ReadSession {
    /// Id of the adapter that read it.
    pub adapter: String,
    pub session: Session,
}

/// The session that was read.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SessionReport {
    pub agent: String,
    pub id: String,
    pub project_dir: Option<String>,
    pub events: u64,
    /// Records that could not be read.
    pub diagnostics: u64,
    /// Types of records that the adapter does not know. They are not damage.
    pub unknown_types: u64,
    /// The first unreadable records and unknown types.
    #[serde(skip)]
    pub first_diagnostics: Vec<Diagnostic>,
    pub redactions: BTreeMap<String, u64>,
    pub raw_trace_path: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Metrics {
    pub candidates: u64,
    pub summaries: u64,
    /// Operations that the sandbox refused.
    pub denied: u64,
    pub explorer_fan_out: u64,
    pub explorer_ms: u64,
    pub total_ms: u64,
    pub plugins: Vec<PluginMetrics>,
    pub llm: ModelUsage,
}

impl Metrics {
    /// Clears the times, which differ between two runs on the same input.
    pub(crate) fn leave_times_out(&mut self) {
        (self.total_ms, self.explorer_ms) = (0, 0);
        for plugin in &mut self.plugins {
            (plugin.usage.guest_ms, plugin.usage.host_ms) = (0, 0);
        }
    }

    /// Adds a call to a plugin's metrics.
    pub(crate) fn used(&mut self, plugin: &str, role: &'static str, usage: &Usage) {
        self.denied += usage.denied_total();
        let line = match self.plugins.iter_mut().find(|line| line.id == plugin) {
            Some(line) => line,
            None => {
                self.plugins.push(PluginMetrics {
                    id: plugin.to_owned(),
                    role,
                    usage: Usage::default(),
                });
                self.plugins.last_mut().expect("it was just pushed")
            }
        };
        line.usage.add(usage);
    }

    pub fn denials(&self) -> impl Iterator<Item = (&str, &Denial)> {
        self.plugins.iter().flat_map(|line| {
            line.usage
                .denied
                .iter()
                .map(move |denial| (line.id.as_str(), denial))
        })
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct PluginMetrics {
    pub id: String,
    pub role: &'static str,
    #[serde(flatten)]
    pub usage: Usage,
}

pub(crate) const SUMMARY_ACTION: &str = "summary";

/// Position at which a read stopped, in the session and in its archived trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    pub cursor: Cursor,
    pub mark: TraceMark,
}
