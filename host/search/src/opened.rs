//! An index that is open, on disk or in memory: where it lies, whether it is whole, when it was last
//! compared with the files. Damage of any sort is an answer here, never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Duration;

use acreta_fs::{EntryKind, LockError, Metadata};
use acreta_model::locked;
use camino::Utf8Path;

use crate::Source;
use crate::changes::{Checked, Told};
use crate::files::Files;
use crate::passage_index::PassageIndex;
use crate::weights::CHECK_INTERVAL_MS;

/// An index in use.
pub(crate) struct Opened {
    pub(crate) index: PassageIndex,
    pub(crate) place: Place,
    /// When all files were last compared with it, and how their folders looked.
    pub(crate) checked: Mutex<Option<Checked>>,
}

pub(crate) enum Place {
    /// With what its newest commit looks like from outside.
    Disk(Mutex<Option<Metadata>>),
    Memory,
}

/// Whether files and index are to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    Not,
    /// It was not done for a while: whoever has the time.
    Sometime,
    /// The store told of changes: an answer before they are taken in would not know of them.
    Told,
    /// Somebody else added, removed or replaced files, or it is not known what was compared.
    Now,
}

/// Why an index on disk cannot be used.
pub(crate) enum Fault {
    /// Missing, damaged or of another version.
    Unusable,
    /// Another process is writing.
    Busy,
    /// The disk does not let us.
    Unwritable,
}

/// Everything the index writes lies in these, relative to the base.
pub(crate) const FOLDER: &str = "index";
pub(crate) const TANTIVY: &str = "index/memory";
pub(crate) const BUILDING: &str = "index/building";
pub(crate) const META: &str = "index/memory/meta.json";
pub(crate) const CHECKED: &str = acreta_store::INDEX_CHECKED;
pub(crate) const CHECKING: &str = acreta_store::INDEX_CHECKING;
pub(crate) const LOCK: &str = "index/lock";
pub(crate) const VECTORS_LOCK: &str = "index/vectors.lock";

/// An index up to this size is checked whole when it is opened; a larger one with the files.
pub(crate) const CHECKED_AT_OPEN_BYTES: u64 = 16 * 1024 * 1024;

const CHECKED_BYTES: u64 = 64 * 1024;

/// More files than an index has.
const FILES: u64 = 100_000;

impl Opened {
    pub(crate) fn is_on_disk(&self) -> bool {
        matches!(self.place, Place::Disk(_))
    }

    pub(crate) fn source(&self) -> Source {
        match self.place {
            Place::Disk(_) => Source::Disk,
            Place::Memory => Source::Memory,
        }
    }

    /// Whether all files are to be compared with it before it answers.
    pub(crate) fn due(&self, files: &Files, now_ms: i64) -> Due {
        let checked = locked(&self.checked);
        let Some(checked) = &*checked else {
            return Due::Now;
        };
        if self.is_on_disk() && Told::is_any(files) {
            return Due::Told;
        }
        if !checked.is_current(files) {
            return Due::Now;
        }
        // A clock that was set back must not put it off for ever.
        match now_ms.abs_diff(checked.at_ms) >= CHECK_INTERVAL_MS.unsigned_abs() {
            true => Due::Sometime,
            false => Due::Not,
        }
    }

    /// Takes in what others did; false when the index is gone or cannot be read any more.
    pub(crate) fn follow(&self, files: &Files, seen: &mut Option<Metadata>) -> bool {
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

    /// This process wrote the index: its newest commit need not be taken in.
    pub(crate) fn note_written(&self, files: &Files) {
        if let Place::Disk(seen) = &self.place {
            *locked(seen) = files.base.metadata(META).ok();
        }
    }

    /// Everything was compared. What changed meanwhile took the note away, and the next search
    /// compares once more.
    pub(crate) fn note_checked(&self, files: &Files, checked: Checked) {
        *locked(&self.checked) = Some(checked);
        self.note_written(files);
        if self.is_on_disk() {
            let _ = files.base.rename(CHECKING, CHECKED);
            if files.base.is_private() {
                close_to_others(files);
            }
        }
    }
}

/// The engine creates files that others may read, in a folder that they may not enter.
fn close_to_others(files: &Files) {
    if let Ok(folder) = files.base.subdirectory(TANTIVY) {
        // Best effort: nobody else enters the folder, and `doctor` tries it again.
        let _ = folder.close_to_others();
    }
}

/// Notes, under the lock of the index, that everything is compared from now on.
pub(crate) fn begin_check(files: &Files, now_ms: i64) -> Checked {
    let checked = Checked::now(files, now_ms);
    write_checked(files, CHECKING, &checked);
    checked
}

pub(crate) fn write_checked(files: &Files, name: &str, checked: &Checked) {
    let text = serde_json::to_vec(checked).unwrap_or_default();
    // Best effort: without it everything is compared once more.
    let _ = files.base.replace_unsynced(name, &text);
}

pub(crate) fn open_on_disk(files: &Files) -> Result<Opened, Fault> {
    let folder = files
        .base
        .subdirectory(TANTIVY)
        .map_err(|_| Fault::Unusable)?;
    // The engine opens the files by their paths, and would follow a link that a repository ships.
    let entries = folder.list(".", FILES).map_err(|_| Fault::Unusable)?;
    if entries
        .iter()
        .any(|entry| entry.metadata.kind != EntryKind::File)
    {
        return Err(Fault::Unusable);
    }
    // Looked at before it is opened: a commit in between is taken in by the next search.
    let meta = files.base.metadata(META).map_err(|_| Fault::Unusable)?;
    let small = size(files) <= CHECKED_AT_OPEN_BYTES;
    let index = guarded(|| {
        let index = PassageIndex::open(folder.path())?;
        if small && !index.is_whole()? {
            return Err(damaged());
        }
        Ok(index)
    });
    Ok(Opened {
        index: index.map_err(|_| Fault::Unusable)?,
        place: Place::Disk(Mutex::new(Some(meta))),
        checked: Mutex::new(read_checked(files)),
    })
}

pub(crate) fn size(files: &Files) -> u64 {
    let entries = files.base.list(TANTIVY, FILES).unwrap_or_default();
    entries.iter().map(|entry| entry.metadata.bytes).sum()
}

pub(crate) fn read_checked(files: &Files) -> Option<Checked> {
    let text = files.base.read(CHECKED, CHECKED_BYTES).ok()?;
    serde_json::from_slice(&text).ok()
}

pub(crate) fn lock(files: &Files, name: &str, wait: Duration) -> Result<acreta_fs::Lock, Fault> {
    files
        .base
        .create_dir_all(FOLDER)
        .and_then(|()| files.base.subdirectory(FOLDER))
        .map_err(|_| Fault::Unwritable)?;
    match files.base.lock(Utf8Path::new(name), wait) {
        Ok(lock) => Ok(lock),
        Err(LockError::Busy { .. }) => Err(Fault::Busy),
        Err(_) => Err(Fault::Unwritable),
    }
}

/// Something about an index is not as it was written.
pub(crate) struct Damaged(pub(crate) tantivy::TantivyError);

/// Runs something over an index whose bytes may be anything. The engine checks little of what it
/// reads and may stop at an assertion; that is damage like any other.
pub(crate) fn guarded<T>(action: impl FnOnce() -> tantivy::Result<T>) -> Result<T, Damaged> {
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(result) => result.map_err(Damaged),
        Err(_) => Err(Damaged(damaged())),
    }
}

pub(crate) fn damaged() -> tantivy::TantivyError {
    tantivy::TantivyError::InternalError("the index is damaged".to_owned())
}
