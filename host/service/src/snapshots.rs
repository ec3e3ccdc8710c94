//! Memory as it is now. What was read once is read again only where files changed, so an answer is what
//! the files say, and ten thousand of them are not parsed for every question.
//!
//! Looking at every file takes long where there are many. Whoever asks often, like a list that is scrolled, asks for memory as
//! it was lately: then only the folders are looked at, which change when a file comes, goes or is replaced. acreta replaces
//! files, and so do most editors; what an editor writes in place is seen within a minute, as by a search.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acreta_fs::{Directory, NoFaults, Stamp, ms_to_ns};
use acreta_model::{MEMORY_TYPES, locked};
use acreta_store::{KnownFiles, Layout, Memory, Snapshot, Store, folder_stamp};
use camino::{Utf8Path, Utf8PathBuf};

use crate::Failure;
use crate::clock::now_ms;

/// How long a look at all files counts for those who ask for memory as it was lately. As long as for a search.
const LATELY_MS: u64 = 60_000;

#[derive(Clone, Default)]
pub(crate) struct Snapshots {
    places: Arc<Mutex<HashMap<Utf8PathBuf, Arc<Place>>>>,
}

/// One memory. Its files are looked at by one at a time, for all who wait meanwhile.
#[derive(Default)]
struct Place {
    /// Looks that were begun.
    looks: AtomicU64,
    /// The number of the last look, and what it saw.
    seen: Mutex<Option<(u64, Arc<Snapshot>)>>,
    known: KnownFiles,
    last: Mutex<Option<Look>>,
    /// Somebody asked for it as it was lately, since it was last brought up to date.
    asked: Mutex<Option<Layout>>,
}

/// A look at all files.
struct Look {
    at_ms: u64,
    /// The folders right before it.
    outside: Outside,
    snapshot: Arc<Snapshot>,
}

impl Snapshots {
    pub(crate) fn of(&self, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
        let place = self.place(layout);
        let arrived = place.looks.load(Ordering::SeqCst);
        let mut seen = locked(&place.seen);
        // A look that began after the question came saw all that the question is about.
        if let Some((_, snapshot)) = seen.as_ref().filter(|(look, _)| *look > arrived) {
            return Ok(Arc::clone(snapshot));
        }
        let look = place.looks.fetch_add(1, Ordering::SeqCst) + 1;
        let at_ms = now_ms();
        let outside = Outside::of(layout);
        let store = Store::open(layout.clone(), NoFaults::shared())?;
        let mut snapshot = Arc::new(store.load_again(&place.known, now_ms())?);
        // What says the same is the same: lists that were made of it still hold.
        let before = seen.as_ref().map(|(_, before)| before);
        if let Some(before) = before.filter(|before| is_same(before, &snapshot)) {
            snapshot = Arc::clone(before);
        }
        *seen = Some((look, Arc::clone(&snapshot)));
        *locked(&place.last) = outside.is_sure(at_ms).then(|| Look {
            at_ms,
            outside,
            snapshot: Arc::clone(&snapshot),
        });
        Ok(snapshot)
    }

    /// Memory as its folders say it still is.
    pub(crate) fn lately(&self, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
        let place = self.place(layout);
        *locked(&place.asked) = Some(layout.clone());
        if let Some(look) = locked(&place.last).as_ref()
            && now_ms().abs_diff(look.at_ms) < LATELY_MS
            && look.outside == Outside::of(layout)
        {
            return Ok(Arc::clone(&look.snapshot));
        }
        self.of(layout)
    }

    /// Looks at the files of memory that was asked for, before the next question would have to.
    pub(crate) fn bring_up_to_date(&self) {
        let places: Vec<Arc<Place>> = locked(&self.places).values().cloned().collect();
        for place in places {
            let asked = locked(&place.asked).take();
            if let Some(layout) = asked
                && let Err(error) = self.of(&layout)
            {
                tracing::debug!(%error, "memory is not up to date");
            }
        }
    }

    /// What is known of the files of a memory, for whoever changes it.
    pub(crate) fn known(&self, layout: &Layout) -> KnownFiles {
        self.place(layout).known.clone()
    }

    fn place(&self, layout: &Layout) -> Arc<Place> {
        let mut places = locked(&self.places);
        Arc::clone(places.entry(layout.base().to_owned()).or_default())
    }
}

/// How the folders of a memory look, and the file of the words that people gave for it.
#[derive(PartialEq)]
struct Outside(Vec<Option<Stamp>>);

impl Outside {
    fn of(layout: &Layout) -> Self {
        let mut folders: Vec<Utf8PathBuf> = Vec::new();
        for entry in MEMORY_TYPES {
            folders.push(layout.memory_path(entry.folder));
            folders.push(layout.memory_path(Utf8Path::new("archived").join(entry.folder)));
        }
        for file in [layout.evidence_path("a"), layout.state_path("a")] {
            folders.extend(file.parent().map(Utf8Path::to_owned));
        }
        let base = Directory::open(layout.base(), NoFaults::shared()).ok();
        let stamp = |folder: &Utf8PathBuf| folder_stamp(base.as_ref()?, folder);
        let mut stamps: Vec<Option<Stamp>> = folders.iter().map(stamp).collect();
        stamps.push(layout.words_file().and_then(|(folder, name)| {
            let folder = Directory::open(folder, NoFaults::shared()).ok()?;
            Some(folder.metadata(name).ok()?.stamp())
        }));
        Self(stamps)
    }

    /// Reports whether a change right after it would have been seen.
    fn is_sure(&self, looked_ms: u64) -> bool {
        let mut stamps = self.0.iter().flatten();
        !stamps.any(|stamp| stamp.is_racy(ms_to_ns(looked_ms)))
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
