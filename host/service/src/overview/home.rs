//! The home page for a person who returns: what was learnt meanwhile, what needs them, which sessions their agents are
//! about to delete, and what models spent today. Everything is about the projects of the context except spending, whose
//! limits are for the machine unless machines share the state. The review counts take longer and are a separate call (`status`).

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_llm::{Purpose, Spending};
use acreta_state::{Catalog, JobFilter, KnownSession, RunFilter, SessionFilter, TaskState};
use acreta_store::{Memory, Snapshot};
use acreta_types::{MemoryType, Status, Trust};
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::find::pages::rank;
use crate::process::clock::now_ms;
use crate::projects::scopes::{self, MemoryScope};
use crate::sessions::{self, Titles};
use crate::{
    Context, Failure, connect::permissions, learn::readings, learn::reports, models::opened,
};

/// Number of runs whose reports are read, the newest.
const RUNS: u64 = 100;

/// Maximum number of learnt memories that are shown.
const LEARNT: usize = 12;

/// Maximum number of sessions shown that are about to be deleted.
const LEAVING: usize = 8;

const DAY_MS: u64 = 86_400_000;

/// Time ahead for which deletions are reported.
const AHEAD_MS: u64 = 7 * DAY_MS;

/// Time that a first visit looks back.
const FIRST_VISIT_MS: u64 = 7 * DAY_MS;

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Home {
    pub learnt: Learnt,
    /// Number of jobs that failed permanently.
    pub dead_letters: u64,
    /// Reasons why sessions wait for a model, one sentence each.
    pub waiting_for_model: Vec<String>,
    pub leaving: Leaving,
    /// Absent if no model is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spend: Option<Spending>,
    pub memories: HomeCounts,
}

/// Memories that runs added or changed since a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Learnt {
    pub since_ms: u64,
    /// Number of new or changed memories, without summaries.
    pub total: u64,
    /// Number of summaries of sessions.
    pub summaries: u64,
    /// Number of sessions that were read.
    pub sessions: u64,
    /// Decisions, conventions and pitfalls first.
    pub memories: Vec<LearntMemory>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LearntMemory {
    pub id: String,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub trust: Trust,
    /// The memory existed before, and its text has changed.
    pub changed: bool,
    pub at_ms: u64,
}

/// Sessions that their agents delete within a week.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Leaving {
    pub total: u64,
    /// Number of sessions that are not archived yet: the next sync archives them.
    pub not_archived: u64,
    /// Next to be deleted first.
    pub sessions: Vec<LeavingSession>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeavingSession {
    pub agent: String,
    pub id: String,
    /// As its agent or its summary says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Path of its project, or of the folder that it recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Time of its last change.
    pub updated_ms: u64,
    /// Time from which its agent deletes it.
    pub at_ms: u64,
    pub archived: bool,
}

/// The time from which the home page tells.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HomeRequest {
    /// Time of the last visit, in milliseconds. Default: a week ago.
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub since: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HomeCounts {
    /// Number of active memories, including summaries.
    pub active: u64,
    pub decisions: u64,
    pub learnings: u64,
    pub summaries: u64,
    pub confirmed: u64,
    /// Number of memories that name something that no longer exists.
    pub stale: u64,
}

/// Returns what happened in the current project, or in all, since a visit; since a week ago if none is known.
pub fn home(request: &HomeRequest, context: &Context) -> Result<Home, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let scopes = match context.all_projects {
        true => scopes::browsed(context)?,
        false => vec![MemoryScope::project(context)],
    };
    let mut memories: ScopedSnapshots = Vec::new();
    for scope in scopes {
        let snapshot = scope.lately(context)?;
        memories.push((scope.name, snapshot));
    }
    let now = now_ms();
    let since_ms = request.since.unwrap_or(now.saturating_sub(FIRST_VISIT_MS));
    let spending = opened::spending(&context.config, context)?;
    let is_asked = opened::is_configured(&context.config, Purpose::Extract) || spending.calls > 0;
    Ok(Home {
        learnt: learnt(since_ms, &memories, &catalog, context)?,
        dead_letters: dead_letters(&catalog, context)?,
        waiting_for_model: readings::waiting(&catalog.waiting_readings()?, now),
        leaving: leaving(now, &catalog, context)?,
        spend: is_asked.then_some(spending),
        memories: counts(&memories),
    })
}

/// Snapshots with the names of their scopes.
type ScopedSnapshots = Vec<(String, Arc<Snapshot>)>;

/// Returns the project that everything is about; `None` if all are.
fn only_project(context: &Context) -> Option<Utf8PathBuf> {
    (!context.all_projects).then(|| context.project.clone())
}

fn dead_letters(catalog: &Catalog, context: &Context) -> Result<u64, Failure> {
    let failed = catalog.jobs(&JobFilter {
        state: Some(TaskState::Failed),
        ..JobFilter::default()
    })?;
    let own = failed.iter();
    let own =
        own.filter(|job| job.dead && (context.all_projects || job.project_root == context.project));
    Ok(own.count() as u64)
}

