//! Learns from the queued sessions of all machines, and again from those that waited for a model, into checkouts of the projects' remotes. What a worker learnt is
//! pushed before its job is completed, so that a worker that dies in between loses nothing: the job is done again, and
//! changes nothing.

use acreta_state::{
    Catalog, CatalogOptions, ClaimFilter, JobFilter, RereadFilter, TaskState, TeamProject,
};

use crate::checkouts::Checkouts;
use crate::drain::{self, DrainPlan};
use crate::error::SyncError;
use crate::find::DiskState;
use crate::options::SyncOptions;
use crate::report::SyncReport;
use crate::workshop::{Scope, SyncEnvironment, Watcher};

/// Which jobs a worker does.
#[derive(Debug, Clone, Default)]
pub struct WorkRequest {
    /// Only projects whose remote is or ends with one of these; all if empty.
    pub projects: Vec<String>,
    /// Number of jobs that are done at once.
    pub slots: usize,
    /// Maximum number of jobs; `None` for all that wait.
    pub most_jobs: Option<u64>,
}

/// Result of one round of work.
#[derive(Debug, Default)]
pub struct WorkReport {
    /// The runs; its other fields are empty.
    pub report: SyncReport,
    /// Number of jobs of the selected projects that are left, queued or running.
    pub left: u64,
}

/// Does the jobs that may run now, until none is left.
pub fn work(
    options: &SyncOptions,
    workshop: &dyn SyncEnvironment,
    watcher: &dyn Watcher,
    checkouts: &dyn Checkouts,
    request: &WorkRequest,
) -> Result<WorkReport, SyncError> {
    let catalog = Catalog::open_at(&options.state, CatalogOptions::default())?;
    let projects = selected(&catalog, request)?;
    let mut result = WorkReport::default();
    if projects.is_empty() {
        return Ok(result);
    }
    let ids: Vec<_> = projects.iter().map(|project| project.id).collect();
    let plan = DrainPlan {
        rereads: workshop.has_model(&Scope::Global).then(|| RereadFilter {
            projects: ids.clone(),
            ..RereadFilter::default()
        }),
        filter: ClaimFilter {
            projects: Some(ids),
            ..ClaimFilter::default()
        },
        threads: request.slots.max(1),
        most_jobs: request.most_jobs.unwrap_or(u64::MAX),
        remotes: projects,
        checkouts: Some(checkouts),
    };
    let found = DiskState::default();
    drain::drain_plan(options, workshop, watcher, &found, plan, &mut result.report)?;
    let projects = selected(&catalog, request)?;
    for state in [TaskState::Queued, TaskState::Running] {
        let jobs = catalog.jobs(&JobFilter {
            state: Some(state),
            ..JobFilter::default()
        })?;
        let ours = jobs
            .iter()
            .filter(|job| projects.iter().any(|project| project.id == job.project));
        result.left += ours.count() as u64;
    }
    Ok(result)
}

fn selected(catalog: &Catalog, request: &WorkRequest) -> Result<Vec<TeamProject>, SyncError> {
    let mut projects = catalog.team_projects()?;
    projects.retain(|project| {
        let is_named = |name: &String| {
            let rest = project.remote.strip_suffix(name.trim_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        request.projects.is_empty() || request.projects.iter().any(is_named)
    });
    Ok(projects)
}
