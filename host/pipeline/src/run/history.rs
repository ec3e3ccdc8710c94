//! Knowledge of a session from earlier runs. It is read from the evidence of the session's summary and of the memories
//! it contributed to, so that it travels with the repository.

use std::sync::Arc;

use acreta_session_archive::TraceStats;
use acreta_store::{Contribution, Memory};
use acreta_types::{MemoryType, Session};

use crate::decide::contributor::Contributor;
use crate::memory::planned::contributions_of;

/// Returns a message if memory already contains a later state of this session.
pub(crate) fn taken_later(
    memories: &[Arc<Memory>],
    session: &Session,
    stats: &TraceStats,
) -> Option<String> {
    let taken = memories
        .iter()
        .filter(|memory| memory.memory_type == MemoryType::Summary || !memory.is_archived())
        .flat_map(|memory| contributions_of(memory))
        .filter(|one| one.agent == session.agent && one.session_id == session.id)
        .max_by_key(|one| (one.last_ms, one.events))?;
    ((taken.last_ms, taken.events) > (stats.last_ms, stats.events)).then(|| {
        format!(
            "memory has a later state of this session with {} events (this one has {}): memory stays as it is",
            taken.events, stats.events
        )
    })
}

pub(crate) fn own_summaries<'a>(
    memories: &'a [Arc<Memory>],
    contributor: &'a Contributor,
) -> impl Iterator<Item = &'a Arc<Memory>> {
    memories
        .iter()
        .filter(|memory| memory.memory_type == MemoryType::Summary)
        .filter(|memory| {
            memory
                .evidence
                .iter()
                .flat_map(|evidence| &evidence.contributions)
                .any(|one| contributor.made(one))
        })
}

/// Returns when a session was first read, as far as memory records it.
pub(crate) fn first_read(memories: &[Arc<Memory>], session: &Session) -> Option<u64> {
    memories
        .iter()
        .flat_map(|memory| contributions_of(memory))
        .filter(|one| one.agent == session.agent && one.session_id == session.id)
        .map(|one| one.created_ms)
        .min()
}

/// Returns the contribution of a summary, if its session was read in this state with the same result.
pub(crate) fn same_state<'a>(
    summary: &'a Memory,
    fresh: &Contribution,
) -> Option<&'a Contribution> {
    contributions_of(summary).iter().find(|known| {
        let fresh = Contribution {
            run_id: known.run_id.clone(),
            ..fresh.clone()
        };
        **known == fresh
    })
}

/// Returns the current memories for these ids, sorted: a memory that was archived as a duplicate is replaced by its
/// successor.
pub(crate) fn in_use(ids: &[String], memories: &[Arc<Memory>]) -> Vec<String> {
    let successor = |id: &str| {
        let memory = memories.iter().find(|memory| memory.id == id)?;
        let state = memory.state.as_ref().filter(|_| memory.is_archived())?;
        state.superseded_by.clone()
    };
    let mut found: Vec<String> = ids
        .iter()
        .map(|id| {
            let mut id = id.clone();
            // A chain has at most as many links as there are memories.
            for _ in 0..memories.len() {
                match successor(&id) {
                    Some(next) => id = next,
                    None => break,
                }
            }
            id
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Reports whether a session contributed to memory besides its summary.
pub(crate) fn has_contributed(memories: &[Arc<Memory>], contributor: &Contributor) -> bool {
    memories
        .iter()
        .filter(|memory| memory.memory_type != MemoryType::Summary && !memory.is_archived())
        .any(|memory| {
            let mut contributions = contributions_of(memory).iter();
            contributions.any(|one| contributor.made(one))
        })
}
