//! An open index, on disk or in memory: its location, integrity, and the time of the last comparison with the files.
//! Damage of any kind is an error value here, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

use acreta_fs::{EntryKind, LockError, Metadata};
use acreta_types::locked;
use camino::Utf8Path;

use crate::Source;
use crate::changes::{ChangeNotes, ComparisonRecord};
use crate::files::MemoryFiles;
use crate::passage_index::PassageIndex;
use crate::unsynced::close_to_others;
use crate::weights::CHECK_INTERVAL_MS;

/// An open index.
pub(crate) struct OpenedIndex {
    pub(crate) index: PassageIndex,
    pub(crate) place: IndexLocation,
    /// Time of the last full comparison, and the state of the folders then.
    pub(crate) checked: Mutex<Option<ComparisonRecord>>,
}

pub(crate) enum IndexLocation {
    /// With the metadata of its newest commit.
    Disk(Mutex<Option<Metadata>>),
    Memory,
}

/// Urgency of comparing files and index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Not,
    /// The last comparison is a while ago; whoever has time should compare.
    Sometime,
    /// The store announced changes; an answer without them would be outdated.
    Announced,
    /// Somebody else added, removed or replaced files, or the last comparison is unknown.
    Now,
}

/// Reason why an index on disk cannot be used.
pub(crate) enum OpenFailure {
    /// Missing, damaged or of another version.
    Unusable,
    /// Another process is writing.
    Busy,
    /// The disk refuses writes.
    Unwritable,
}

/// Paths that the index writes, relative to the base.
pub(crate) const FOLDER: &str = "index";
pub(crate) const TANTIVY: &str = "index/memory";
pub(crate) const BUILDING: &str = "index/building";
pub(crate) const META: &str = "index/memory/meta.json";
pub(crate) const CHECKED: &str = acreta_store::INDEX_CHECKED;
pub(crate) const CHECKING: &str = acreta_store::INDEX_CHECKING;
pub(crate) const LOCK: &str = "index/lock";
pub(crate) const VECTORS_LOCK: &str = "index/vectors.lock";

/// Maximum size of an index whose checksums are verified on opening; a larger one is verified together with the files.
pub(crate) const CHECKED_AT_OPEN_BYTES: u64 = 16 * 1024 * 1024;

const CHECKED_BYTES: u64 = 64 * 1024;

/// Larger than the number of files of any index.
const FILES: u64 = 100_000;

impl OpenedIndex {
    pub(crate) fn is_on_disk(&self) -> bool {
        matches!(self.place, IndexLocation::Disk(_))
    }

    pub(crate) fn source(&self) -> Source {
        match self.place {
            IndexLocation::Disk(_) => Source::Disk,
            IndexLocation::Memory => Source::Memory,
        }
    }

    /// Returns whether all files have to be compared before the index answers.
    pub(crate) fn due(&self, files: &MemoryFiles, now_ms: i64) -> Due {
        let checked = locked(&self.checked);
        let Some(checked) = &*checked else {
            return Due::Now;
        };
        if self.is_on_disk() && ChangeNotes::is_any(files) {
            return Due::Announced;
        }
        if !checked.is_current(files) {
            return Due::Now;
        }
        // A clock that was set back must not delay it forever.
        match now_ms.abs_diff(checked.at_ms) >= CHECK_INTERVAL_MS.unsigned_abs() {
            true => Due::Sometime,
            false => Due::Not,
        }
    }

    /// Loads commits by others; returns false if the index is gone or unreadable.
    pub(crate) fn follow(&self, files: &MemoryFiles, seen: &mut Option<Metadata>) -> bool {
        *locked(&self.checked) = read_checked(files);
        let Ok(now) = files.base.metadata(META) else {
            return false;
        };
        if seen.as_ref() == Some(&now) {
            return true;
        }
        *seen = Some(now);
        guarded(|| self.index.reload()).is_ok()
    }

    /// Records that this process wrote the index, so its newest commit need not be loaded.
    pub(crate) fn note_written(&self, files: &MemoryFiles) {
        if let IndexLocation::Disk(seen) = &self.place {
            *locked(seen) = files.base.metadata(META).ok();
        }
    }

