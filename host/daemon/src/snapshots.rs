//! Memory as it was last read. It is read again when a name, a size, a time or an inode differs, so an
//! answer is what the files say, and ten thousand of them are not parsed for every page.

use std::collections::HashMap;
use std::fs::Metadata;
use std::hash::Hasher;
use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::NoFaults;
use acreta_service::Failure;
use acreta_store::{Layout, Snapshot, Store};
use camino::{Utf8Path, Utf8PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

#[derive(Default)]
pub(crate) struct Snapshots {
    known: Mutex<HashMap<Utf8PathBuf, (u64, Arc<Snapshot>)>>,
}

impl Snapshots {
    pub(crate) fn of(&self, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
        let stamp = stamp(layout);
        let key = layout.base().to_owned();
        let known = {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(&key).cloned()
        };
        if let Some((_, snapshot)) = known.filter(|(known, _)| *known == stamp) {
            return Ok(snapshot);
        }
        let store = Store::open(layout.clone(), NoFaults::shared())?;
        let snapshot = Arc::new(store.load()?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key, (stamp, Arc::clone(&snapshot)));
        Ok(snapshot)
    }
}

/// A number for everything that is there.
fn stamp(layout: &Layout) -> u64 {
    let mut hasher = Xxh3Default::new();
    walk(&layout.memory_root(), &mut hasher);
    for folder in ["meta/evidence", "meta/state"] {
        walk(&layout.base().join(folder), &mut hasher);
    }
    hasher.finish()
}

fn walk(folder: &Utf8Path, hasher: &mut Xxh3Default) {
    let Ok(entries) = folder.read_dir_utf8() else {
        return;
    };
    // The order of a directory is nobody's promise.
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by(|left, right| left.file_name().cmp(right.file_name()));
    for entry in entries {
        hasher.write(entry.file_name().as_bytes());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(entry.path(), hasher),
            Ok(kind) if kind.is_file() => {
                if let Ok(metadata) = entry.metadata() {
                    note(&metadata, hasher);
                }
            }
            _ => {}
        }
    }
}

#[cfg(unix)]
fn note(metadata: &Metadata, hasher: &mut Xxh3Default) {
    use std::os::unix::fs::MetadataExt;
    hasher.write_u64(metadata.len());
    hasher.write_u64(metadata.ino());
    for time in [
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    ] {
        hasher.write_i64(time);
    }
}

#[cfg(not(unix))]
fn note(metadata: &Metadata, hasher: &mut Xxh3Default) {
    hasher.write_u64(metadata.len());
    let modified = metadata.modified().ok();
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    hasher.write_u128(since.map_or(0, |since| since.as_nanos()));
}
