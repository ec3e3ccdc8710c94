//! The report of a sync. Keys and order are stable; `docs/formats.md` has the schema.

use acreta_pipeline::{Action, Counts, ReadingReport, RunReport};
use acreta_state::{Job, WaitingSessions};
use acreta_types::{ModelUsage, Shortfall};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// Output of `sync --json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SyncReport {
    /// Sessions that are new or changed since the last sync.
    pub discovered: u64,
    /// Sessions whose raw form was archived.
    pub archived: u64,
    /// Jobs that were enqueued.
    pub queued: u64,
    /// Completed runs.
    pub ran: u64,
    /// Sessions with nothing to learn from: empty ones, and those of subagents, which the parent's session reports.
    pub skipped: u64,
    /// Failed runs, files that could not be read, and sessions that could not be archived.
    pub failed: u64,
    /// Sessions of projects that are not registered yet.
    pub waiting: Vec<WaitingProject>,
    pub runs: Vec<RunLine>,
    pub counts: Counts,
    pub agents: Vec<AgentReport>,
    pub projects: Vec<ProjectReport>,
    pub problems: Vec<SyncProblem>,
    /// Jobs that failed permanently, in this sync or before, and that no person has seen since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dead_letters: Vec<DeadLetter>,
    /// Set if a model was to read sessions of this sync and did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Files of agents' own memories that were imported; set if the settings ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_memories: Option<u64>,
    /// True if a person stopped it before it was done.
    pub interrupted: bool,
    pub dry_run: bool,
    /// Set by a dry run: what a sync would read, as files with the id of a session that is already known.
    #[serde(skip)]
    pub unread: Vec<(Utf8PathBuf, Option<String>)>,
}

/// Sessions that wait for a person to register their project, or to let their adapter speak for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingProject {
    /// `None` for sessions without a project.
    pub project: Option<Utf8PathBuf>,
    /// The adapter that may not speak for the project, if the project is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    pub sessions: u64,
    /// True if the folder exists: `acreta project add` registers it.
    pub exists: bool,
}

/// One run of this sync.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunLine {
    pub run_id: Option<String>,
    /// Folder of its artifacts, if it completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_folder: Option<Utf8PathBuf>,
    pub agent: String,
    pub session: String,
    pub project: Utf8PathBuf,
    /// `completed`, `failed`, `queued` (it will be retried) or `cancelled`.
    pub state: &'static str,
    pub counts: Counts,
    /// The memories that it added, updated or archived.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learnt: Vec<LearntLine>,
    /// The person asked in the session that it be forgotten.
    #[serde(rename = "forgotten", skip_serializing_if = "std::ops::Not::not")]
    pub is_unwanted: bool,
    /// Model usage, if models were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm: Option<ModelUsage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadingReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One memory that a run changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LearntLine {
    pub action: Action,
    pub memory_id: String,
    pub title: String,
    /// Path relative to the memory root.
    pub path: Option<String>,
    /// True for the summary of the session.
    pub summary: bool,
}

impl LearntLine {
    /// Returns all changes of a run.
    pub(crate) fn of(report: &RunReport) -> Vec<Self> {
        let changes = report.actions.iter();
        let changes = changes.filter(|record| record.action != Action::NoOp);
        changes
            .map(|record| Self {
                action: record.action,
                memory_id: record.memory_id.clone(),
                title: record.title.clone(),
                path: record.path.clone(),
                summary: record.is_summary(),
            })
            .collect()
    }
}

/// Sessions that were read without the configured model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// Number of sessions in this sync.
    pub sessions: u64,
    /// Reason of the first one.
    #[serde(flatten)]
    pub shortfall: Shortfall,
    /// Number of sessions that wait for a model now, including those of earlier syncs.
    pub waiting: u64,
}

/// Figures of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AgentReport {
    pub agent: String,
    /// Number of session files under its roots.
    pub files: u64,
    pub discovered: u64,
    pub archived: u64,
    pub ran: u64,
    pub failed: u64,
}

