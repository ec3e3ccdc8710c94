//! What a sync says of itself. Keys and order are a promise; `docs/formats.md` has the schema.

use acreta_catalog::Job;
use acreta_lead::{Action, Counts, ReadingReport, RunReport};
use acreta_model::{ModelUsage, Shortfall};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// What `sync --json` prints.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SyncReport {
    /// Sessions that are new or changed since the last sync.
    pub discovered: u64,
    /// Sessions whose raw form was rescued.
    pub archived: u64,
    /// Jobs put into the queue.
    pub queued: u64,
    /// Runs completed.
    pub ran: u64,
    /// Sessions with nothing to learn from: empty ones, and subagents', whose parent's session has
    /// the account.
    pub skipped: u64,
    /// Runs that failed, files that could not be read, sessions that could not be rescued.
    pub failed: u64,
    /// Sessions of projects that are not taken in yet.
    pub waiting: Vec<WaitingProject>,
    pub runs: Vec<RunLine>,
    pub counts: Counts,
    pub agents: Vec<AgentReport>,
    pub projects: Vec<ProjectReport>,
    pub problems: Vec<Problem>,
    /// Jobs that were given up, in this sync or before, and that nobody has looked at since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dead_letters: Vec<DeadLetter>,
    /// Set if a model was to read sessions of this sync and did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Fallback>,
    /// Files of agents' own memories that were taken in; set if the settings ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_memories: Option<u64>,
    /// Whether somebody stopped it before it was done.
    pub interrupted: bool,
    pub dry_run: bool,
}

/// Sessions that wait for a person to take their project in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingProject {
    /// None for sessions that belong to no project.
    pub project: Option<Utf8PathBuf>,
    pub sessions: u64,
    /// Whether the folder is there: `acreta project add` takes it in.
    pub exists: bool,
}

/// One run of this sync.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunLine {
    pub run_id: Option<String>,
    /// Where its artifacts lie, if it went through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_folder: Option<Utf8PathBuf>,
    pub agent: String,
    pub session: String,
    pub project: Utf8PathBuf,
    /// `completed`, `failed`, `queued` (it will be tried again) or `cancelled`.
    pub state: &'static str,
    pub counts: Counts,
    /// The memories that it added, updated or archived.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learnt: Vec<LearntLine>,
    /// What models were asked, where they were.
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
    /// Relative to the memory root.
    pub path: Option<String>,
    /// It is the summary of the session.
    pub summary: bool,
}

impl LearntLine {
    /// All changes of a run.
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

/// Sessions that were read without the model that was configured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// How many of this sync.
    pub sessions: u64,
    /// Why the first of them was.
    #[serde(flatten)]
    pub shortfall: Shortfall,
    /// How many sessions wait for a model now, those of earlier syncs included.
    pub waiting: u64,
}

/// What was done for one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AgentReport {
    pub agent: String,
    /// Session files under its roots.
    pub files: u64,
    pub discovered: u64,
    pub archived: u64,
    pub ran: u64,
    pub failed: u64,
}

/// What was done in one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ProjectReport {
    pub project: Utf8PathBuf,
    pub ran: u64,
    pub failed: u64,
    pub counts: Counts,
}

/// Something that could not be read or kept. The rest was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub agent: String,
    pub path: Utf8PathBuf,
    pub message: String,
}

/// A job that is not tried again by itself.
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

impl WaitingProject {
    pub(crate) fn new(project: Option<Utf8PathBuf>, sessions: u64) -> Self {
        let exists = project.as_ref().is_some_and(|place| place.is_dir());
        Self {
            project,
            sessions,
            exists,
        }
    }

    /// Reports whether the folder is still there, or still missing.
    pub(crate) fn is_as_it_was(&self) -> bool {
        let place = self.project.as_ref();
        place.is_none_or(|place| place.is_dir() == self.exists)
    }
}

impl SyncReport {
    /// Without the agents that nothing is to be said about.
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

    /// The line of an agent.
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

    /// Takes a run into the sums.
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
        self.problems.push(Problem {
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
