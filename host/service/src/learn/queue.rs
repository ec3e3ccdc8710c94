//! The job queue: `queue list|show|retry|skip|cancel` and the dashboard.

pub use acreta_state::TaskState;
use acreta_state::{Catalog, Job, JobFilter, Lookup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;
use crate::{Context, Failure, Kind, learn::readings, projects::scopes};

/// The jobs to list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueRequest {
    /// Default: all that are not done.
    pub state: Option<TaskState>,
    /// Maximum number of jobs in each state.
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: u64,
}

fn page_size() -> u64 {
    1_000
}

/// One job of the queue.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "QueueJob")]
pub struct JobRow {
    pub id: String,
    pub state: TaskState,
    /// Failed permanently (dead letter): not retried automatically.
    pub dead: bool,
    /// Number of attempts, including the running one.
    pub attempt: u32,
    pub agent: String,
    pub session: String,
    pub project: String,
    /// Reason why it was enqueued: `sync`, `hot`, `cold`.
    pub mode: String,
    /// Earliest time of the next attempt; 0 for any time.
    pub not_before_ms: u64,
    pub created_ms: u64,
    pub started_ms: Option<u64>,
    pub finished_ms: Option<u64>,
    /// Its last run.
    pub run_id: Option<String>,
    /// Reason why the last attempt failed, or why the job was cancelled.
    pub cause: Option<String>,
}

/// The queue, and sessions that wait for a model.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Queue {
    /// In the order in which they are claimed.
    pub jobs: Vec<JobRow>,
    /// One line for each reason to wait for a model.
    pub waiting: Vec<String>,
}

/// A person's change to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobChange {
    Retry,
    /// Not tried again until its session changes.
    Skip,
    Cancel,
}

/// Lists the jobs of a state, or all that are not done.
pub fn list(request: &QueueRequest, context: &Context) -> Result<Queue, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let states = match request.state {
        Some(state) => vec![state],
        None => vec![TaskState::Running, TaskState::Queued, TaskState::Failed],
    };
    let mut jobs = Vec::new();
    for state in states {
        jobs.extend(catalog.jobs(&JobFilter {
            state: Some(state),
            limit: Some(request.limit),
            ..JobFilter::default()
        })?);
    }
    Ok(Queue {
        jobs: jobs.into_iter().map(JobRow::from).collect(),
        waiting: readings::waiting(&catalog.waiting_readings()?, now_ms()),
    })
}

/// Shows one job, by id or unique prefix.
pub fn show(id: &str, context: &Context) -> Result<JobRow, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let job = find(&catalog, id)?;
    catalog.mark_job_shown(&job.id)?;
    Ok(job.into())
}

/// Changes one job, by id or unique prefix.
pub fn change(id: &str, change: JobChange, context: &Context) -> Result<JobRow, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let id = find(&catalog, id)?.id;
    let job = match change {
        JobChange::Retry => catalog.retry(&id)?,
        JobChange::Skip => catalog.skip(&id, now_ms())?,
        JobChange::Cancel => catalog.cancel(&id, now_ms())?,
    };
    Ok(job.into())
}

impl From<Job> for JobRow {
    fn from(job: Job) -> Self {
        Self {
            id: job.id,
            state: job.state,
            dead: job.dead,
            attempt: job.attempt,
            agent: job.session.agent,
            session: job.session.id,
            project: job.project_root.into_string(),
            mode: job.mode,
            not_before_ms: job.not_before_ms,
            created_ms: job.created_ms,
            started_ms: job.started_ms,
            finished_ms: job.finished_ms,
            run_id: job.run_id,
            cause: job.cause,
        }
    }
}

fn find(catalog: &Catalog, prefix: &str) -> Result<Job, Failure> {
    match catalog.job(prefix)? {
        Lookup::One(job) => Ok(job),
        Lookup::Missing => Err(
            Failure::new(Kind::Missing, format!("no such job: `{prefix}`"))
                .hint("`acreta queue list` shows them"),
        ),
        Lookup::Ambiguous(jobs) => {
            let ids: Vec<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
            let message = format!("`{prefix}` matches several jobs: {}", ids.join(", "));
            Err(Failure::new(Kind::Usage, message))
        }
    }
}