    /// Records that everything was compared. A change in the meantime removed the note, and the next search compares
    /// again.
    pub(crate) fn note_checked(&self, files: &MemoryFiles, checked: ComparisonRecord) {
        *locked(&self.checked) = Some(checked);
        self.note_written(files);
        if self.is_on_disk() {
            let _ = files.base.rename(CHECKING, CHECKED);
            if files.base.is_private()
                && let Ok(folder) = files.base.subdirectory(TANTIVY)
            {
                close_to_others(&folder);
            }
        }
    }
}

/// Records, under the lock of the index, that a full comparison starts now.
pub(crate) fn begin_check(files: &MemoryFiles, now_ms: i64) -> ComparisonRecord {
    let checked = ComparisonRecord::now(files, now_ms);
    write_checked(files, CHECKING, &checked);
    checked
}

pub(crate) fn write_checked(files: &MemoryFiles, name: &str, checked: &ComparisonRecord) {
    let text = serde_json::to_vec(checked).unwrap_or_default();
    // Best effort: without it everything is compared again.
    let _ = files.base.replace_unsynced(name, &text);
}

pub(crate) fn open_on_disk(
    files: &MemoryFiles,
    is_verified: bool,
) -> Result<OpenedIndex, OpenFailure> {
    let folder = files
        .base
        .subdirectory(TANTIVY)
        .map_err(|_| OpenFailure::Unusable)?;
    // Tantivy opens files by path and would follow a link that a repository ships.
    let entries = folder.list(".", FILES).map_err(|_| OpenFailure::Unusable)?;
    if entries
        .iter()
        .any(|entry| entry.metadata.kind != EntryKind::File)
    {
        return Err(OpenFailure::Unusable);
    }
    // Stat before opening: a commit in between is loaded by the next search.
    let meta = files
        .base
        .metadata(META)
        .map_err(|_| OpenFailure::Unusable)?;
    let is_verified = is_verified && size(files) <= CHECKED_AT_OPEN_BYTES;
    let index = guarded(|| {
        let index = PassageIndex::open(folder.path())?;
        if is_verified && !index.is_whole()? {
            return Err(damaged());
        }
        Ok(index)
    });
    Ok(OpenedIndex {
        index: index.map_err(|_| OpenFailure::Unusable)?,
        place: IndexLocation::Disk(Mutex::new(Some(meta))),
        checked: Mutex::new(read_checked(files)),
    })
}

pub(crate) fn size(files: &MemoryFiles) -> u64 {
    let entries = files.base.list(TANTIVY, FILES).unwrap_or_default();
    entries.iter().map(|entry| entry.metadata.bytes).sum()
}

pub(crate) fn read_checked(files: &MemoryFiles) -> Option<ComparisonRecord> {
    let text = files.base.read(CHECKED, CHECKED_BYTES).ok()?;
    serde_json::from_slice(&text).ok()
}

pub(crate) fn lock(
    files: &MemoryFiles,
    name: &str,
    wait: Duration,
) -> Result<acreta_fs::Lock, OpenFailure> {
    files
        .base
        .create_dir_all(FOLDER)
        .and_then(|()| files.base.subdirectory(FOLDER))
        .map_err(|_| OpenFailure::Unwritable)?;
    match files.base.lock(Utf8Path::new(name), wait) {
        Ok(lock) => Ok(lock),
        Err(LockError::Busy { .. }) => Err(OpenFailure::Busy),
        Err(_) => Err(OpenFailure::Unwritable),
    }
}

/// The index is damaged.
pub(crate) struct Damaged(pub(crate) tantivy::TantivyError);

/// Runs an action on an index with untrusted bytes. Tantivy checks little of its input and may panic, which is treated
/// as damage.
pub(crate) fn guarded<T>(action: impl FnOnce() -> tantivy::Result<T>) -> Result<T, Damaged> {
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(result) => result.map_err(Damaged),
        Err(_) => Err(Damaged(damaged())),
    }
}

pub(crate) fn damaged() -> tantivy::TantivyError {
    tantivy::TantivyError::InternalError("the index is damaged".to_owned())
}
