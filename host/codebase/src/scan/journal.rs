//! Journal by which a watcher tells other processes which paths changed since an artifact. It is trusted only while the
//! watcher holds its lock and after it has answered a call: file events arrive in order, so events before the call are
//! then in the journal.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ContextError;
use crate::artifact::store::ArtifactStore;

const JOURNAL_BYTES: u64 = 4 * 1024 * 1024;
/// With more paths than this, everything counts as changed.
const MOST_PATHS: usize = 2_000;
/// Number of times, and interval, at which a caller polls for the watcher's answer.
const LOOKS: u32 = 200;
const LOOK: Duration = Duration::from_micros(200);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WatchJournal {
    /// `paths` is complete for artifacts of this generation and later.
    pub(crate) since: u64,
    /// Paths outside of `paths` may have changed.
    pub(crate) is_overflown: bool,
    pub(crate) paths: BTreeSet<String>,
}

impl WatchJournal {
    pub(crate) fn write(&self, store: &ArtifactStore, id: &str) -> Result<(), ContextError> {
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

/// Name of the lock that a watcher holds.
pub(crate) fn lock_name(id: &str) -> String {
    format!("{id}.watch")
}

pub(crate) fn name(id: &str) -> String {
    format!("{id}.journal")
}

/// Prefix of the file names of calls to a project's watcher.
pub(crate) fn call_prefix(id: &str) -> String {
    format!("{id}.call-")
}

/// Returns paths that may have changed since an artifact of this generation, if a watcher is running.
pub(crate) fn read(store: &ArtifactStore, id: &str, generation: u64) -> Option<BTreeSet<String>> {
    if !store.is_held(&lock_name(id)) || !is_answered(store, id) {
        return None;
    }
    let bytes = store.directory().read(name(id), JOURNAL_BYTES).ok()?;
    let journal: WatchJournal = serde_json::from_slice(&bytes).ok()?;
    (!journal.is_overflown && journal.since <= generation).then_some(journal.paths)
}

/// Calls the watcher by creating a file, which the watcher removes after it has written its journal.
fn is_answered(store: &ArtifactStore, id: &str) -> bool {
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
    // No answer: the caller has to check for itself.
    let _ = store.directory().remove_file(&call);
    false
}
