//! The job queue: `queue list|show|retry|skip|cancel` and the dashboard.

use acreta_state::{Catalog, JobFilter, Lookup};
pub use acreta_state::{Job, TaskState};
use serde::Serialize;

use crate::process::clock::now_ms;
use crate::{Context, Failure, Kind, learn::readings, projects::scopes};

/// One job of the queue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobRow {
    pub id: String,
    pub state: &'static str,
    /// Failed permanently (dead letter): not retried automatically.
    pub dead: bool,
    pub attempt: u32,
    pub agent: String,
    pub session: String,
    pub project: String,
    pub mode: String,
    pub not_before_ms: u64,
    pub created_ms: u64,
    pub started_ms: Option<u64>,
    pub finished_ms: Option<u64>,
    pub run_id: Option<String>,
    pub cause: Option<String>,
}

/// The queue, and sessions that wait for a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
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
pub fn list(state: Option<&str>, context: &Context) -> Result<Queue, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let states = match state {
        Some(name) => vec![name.parse()?],
        None => vec![TaskState::Running, TaskState::Queued, TaskState::Failed],
    };
    let mut jobs = Vec::new();
    for state in states {
        jobs.extend(catalog.jobs(&JobFilter {
            state: Some(state),
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
            state: job.state.name(),
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
        Lookup::Missing => Err(Failure::saying(format!("no such job: `{prefix}`"))
            .hint("`acreta queue list` shows them")),
        Lookup::Ambiguous(jobs) => {
            let ids: Vec<&str> = jobs.iter().map(|job| job.id.as_str()).collect();
            let message = format!("`{prefix}` matches several jobs: {}", ids.join(", "));
            Err(Failure::new(Kind::Usage, message))
        }
    }
}
