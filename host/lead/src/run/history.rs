//! What memory knows of a session from earlier runs. It is in the evidence of the session's summary and
//! of the memories it contributed to, so that it travels with the repository.

use std::sync::Arc;

use acreta_model::{MemoryType, Session};
use acreta_sessions::TraceStats;
use acreta_store::Memory;

use crate::decide::plan::Contributor;
use crate::memory::planned::contributions_of;

/// Says so when a state of this session after the present one is in memory already.
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
            "an older state of a session that was taken with {} events (this one has {}): memory stays as it is",
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
