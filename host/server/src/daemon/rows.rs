//! Converts acreta's own types to rows of the API.

use std::collections::BTreeMap;

use crate::api::{MemoryRow, RunRow};
use acreta_pipeline::{Seen, effective_confidence_of};
use acreta_state::{Access, Run};
use acreta_store::Memory;

/// Accesses of memories on this machine, which slow down fading.
pub(crate) type Accesses = BTreeMap<String, Access>;

/// Returns the effective confidence of a memory.
pub(crate) fn confidence(memory: &Memory, accesses: &Accesses, now_ms: u64) -> f64 {
    let seen = accesses.get(&memory.id).map(|access| Seen {
        last_access_ms: access.last_ms,
        first_seen_ms: access.first_seen_ms,
    });
    effective_confidence_of(memory, seen.as_ref(), now_ms)
}

/// Returns the row of a memory; `effective` is its effective confidence.
pub(crate) fn memory(memory: &Memory, scope: &str, effective: f64) -> MemoryRow {
    let front_matter = &memory.front_matter;
    let state = memory.state.as_ref();
    let source = front_matter.source.clone();
    MemoryRow {
        id: memory.id.clone(),
        scope: scope.to_owned(),
        memory_type: memory.memory_type,
        kind: memory.kind().to_owned(),
        title: memory.title().to_owned(),
        tags: front_matter.tags.clone(),
        trust: memory.trust(),
        status: memory.status(),
        stale: state.is_some_and(|state| state.stale),
        confidence: f64::from(front_matter.confidence.unwrap_or(0.5)),
        effective_confidence: effective,
        created: day(front_matter.created.as_deref()),
        updated: day(front_matter.updated.as_deref()),
        source: source
            .or_else(|| front_matter.coding_agent.clone())
            .unwrap_or_default(),
        path: memory.path.to_string(),
        open_proposals: state.map_or(0, |state| state.proposals.len() as u64),
    }
}

/// Returns the day of a time in front matter.
pub(crate) fn day(time: Option<&str>) -> String {
    let time = time.unwrap_or_default();
    time.get(..10).unwrap_or(time).to_owned()
}

pub(crate) fn run(run: &Run) -> RunRow {
    let session = run.session.as_ref();
    RunRow {
        run_id: run.run_id.clone(),
        mode: run.mode.clone(),
        project: run.project_root.to_string(),
        agent: session.map(|session| session.agent.clone()),
        session_id: session.map(|session| session.id.clone()),
        state: run.state,
        started_ms: run.started_ms,
        finished_ms: run.finished_ms,
        counts: match &run.counts {
            Some(serde_json::Value::Object(counts)) => counts.clone(),
            _ => serde_json::Map::new(),
        },
        error: run.error.clone(),
    }
}
