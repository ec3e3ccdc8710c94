//! What a watcher tells other processes: which paths changed since an artifact. It is trusted only
//! while the watcher lives and only after it answered a call, since what it heard of before that
//! call is in the journal then: file events come in order.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ContextError;
use crate::artifact::store::Store;

const JOURNAL_BYTES: u64 = 4 * 1024 * 1024;
/// More paths than this are told as everything.
const MOST_PATHS: usize = 2_000;
/// How often, and how long, a caller looks for an answer.
const LOOKS: u32 = 200;
const LOOK: Duration = Duration::from_micros(200);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Journal {
    /// Paths are complete for artifacts of this generation and later ones.
    pub(crate) since: u64,
    /// Something may have changed that is not in `paths`.
    pub(crate) is_overflown: bool,
    pub(crate) paths: BTreeSet<String>,
}

impl Journal {
    pub(crate) fn write(&self, store: &Store, id: &str) -> Result<(), ContextError> {
        let mut journal = self.clone();
        if journal.paths.len() > MOST_PATHS {
            journal.is_overflown = true;
            journal.paths.clear();
        }
        let bytes = serde_json::to_vec(&journal).unwrap_or_default();
        store
            .directory()
            .replace_unsynced(name(id), &bytes)
            .map_err(ContextError::from)
    }
}

/// The lock that a watcher holds.
pub(crate) fn lock_name(id: &str) -> String {
    format!("{id}.watch")
}

pub(crate) fn name(id: &str) -> String {
    format!("{id}.journal")
}

/// The start of the names of calls to a project's watcher.
pub(crate) fn call_prefix(id: &str) -> String {
    format!("{id}.call-")
}

/// The paths that may have changed since an artifact of this generation, if a watcher vouches for it.
pub(crate) fn read(store: &Store, id: &str, generation: u64) -> Option<BTreeSet<String>> {
    if !store.is_held(&lock_name(id)) || !is_answered(store, id) {
        return None;
    }
    let bytes = store.directory().read(name(id), JOURNAL_BYTES).ok()?;
    let journal: Journal = serde_json::from_slice(&bytes).ok()?;
    (!journal.is_overflown && journal.since <= generation).then_some(journal.paths)
}

/// Calls the watcher: a file appears, and the watcher takes it away once its journal is written.
fn is_answered(store: &Store, id: &str) -> bool {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    let call = format!("{}{}-{number}", call_prefix(id), std::process::id());
    if store.directory().append(&call, b"?").is_err() {
        return false;
    }
    for _ in 0..LOOKS {
        if matches!(store.directory().exists(&call), Ok(false)) {
            return true;
        }
        std::thread::sleep(LOOK);
    }
    // Nobody answered: look for oneself.
    let _ = store.directory().remove_file(&call);
    false
}
