//! Synchronising: find sessions, archive them, learn from those that changed. What `sync` does, and the job that the
//! daemon and the hooks start.

mod turn;

use acreta_sync::Selection;
pub use acreta_sync::{LearntLine, RunLine, Stage, SyncReport, Watcher};

use crate::clock::{moment, now_ms, window};
use crate::{Context, Failure, LazyWorkshop, agent_memories, review, settings};

pub(crate) use turn::Turns;

/// Which sessions to look at.
#[derive(Debug, Clone, Default)]
pub struct Sync {
    pub agent: Option<String>,
    /// A date, a time, or so long ago.
    pub since: Option<String>,
    pub until: Option<String>,
    /// A length of time before now; `since` takes precedence.
    pub window: Option<String>,
    pub max_sessions: Option<u64>,
    /// Sessions that did not change as well.
    pub force: bool,
    /// Reports what would be done, and changes nothing.
    pub dry_run: bool,
    /// Waits for a sync with the same aim; does nothing if another one waits already.
    pub in_turn: bool,
}

/// Returns `None` if another sync waits already and will do the same.
pub fn sync(
    request: &Sync,
    context: &Context,
    watcher: &dyn Watcher,
) -> Result<Option<SyncReport>, Failure> {
    let _turn = match request.in_turn {
        true => {
            let turns = Turns::new(context, request.agent.as_deref(), &context.project)?;
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
    if report.ran > 0 {
        // The next session starts with this count. A failure to count fails no sync.
        if let Err(error) = review::waiting(context) {
            tracing::debug!(%error, "what waits for review is not counted");
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