/// Figures of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProjectReport {
    pub project: Utf8PathBuf,
    pub ran: u64,
    pub failed: u64,
    pub counts: Counts,
}

/// An item that could not be read or archived. The rest was processed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SyncProblem {
    pub agent: String,
    pub path: Utf8PathBuf,
    pub message: String,
}

/// A job that is not retried automatically.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeadLetter {
    pub job: String,
    pub agent: String,
    pub session: String,
    pub project: Utf8PathBuf,
    pub cause: String,
}

impl From<Job> for DeadLetter {
    fn from(job: Job) -> Self {
        Self {
            job: job.id,
            agent: job.session.agent,
            session: job.session.id,
            project: job.project_root,
            cause: job.cause.unwrap_or_default(),
        }
    }
}

impl From<WaitingSessions> for WaitingProject {
    fn from(waiting: WaitingSessions) -> Self {
        let place = waiting.place.as_ref();
        Self {
            exists: place.is_some_and(|place| place.is_dir()),
            project: waiting.place,
            adapter: waiting.adapter,
            sessions: waiting.sessions,
        }
    }
}

impl WaitingProject {
    /// Returns true if the folder's existence has not changed.
    pub(crate) fn is_as_it_was(&self) -> bool {
        let place = self.project.as_ref();
        place.is_none_or(|place| place.is_dir() == self.exists)
    }
}

impl SyncReport {
    /// Removes the agents without anything to report.
    pub(crate) fn trimmed(mut self) -> Self {
        self.agents.retain(|line| {
            let silent = AgentReport {
                agent: line.agent.clone(),
                ..AgentReport::default()
            };
            *line != silent
        });
        self
    }

    /// Returns the line of an agent.
    pub(crate) fn agent(&mut self, agent: &str) -> &mut AgentReport {
        let place = self.agents.iter().position(|line| line.agent == agent);
        let place = place.unwrap_or_else(|| {
            self.agents.push(AgentReport {
                agent: agent.to_owned(),
                ..AgentReport::default()
            });
            self.agents.len() - 1
        });
        &mut self.agents[place]
    }

    /// Adds a run to the sums.
    pub(crate) fn add_run(&mut self, run: RunLine) {
        let place = self
            .projects
            .iter()
            .position(|line| line.project == run.project);
        let place = place.unwrap_or_else(|| {
            self.projects.push(ProjectReport {
                project: run.project.clone(),
                ..ProjectReport::default()
            });
            self.projects.len() - 1
        });
        let project = &mut self.projects[place];
        let (completed, failed) = match run.state {
            "completed" => (1, 0),
            "cancelled" => (0, 0),
            _ => (0, 1),
        };
        project.ran += completed;
        project.failed += failed;
        project.counts = sum(project.counts, run.counts);
        self.ran += completed;
        self.failed += failed;
        self.counts = sum(self.counts, run.counts);
        let shortfall = run.reading.as_ref().and_then(|read| read.shortfall.clone());
        if let Some(shortfall) = shortfall {
            let fallback = self.fallback.get_or_insert(Fallback {
                sessions: 0,
                shortfall,
                waiting: 0,
            });
            fallback.sessions += 1;
        }
        let agent = self.agent(&run.agent);
        agent.ran += completed;
        agent.failed += failed;
        self.runs.push(run);
    }

    pub(crate) fn problem(&mut self, agent: &str, path: Utf8PathBuf, message: String) {
        self.failed += 1;
        self.agent(agent).failed += 1;
        self.problems.push(SyncProblem {
            agent: agent.to_owned(),
            path,
            message,
        });
    }
}

fn sum(left: Counts, right: Counts) -> Counts {
    Counts {
        add: left.add + right.add,
        update: left.update + right.update,
        no_op: left.no_op + right.no_op,
        archived: left.archived + right.archived,
    }
}
