//! Caches contradictions until memory changes: an open page asks every few seconds, and comparing ten thousand memories
//! takes too long for that.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use acreta_pipeline::Conflict;
use acreta_store::Snapshot;
use acreta_types::locked;
use camino::Utf8PathBuf;

#[derive(Clone, Default)]
pub(crate) struct Contradictions {
    found: Arc<Mutex<HashMap<Utf8PathBuf, CachedConflicts>>>,
}

struct CachedConflicts {
    /// See [`fingerprint`].
    state: u64,
    conflicts: Vec<Conflict>,
}

impl Contradictions {
    pub(crate) fn of(
        &self,
        snapshot: &Snapshot,
        base: Utf8PathBuf,
        update_overlap: f64,
    ) -> Vec<Conflict> {
        let state = fingerprint(snapshot, update_overlap);
        if let Some(known) = locked(&self.found).get(&base)
            && known.state == state
        {
            return known.conflicts.clone();
        }
        let conflicts = acreta_pipeline::contradictions(snapshot.iter(), update_overlap);
        let known = CachedConflicts {
            state,
            conflicts: conflicts.clone(),
        };
        locked(&self.found).insert(base, known);
        conflicts
    }
}

/// Returns a hash of everything that a comparison uses.
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
