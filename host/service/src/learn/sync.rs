//! Synchronises: finds sessions, archives them, learns from those that changed. Used by `sync`, and by the job that the
//! daemon and the hooks start.

mod turn;

use std::collections::BTreeSet;

use acreta_sync::Selection;
pub use acreta_sync::{LearntLine, RunLine, Stage, SyncReport, Watcher};

use acreta_types::Session;
use camino::Utf8Path;
use serde::Serialize;

use crate::learn::one_file::{Learn, Total, estimate_with, estimates, sessions_in};
use crate::models::choice::NoProgress;
use crate::overview::status::Spending;
use crate::process::clock::{moment, now_ms, window};
use crate::{
    Context, Failure, LazySyncEnvironment, learn::sync_options, models::opened, projects::scopes,
    remember::agent_memories, review, sessions,
};

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
    let options = sync_options::sync_options(context, selection(request)?)?;
    let workshop = LazySyncEnvironment::new(context)?;
    let mut report = acreta_sync::sync(&options, &workshop, watcher)?;
    if context.config.boolean("sync.agent_memories") && !report.dry_run && !report.interrupted {
        report.agent_memories = Some(agent_memories::follow(context)?);
    }
    sessions::forget::forget_asked(&report, context)?;
    if report.archived > 0 && !report.dry_run && !report.interrupted {
        sessions::index::follow(context);
    }
    if report.ran > 0 || report.agent_memories.is_some_and(|changed| changed > 0) {
        // Refreshes the counts for the next session start; an error is ignored.
        if let Err(error) = review::waiting(context) {
            tracing::debug!(%error, "the waiting review items could not be counted");
        }
    }
    Ok(Some(report))
}

/// What models would be asked by a sync.
#[derive(Debug, Default, Serialize)]
pub struct SyncEstimate {
    pub sessions: u64,
    /// Sessions that could not be read.
    pub failed: u64,
    #[serde(flatten)]
    pub total: Total,
    /// Used today, with the limits of a day.
    pub spending: Spending,
}

/// Estimates the model calls of a sync, by dry runs with models that only count. `told` receives how many of how many
/// files are done.
pub fn estimate(
    request: &Sync,
    context: &Context,
    watcher: &dyn Watcher,
    told: &dyn Fn(usize, usize),
) -> Result<SyncEstimate, Failure> {
    let mut estimate = SyncEstimate {
        spending: opened::spending(&context.config, context)?,
        ..SyncEstimate::default()
    };
    let Some(counting) = estimates(context)? else {
        return Ok(estimate);
    };
    let request = Sync {
        dry_run: true,
        ..request.clone()
    };
    let unread = sync(&request, context, watcher)?.map(|report| report.unread);
    let unread = unread.unwrap_or_default();
    let mut roots = scopes::registered_projects(context)?;
    roots.push(context.project.clone());
    let is_learnt = |session: &Session| {
        let folder = session.project_dir.as_ref().map(Utf8Path::new);
        folder.is_some_and(|folder| roots.iter().any(|root| folder.starts_with(root)))
    };
    let mut seen = BTreeSet::new();
    for (number, (file, known)) in unread.iter().enumerate() {
        told(number, unread.len());
        let ids = match known {
            Some(id) => vec![id.clone()],
            None => {
                let sessions = sessions_in(file, None, context).unwrap_or_default();
                let learnt = sessions.into_iter().filter(is_learnt);
                learnt.map(|session| session.id).collect()
            }
        };
        for id in ids {
            if !seen.insert((file, id.clone())) {
                continue;
            }
            let one = Learn {
                trace: file.clone(),
                session: Some(id),
                ..Learn::default()
            };
            match estimate_with(&counting, &one, context, &NoProgress) {
                Ok(total) => {
                    estimate.sessions += 1;
                    estimate.total = total;
                }
                Err(_) => estimate.failed += 1,
            }
        }
    }
    Ok(estimate)
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
