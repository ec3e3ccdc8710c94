//! `acreta worker`: learns from the sessions of all machines that share the state, and pushes memory to a branch of each
//! project's remote. A worker has clones and a machine id of its own, and touches no user's checkout.

#[cfg(feature = "team")]
mod checkouts;
#[cfg(feature = "team")]
mod rounds;

use acreta_sync::RunLine;
use serde::Serialize;

use crate::{Context, Failure};

/// Which jobs a worker does, and for how long.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// Only projects whose remote is or ends with one of these; all if empty.
    pub projects: Vec<String>,
    /// Number of jobs that are done at once.
    pub slots: usize,
    pub until: WorkUntil,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorkUntil {
    /// Until it is interrupted.
    #[default]
    Stopped,
    /// Until no job is left.
    Idle,
    /// One job, if there is one.
    OneJob,
}

/// What a worker has done.
#[derive(Debug, Default, Serialize)]
pub struct WorkSummary {
    /// Jobs that were completed.
    pub completed: u64,
    /// Jobs that failed, or were put back because something outside did not answer.
    pub not_completed: u64,
    pub interrupted: bool,
}

/// Receives what a worker does, while it does it.
pub trait WorkObserver: acreta_sync::Watcher {
    fn finished(&self, _run: &RunLine) {}
    /// Something outside fails; the worker tries again.
    fn waiting(&self, _reason: &str) {}
}

/// Works until there is a reason to stop.
#[cfg(feature = "team")]
pub fn work(
    request: &Work,
    context: &Context,
    observer: &dyn WorkObserver,
) -> Result<WorkSummary, Failure> {
    rounds::work(request, context, observer)
}

#[cfg(not(feature = "team"))]
pub fn work(
    _request: &Work,
    _context: &Context,
    _observer: &dyn WorkObserver,
) -> Result<WorkSummary, Failure> {
    let message = "this acreta was built without the feature `team`, which has the worker";
    Err(Failure::new(crate::Kind::Failure, message)
        .hint("build it with `cargo build --release -p acreta --features team`"))
}
