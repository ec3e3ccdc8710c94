//! Progress of one run: recorded for its job, and asked whether the job may go on.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use acreta_pipeline::{Progress, TodoState};
use acreta_state::{Catalog, Lease};
use camino::Utf8Path;
use tracing::Span;

use super::DrainState;

/// Observes one run on behalf of its job.
pub(super) struct RunWatch<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) lease: &'a Lease,
    pub(super) shared: &'a DrainState<'a>,
    pub(super) stop: &'a AtomicBool,
    pub(super) span: &'a Span,
    pub(super) run_id: RefCell<Option<String>>,
}

impl RunWatch<'_> {
    /// Returns true if a person cancelled the job. An unreachable catalog does not cancel it.
    fn is_unwanted(&self) -> bool {
        self.catalog.is_cancelled(self.lease).unwrap_or(false)
    }
}

impl Progress for RunWatch<'_> {
    fn started(&self, run_id: &str, run_folder: &Utf8Path) {
        *self.run_id.borrow_mut() = Some(run_id.to_owned());
        self.span.record("run_id", run_id);
        let now = self.shared.workshop.now_ms();
        let begun = self
            .catalog
            .begin_leased_run(self.lease, run_id, run_folder, now);
        if let Err(error) = begun {
            tracing::debug!(%error, "run not recorded");
        }
    }

    fn step(&self, step: &'static str, state: TodoState) {
        let watcher = self.shared.watcher;
        watcher.step(&self.lease.session.id, step, state);
        watcher.fault_point(match state {
            TodoState::InProgress => "step-begun",
            _ => "step-done",
        });
    }

    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.shared.watcher.is_interrupted()
            || self.is_unwanted()
    }

    fn may_commit(&self) -> bool {
        self.catalog.check(self.lease).unwrap_or(false) && !self.is_unwanted()
    }
}
