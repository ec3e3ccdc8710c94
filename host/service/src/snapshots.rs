//! Memory as it is now. What was read once is read again only where files changed, so an answer is what
//! the files say, and ten thousand of them are not parsed for every question.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acreta_fs::NoFaults;
use acreta_model::locked;
use acreta_store::{KnownFiles, Layout, Snapshot, Store};
use camino::Utf8PathBuf;

use crate::Failure;
use crate::clock::now_ms;

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
        let store = Store::open(layout.clone(), NoFaults::shared())?;
        let snapshot = Arc::new(store.load_again(&place.known, now_ms())?);
        *seen = Some((look, Arc::clone(&snapshot)));
        Ok(snapshot)
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
