//! A job in a checkout of the project's remote: learnt there, and pushed before it is completed.

use acreta_pipeline::{Progress, RunReport};
use acreta_state::{Catalog, CatalogError, KnownSession, Lease, Retry};
use acreta_types::with_causes;

use super::watch::RunWatch;
use super::{DrainState, JobNotDone};
use crate::checkouts::{CheckoutError, Checkouts, MemoryCheckout, PublishOutcome};
use crate::source::OpenedSession;
use crate::workshop::Scope;

/// Number of times a session is learnt from while others publish.
const PUBLISH_ATTEMPTS: u32 = 5;

/// A job that is done in a checkout of the worker.
pub(super) struct CheckoutJob<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) lease: &'a Lease,
    pub(super) watch: &'a RunWatch<'a>,
    pub(super) known: &'a KnownSession,
}

impl DrainState<'_> {
    /// Learns in a checkout of the project's remote and publishes it; begins anew if somebody else published meanwhile.
    pub(super) fn learn_and_publish(
        &self,
        job: &CheckoutJob<'_>,
        opened: &OpenedSession,
        checkouts: &dyn Checkouts,
    ) -> Result<(RunReport, Option<Box<dyn MemoryCheckout>>), JobNotDone> {
        let CheckoutJob { catalog, lease, .. } = *job;
        let later = |error: &CatalogError| JobNotDone::Failed {
            message: with_causes(error),
            retry: Retry::Later,
        };
        let not_done = |error: CheckoutError| match error.is_temporary {
            true => JobNotDone::Postponed {
                message: error.message,
            },
            false => JobNotDone::Failed {
                message: error.message,
                retry: Retry::Later,
            },
        };
        let mut remotes = self.remotes.iter();
        let Some(project) = remotes.find(|project| project.id == lease.project) else {
            return Err(JobNotDone::Busy);
        };
        for _ in 0..PUBLISH_ATTEMPTS {
            let mut checkout = checkouts.checkout(&project.remote).map_err(not_done)?;
            self.watcher.fault_point("checked-out");
            let root = checkout.path().to_owned();
            let registered = catalog.project_at(&root).map_err(|error| later(&error))?;
            if !registered.is_some_and(|known| known.registered && known.id == project.id) {
                let now = self.workshop.now_ms();
                let put = catalog.register(&root, &project.identity(), now);
                put.map_err(|error| later(&error))?;
            }
            let name = project.name();
            let scope = Scope::Project(root);
            let report = self.learn(opened, job.known, &scope, Some(name), job.watch)?;
            if let Some(message) = unrecorded(&report) {
                return Err(JobNotDone::Postponed { message });
            }
            self.watcher.fault_point("learnt");
            // Git cannot compare tokens, so this is the last moment to notice that the lease is lost. A push that comes
            // too late all the same repeats what the next holder of the job learns.
            if !job.watch.may_commit() {
                return Err(JobNotDone::Cancelled);
            }
            let (agent, id) = (&lease.session.agent, &lease.session.id);
            let message = format!("Learn from {agent} session {id}");
            let now = self.workshop.now_ms();
            match checkout.publish(&message, now).map_err(not_done)? {
                PublishOutcome::Published => {
                    self.watcher.fault_point("pushed");
                    return Ok((report, Some(checkout)));
                }
                PublishOutcome::Moved => tracing::debug!("the branch moved; learning again"),
            }
        }
        Err(JobNotDone::Postponed {
            message: format!(
                "the branch of `{}` moved in each of {PUBLISH_ATTEMPTS} attempts",
                project.remote
            ),
        })
    }
}

/// Returns why no model was asked if its spending could not be recorded. The same reading may be complete in a moment, so
/// this one is not published.
fn unrecorded(report: &RunReport) -> Option<String> {
    let shortfall = report.reading.as_ref()?.shortfall.as_ref()?;
    shortfall.is_unrecorded().then(|| shortfall.reason.clone())
}
