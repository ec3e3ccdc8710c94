//! Synchronises: finds sessions, archives them, learns from those that changed. Used by `sync`, and by the job that the
//! daemon and the hooks start.

mod turn;

use acreta_sync::Selection;
pub use acreta_sync::{LearntLine, RunLine, Stage, SyncReport, Watcher};

use crate::clock::{moment, now_ms, window};
use crate::{Context, Failure, LazyWorkshop, agent_memories, review, settings};

pub(crate) use turn::SyncTurns;

/// Which sessions to process.
#[derive(Debug, Clone, Default)]
pub struct Sync {
    pub agent: Option<String>,
    /// A date, a time, or an age.
    pub since: Option<String>,
    pub until: Option<String>,
    /// A duration before now; `since` takes precedence.
    pub window: Option<String>,
    pub max_sessions: Option<u64>,
    /// Include sessions that did not change.
    pub force: bool,
    /// Report what would be done, and change nothing.
    pub dry_run: bool,
    /// Wait for a running sync of the same kind; do nothing if another one waits already.
    pub in_turn: bool,
}

/// Runs a sync. Returns `None` if another sync waits already and will do the same.
pub fn sync(
    request: &Sync,
    context: &Context,
    watcher: &dyn Watcher,
) -> Result<Option<SyncReport>, Failure> {
    let _turn = match request.in_turn {
        true => {
            let turns = SyncTurns::new(context, request.agent.as_deref(), &context.project)?;
            let Some(turn) = turns.take()? else {
                return Ok(None);
            };
            Some(turn)
        }
        false => None,
    };
    let options = settings::sync_options(context, selection(request)?)?;
    let workshop = LazyWorkshop::new(context)?;
    let mut report = acreta_sync::sync(&options, &workshop, watcher)?;
    if context.config.boolean("sync.agent_memories") && !report.dry_run && !report.interrupted {
        report.agent_memories = Some(agent_memories::follow(context)?);
    }
    if report.ran > 0 || report.agent_memories.is_some_and(|changed| changed > 0) {
        // Refreshes the counts for the next session start; an error is ignored.
        if let Err(error) = review::waiting(context) {
            tracing::debug!(%error, "the waiting review items could not be counted");
        }
    }
    Ok(Some(report))
}

fn selection(request: &Sync) -> Result<Selection, Failure> {
    let now = now_ms();
    let since = match (&request.since, &request.window) {
        (Some(since), _) => Some(moment(since, now)?),
        (None, Some(length)) => Some(now.saturating_sub(window(length)?)),
        (None, None) => None,
    };
    let until = request.until.as_ref();
    Ok(Selection {
        agent: request.agent.clone(),
        since_ms: since,
        until_ms: until.map(|until| moment(until, now)).transpose()?,
        max_sessions: request.max_sessions,
        force: request.force,
        dry_run: request.dry_run,
    })
}
