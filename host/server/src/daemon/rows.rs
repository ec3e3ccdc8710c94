//! From acreta's own types to the rows of the API.

use std::collections::BTreeMap;

use crate::api::{MemoryRow, RunRow, Status, TaskState, Trust};
use acreta_catalog::{Access, Run, TaskState as State};
use acreta_lead::{Seen, effective_confidence_of};
use acreta_store::Memory;

pub(crate) fn trust(trust: acreta_store::Trust) -> Trust {
    match trust {
        acreta_store::Trust::Untrusted => Trust::Untrusted,
        acreta_store::Trust::Grounded => Trust::Grounded,
        acreta_store::Trust::Reviewed => Trust::Reviewed,
        acreta_store::Trust::Confirmed => Trust::Confirmed,
    }
}

pub(crate) fn stored_trust(trust: Trust) -> acreta_store::Trust {
    match trust {
        Trust::Untrusted => acreta_store::Trust::Untrusted,
        Trust::Grounded => acreta_store::Trust::Grounded,
        Trust::Reviewed => acreta_store::Trust::Reviewed,
        Trust::Confirmed => acreta_store::Trust::Confirmed,
    }
}

pub(crate) fn stored_status(status: Status) -> acreta_search::EntryStatus {
    match status {
        Status::Active => acreta_search::EntryStatus::Active,
        Status::Superseded => acreta_search::EntryStatus::Superseded,
        Status::Archived => acreta_search::EntryStatus::Archived,
    }
}

pub(crate) fn entry_status(status: acreta_search::EntryStatus) -> Status {
    match status.name() {
        "active" => Status::Active,
        "superseded" => Status::Superseded,
        _ => Status::Archived,
    }
}

pub(crate) fn status(memory: &Memory) -> Status {
    match memory.state.as_ref().map(|state| state.status) {
        Some(acreta_store::Status::Superseded) => Status::Superseded,
        Some(acreta_store::Status::Archived) => Status::Archived,
        _ if memory.is_archived() => Status::Archived,
        _ => Status::Active,
    }
}

/// What accesses on this machine say about fading.
pub(crate) type Accesses = BTreeMap<String, Access>;

/// How sure a memory is by now.
pub(crate) fn confidence(memory: &Memory, accesses: &Accesses, now_ms: u64) -> f64 {
    let seen = accesses.get(&memory.id).map(|access| Seen {
        last_access_ms: access.last_ms,
        first_seen_ms: access.first_seen_ms,
    });
    effective_confidence_of(memory, seen.as_ref(), now_ms)
}

pub(crate) fn memory(memory: &Memory, scope: &str, accesses: &Accesses, now_ms: u64) -> MemoryRow {
    let front_matter = &memory.front_matter;
    let state = memory.state.as_ref();
    let source = front_matter.source.clone();
    MemoryRow {
        id: memory.id.clone(),
        scope: scope.to_owned(),
        memory_type: memory.memory_type.into(),
        kind: memory.kind().to_owned(),
        title: memory.title().to_owned(),
        tags: front_matter.tags.clone(),
        trust: trust(memory.trust()),
        status: status(memory),
        stale: state.is_some_and(|state| state.stale),
        confidence: f64::from(front_matter.confidence.unwrap_or(0.5)),
        effective_confidence: confidence(memory, accesses, now_ms),
        created: day(front_matter.created.as_deref()),
        updated: day(front_matter.updated.as_deref()),
        source: source
            .or_else(|| front_matter.coding_agent.clone())
            .unwrap_or_default(),
        path: memory.path.to_string(),
        open_proposals: state.map_or(0, |state| state.proposals.len() as u64),
    }
}

/// The day of a time in front matter.
pub(crate) fn day(time: Option<&str>) -> String {
    let time = time.unwrap_or_default();
    time.get(..10).unwrap_or(time).to_owned()
}

pub(crate) fn task_state(state: State) -> TaskState {
    match state {
        State::Accepted => TaskState::Accepted,
        State::Queued => TaskState::Queued,
        State::Running => TaskState::Running,
        State::Completed => TaskState::Completed,
        State::Failed => TaskState::Failed,
        State::Cancelled => TaskState::Cancelled,
    }
}

pub(crate) fn stored_state(state: TaskState) -> State {
    match state {
        TaskState::Accepted => State::Accepted,
        TaskState::Queued => State::Queued,
        TaskState::Running => State::Running,
        TaskState::Completed => State::Completed,
        TaskState::Failed => State::Failed,
        TaskState::Cancelled => State::Cancelled,
    }
}

pub(crate) fn run(run: &Run) -> RunRow {
    let session = run.session.as_ref();
    RunRow {
        run_id: run.run_id.clone(),
        mode: run.mode.clone(),
        project: run.project_root.to_string(),
        agent: session.map(|session| session.agent.clone()),
        session_id: session.map(|session| session.id.clone()),
        state: task_state(run.state),
        started_ms: run.started_ms,
        finished_ms: run.finished_ms,
        counts: match &run.counts {
            Some(serde_json::Value::Object(counts)) => counts.clone(),
            _ => serde_json::Map::new(),
        },
        error: run.error.clone(),
    }
}
