//! Memories that contradict each other and between which a person has to decide. What `maintain`, `doctor` and review
//! show, and what a brief leaves out.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

pub use acreta_lead::{Conflict, ConflictingMemory};
use acreta_model::locked;
use acreta_store::Snapshot;
use camino::Utf8PathBuf;

use crate::remember::WriteScope;
use crate::scopes::MemoryScope;
use crate::{Context, Failure};

/// The conflicts in a scope's memory.
pub fn conflicts(scope: WriteScope, context: &Context) -> Result<Vec<Conflict>, Failure> {
    conflicts_in(&MemoryScope::to_write(scope, context), context)
}

pub(crate) fn conflicts_in(
    scope: &MemoryScope,
    context: &Context,
) -> Result<Vec<Conflict>, Failure> {
    if !scope.layout.has_memory()? {
        return Ok(Vec::new());
    }
    let snapshot = scope.snapshot(context)?;
    let update_overlap = context.config.float("decide.update_overlap");
    let found = context.process.kept.contradictions.of(
        &snapshot,
        scope.layout.base().to_owned(),
        update_overlap,
    );
    Ok(acreta_lead::not_undone(found, &scope.layout))
}

/// Contradictions as they were last found, for as long as memory says the same: a page that is open asks every few
/// seconds, and comparing ten thousand memories takes too long for that.
#[derive(Clone, Default)]
pub(crate) struct Contradictions {
    found: Arc<Mutex<HashMap<Utf8PathBuf, (u64, Vec<Conflict>)>>>,
}

impl Contradictions {
    fn of(&self, snapshot: &Snapshot, base: Utf8PathBuf, update_overlap: f64) -> Vec<Conflict> {
        let state = fingerprint(snapshot, update_overlap);
        if let Some((known, found)) = locked(&self.found).get(&base)
            && *known == state
        {
            return found.clone();
        }
        let found = acreta_lead::contradictions(snapshot.iter(), update_overlap);
        locked(&self.found).insert(base, (state, found.clone()));
        found
    }
}

/// Names everything that a comparison looks at.
fn fingerprint(snapshot: &Snapshot, update_overlap: f64) -> u64 {
    let mut hasher = DefaultHasher::new();
    update_overlap.to_bits().hash(&mut hasher);
    for memory in snapshot.iter() {
        memory.id.hash(&mut hasher);
        memory.digest.hash(&mut hasher);
        memory.path.hash(&mut hasher);
        memory.trust().name().hash(&mut hasher);
        memory.status().name().hash(&mut hasher);
        let dismissed = memory.state.as_ref().map(|state| &state.dismissed);
        dismissed.hash(&mut hasher);
        let contributions = memory.evidence.iter().flat_map(|one| &one.contributions);
        contributions
            .map(|one| one.newest_ms)
            .max()
            .hash(&mut hasher);
    }
    hasher.finish()
}
