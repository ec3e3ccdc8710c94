//! Current memory. Only changed files are read again, so that an answer is what the files say, but ten thousand of them
//! are not parsed for every question.
//!
//! Checking every file takes long if there are many. A frequent caller, such as a list that is scrolled, asks for
//! recent memory: then only the folders are checked, which change when a file is added, removed or replaced. acreta
//! replaces files, and so do most editors; a file written in place is noticed within a minute, as by a search.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acreta_fs::NoFaults;
use acreta_store::{KnownFiles, Layout, Memory, Snapshot, Store};
use acreta_types::locked;
use camino::Utf8PathBuf;

use crate::Failure;
use crate::process::clock::now_ms;
use crate::process::stamps::{self, TakenStamps};

/// Maximum age of recent memory; the same as for a search.
const LATELY_MS: u64 = 60_000;

#[derive(Clone, Default)]
pub(crate) struct Snapshots {
    places: Arc<Mutex<HashMap<Utf8PathBuf, Arc<TrackedMemory>>>>,
}

/// One memory. One thread at a time checks its files, for all that wait meanwhile.
#[derive(Default)]
struct TrackedMemory {
    /// Number of checks that were started.
    looks: AtomicU64,
    /// The number of the last check, and its result.
    seen: Mutex<Option<(u64, Arc<Snapshot>)>>,
    known: KnownFiles,
    last: Mutex<Option<FileCheck>>,
    /// Set if recent memory was requested since it was last brought up to date.
    asked: Mutex<Option<Layout>>,
}

/// A check of all files.
struct FileCheck {
    /// The folders right before it.
    outside: TakenStamps,
    snapshot: Arc<Snapshot>,
}

impl Snapshots {
    pub(crate) fn of(&self, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
        let place = self.place(layout);
        let arrived = place.looks.load(Ordering::SeqCst);
        let mut seen = locked(&place.seen);
        // A check that began after the request arrived is recent enough for it.
        if let Some((_, snapshot)) = seen.as_ref().filter(|(look, _)| *look > arrived) {
            return Ok(Arc::clone(snapshot));
        }
        let look = place.looks.fetch_add(1, Ordering::SeqCst) + 1;
        let outside = TakenStamps::take(|| stamps::of_memory(layout));
        let store = Store::open(layout.clone(), NoFaults::shared())?;
        let mut snapshot = Arc::new(store.load_again(&place.known, now_ms())?);
        // An unchanged snapshot stays the same value, so that lists built from it stay valid.
        let before = seen.as_ref().map(|(_, before)| before);
        if let Some(before) = before.filter(|before| is_same(before, &snapshot)) {
            snapshot = Arc::clone(before);
        }
        *seen = Some((look, Arc::clone(&snapshot)));
        *locked(&place.last) = Some(FileCheck {
            outside,
            snapshot: Arc::clone(&snapshot),
        });
        Ok(snapshot)
    }

    /// Returns memory that is current according to its folders.
    pub(crate) fn lately(&self, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
        let place = self.place(layout);
        *locked(&place.asked) = Some(layout.clone());
        if let Some(look) = locked(&place.last).as_ref()
            && now_ms().abs_diff(look.outside.looked_ms()) < LATELY_MS
            && look.outside.are_current(&stamps::of_memory(layout))
        {
            return Ok(Arc::clone(&look.snapshot));
        }
        self.of(layout)
    }

    /// Checks the files of recently used memory in advance.
    pub(crate) fn bring_up_to_date(&self) {
        let places: Vec<Arc<TrackedMemory>> = locked(&self.places).values().cloned().collect();
        for place in places {
            let asked = locked(&place.asked).take();
            if let Some(layout) = asked
                && let Err(error) = self.of(&layout)
            {
                tracing::debug!(%error, "memory could not be brought up to date");
            }
        }
    }

    /// Returns the known state of a memory's files, for a writer.
    pub(crate) fn known(&self, layout: &Layout) -> KnownFiles {
        self.place(layout).known.clone()
    }

    fn place(&self, layout: &Layout) -> Arc<TrackedMemory> {
        let mut places = locked(&self.places);
        Arc::clone(places.entry(layout.base().to_owned()).or_default())
    }
}

fn is_same(before: &Snapshot, now: &Snapshot) -> bool {
    let same =
        |(before, now): (&Arc<Memory>, &Arc<Memory>)| Arc::ptr_eq(before, now) || before == now;
    before.memories.len() == now.memories.len()
        && before.problems == now.problems
        && before.removed == now.removed
        && before.memories.iter().zip(&now.memories).all(same)
}