/// Uses the reports of runs: the times in memory files are those of the evidence, which may be years old.
fn learnt(
    since_ms: u64,
    memories: &ScopedSnapshots,
    catalog: &Catalog,
    context: &Context,
) -> Result<Learnt, Failure> {
    let runs = catalog.runs(&RunFilter {
        project_root: only_project(context),
        since_ms: Some(since_ms),
        limit: Some(RUNS),
        ..RunFilter::default()
    })?;
    let mut touched: BTreeMap<String, (u64, bool)> = BTreeMap::new();
    let mut sessions = Vec::new();
    for run in &runs {
        sessions.extend(run.session.as_ref().map(|session| session.to_string()));
        let report = reports::report(run).unwrap_or_default();
        let at_ms = run.finished_ms.unwrap_or(run.started_ms);
        for action in report["actions"].as_array().into_iter().flatten() {
            let is_new = match action["action"].as_str() {
                Some("add") => true,
                Some("update") => false,
                _ => continue,
            };
            if let Some(id) = action["memory_id"].as_str() {
                let known = touched.entry(id.to_owned()).or_insert((at_ms, is_new));
                // A memory that was added and changed since then is new.
                known.1 |= is_new;
            }
        }
    }
    sessions.sort();
    sessions.dedup();
    let mut found: Vec<(&str, &Memory, u64, bool)> = active(memories)
        .filter_map(|(scope, memory)| {
            let (at_ms, is_new) = touched.get(&memory.id)?;
            Some((scope, memory, *at_ms, *is_new))
        })
        .collect();
    let of_all = found.len();
    found.retain(|(_, memory, _, _)| memory.memory_type != MemoryType::Summary);
    found.sort_by_key(|(_, memory, at_ms, _)| (rank(memory), Reverse(*at_ms)));
    Ok(Learnt {
        since_ms,
        total: found.len() as u64,
        summaries: (of_all - found.len()) as u64,
        sessions: sessions.len() as u64,
        memories: found
            .into_iter()
            .take(LEARNT)
            .map(|(scope, memory, at_ms, is_new)| LearntMemory {
                id: memory.id.clone(),
                scope: scope.to_owned(),
                memory_type: memory.memory_type,
                kind: memory.kind().to_owned(),
                title: memory.title().to_owned(),
                trust: memory.trust(),
                changed: !is_new,
                at_ms,
            })
            .collect(),
    })
}

fn leaving(now_ms: u64, catalog: &Catalog, context: &Context) -> Result<Leaving, Failure> {
    let own = match only_project(context) {
        Some(project) => match catalog.project_at(&project)? {
            Some(project) => Some(project.id),
            None => return Ok(Leaving::default()),
        },
        None => None,
    };
    let known = catalog.sessions(&SessionFilter {
        project: own,
        here: true,
        ..SessionFilter::default()
    })?;
    // Asking adapters for their folders may compile them; a sync that found sessions has done so before.
    if known.iter().all(|known| known.gone_ms.is_some()) {
        return Ok(Leaving::default());
    }
    let mut leaving: Vec<(&KnownSession, u64)> = Vec::new();
    for root in permissions::roots(context)? {
        let Some(days) = root.asked.deletes_after_days else {
            continue;
        };
        let kept_ms = days.saturating_mul(DAY_MS);
        let of_root = known.iter().filter(|known| {
            known.session.agent == root.asked.agent
                && known.root == root.asked.wanted.name
                && known.gone_ms.is_none()
        });
        leaving.extend(of_root.filter_map(|known| {
            let at_ms = known.session.updated_ms?.saturating_add(kept_ms);
            (at_ms <= now_ms.saturating_add(AHEAD_MS)).then_some((known, at_ms))
        }));
    }
    leaving.sort_by_key(|(known, at_ms)| (known.archive.is_some(), *at_ms));
    let (total, roots) = (leaving.len() as u64, sessions::roots(context)?);
    let not_archived = leaving.iter().filter(|(known, _)| known.archive.is_none());
    let not_archived = not_archived.count() as u64;
    let mut titles = Titles::new(context);
    let shown = leaving.into_iter().take(LEAVING).map(|(known, at_ms)| {
        let row = titles.complete(sessions::row(known, &roots))?;
        Ok(LeavingSession {
            agent: row.agent,
            id: row.id,
            title: row.title,
            project: row.project,
            updated_ms: row.updated_ms.unwrap_or(known.first_seen_ms),
            at_ms,
            archived: known.archive.is_some(),
        })
    });
    Ok(Leaving {
        total,
        not_archived,
        sessions: shown.collect::<Result<_, Failure>>()?,
    })
}

/// Returns active memories with the names of their scopes.
fn active(memories: &ScopedSnapshots) -> impl Iterator<Item = (&str, &Memory)> {
    let all = memories.iter().flat_map(|(scope, snapshot)| {
        let memories = snapshot.iter();
        memories.map(move |memory| (scope.as_str(), memory))
    });
    all.filter(|(_, memory)| memory.status() == Status::Active)
}

fn counts(memories: &ScopedSnapshots) -> HomeCounts {
    let mut counts = HomeCounts::default();
    for (_, memory) in active(memories) {
        counts.active += 1;
        match memory.memory_type {
            MemoryType::Decision => counts.decisions += 1,
            MemoryType::Learning => counts.learnings += 1,
            MemoryType::Summary => counts.summaries += 1,
        }
        counts.confirmed += u64::from(memory.trust() == Trust::Confirmed);
        counts.stale += u64::from(memory.state.as_ref().is_some_and(|state| state.stale));
    }
    counts
}
