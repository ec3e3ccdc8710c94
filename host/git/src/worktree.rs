//! Compares files of a work tree with the index and a commit, by stat and then by hash. Paths are resolved from the
//! root without following links; no filter is run.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};

use camino::Utf8Path;
use gix_hash::ObjectId;
use gix_index::entry::{Mode, Stat};
use gix_object::tree::EntryKind;

use crate::attributes::{Attributes, Conversion};
use crate::folders::GitFolders;
use crate::index::TrackedPath;
use crate::limits::HASHED_BYTES;
use crate::refs::Refs;

/// State of the work tree at a tracked path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkTreeState {
    Nothing,
    /// As in the index, by stat or by hash.
    Unchanged,
    /// Other content, with the id of the unconverted bytes.
    Other {
        kind: EntryKind,
        id: ObjectId,
    },
    /// Differs from the index; hashing was unnecessary or impossible.
    Differs,
    /// Bytes that git would convert before comparing them.
    Unknown,
}

/// A work tree to compare with.
pub(crate) struct WorkTree<'a> {
    root: &'a Utf8Path,
    hash: gix_hash::Kind,
    /// Modification time of the index.
    written: (u32, u32),
    /// File modes are significant (`core.fileMode`).
    has_modes: bool,
    attributes: Attributes,
    /// Cache: whether each path is a real folder and not a link.
    folders: HashMap<String, bool>,
}

/// Stat result of a path.
#[derive(Debug, Clone, Copy)]
struct PathStat {
    kind: Option<EntryKind>,
    is_folder: bool,
    bytes: u64,
    stat: Stat,
}

impl<'a> WorkTree<'a> {
    pub(crate) fn new(
        root: &'a Utf8Path,
        hash: gix_hash::Kind,
        written: (u32, u32),
        has_modes: bool,
        attributes: Attributes,
    ) -> Self {
        Self {
            root,
            hash,
            written,
            has_modes,
            attributes,
            folders: HashMap::new(),
        }
    }

    /// Returns the state of a tracked path. `wanted` is the object to compare with: if it is the one in the index, a
    /// different size is sufficient.
    pub(crate) fn look(&mut self, entry: &TrackedPath, wanted: Option<&ObjectId>) -> WorkTreeState {
        if entry.is_assumed {
            return WorkTreeState::Unchanged;
        }
        if !self.is_reachable(&entry.path) {
            return WorkTreeState::Nothing;
        }
        let path = self.root.join(&entry.path);
        let seen = match seen(&path) {
            Ok(Some(seen)) => seen,
            Ok(None) => return WorkTreeState::Nothing,
            Err(_) => return WorkTreeState::Unknown,
        };
        if entry.is_submodule {
            return submodule(&path, seen, entry, self.hash);
        }
        let Some(mut kind) = seen.kind else {
            // A folder or a device has replaced the file.
            return WorkTreeState::Nothing;
        };
        let indexed = kind_of(entry.mode);
        if !self.has_modes && is_plain(kind) && indexed.is_some_and(is_plain) {
            kind = indexed.unwrap_or(kind);
        }
        if indexed == Some(kind) && self.is_clean(entry, &seen) {
            return WorkTreeState::Unchanged;
        }
        self.compared(entry, wanted, &path, &seen, kind)
    }

    fn compared(
        &mut self,
        entry: &TrackedPath,
        wanted: Option<&ObjectId>,
        path: &Utf8Path,
        seen: &PathStat,
        kind: EntryKind,
    ) -> WorkTreeState {
        let is_same_kind = kind_of(entry.mode) == Some(kind);
        let conversion = if is_plain(kind) {
            self.attributes.conversion(&entry.path)
        } else {
            Conversion::default()
        };
        let has_size = entry.stat.size != 0 && !entry.is_conflict;
        let is_other_size = has_size && u64::from(entry.stat.size) != seen.bytes;
        if is_other_size && wanted == Some(&entry.id) && conversion.is_none() {
            return WorkTreeState::Differs;
        }
        if seen.bytes > HASHED_BYTES {
            return if conversion.is_none() && is_other_size {
                WorkTreeState::Differs
            } else {
                WorkTreeState::Unknown
            };
        }
        let (id, may_change) = match hash(path, kind, self.hash, conversion) {
            Ok(Some(hashed)) => hashed,
            // Removed or replaced in the meantime.
            Ok(None) => return WorkTreeState::Nothing,
            Err(_) => return WorkTreeState::Unknown,
        };
        if id == entry.id && is_same_kind {
            return WorkTreeState::Unchanged;
        }
        if Some(&id) != wanted && may_change {
            return WorkTreeState::Unknown;
        }
        WorkTreeState::Other { kind, id }
    }

    /// Reads a plain file, for comparison with another; returns `None` if it is not one.
    pub(crate) fn bytes(&mut self, path: &str, limit: u64) -> Option<Vec<u8>> {
        if !self.is_reachable(path) {
            return None;
        }
        let mut bytes = Vec::new();
        let file = open(&self.root.join(path)).ok()??;
        file.take(limit + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= limit).then_some(bytes)
    }

    /// Reports whether the file is unchanged since git wrote the index, which is only certain for files older than the
    /// index itself.
    fn is_clean(&self, entry: &TrackedPath, seen: &PathStat) -> bool {
        let (known, now) = (&entry.stat, &seen.stat);
        let modified = (known.mtime.secs, known.mtime.nsecs);
        !entry.is_conflict
            && known.mtime == now.mtime
            && known.size == now.size
            && known.ino == now.ino
            && known.ctime == now.ctime
            && modified < self.written
    }

    /// Reports whether all folders above a path are real folders and not links.
    fn is_reachable(&mut self, path: &str) -> bool {
        let Some((folder, _)) = path.rsplit_once('/') else {
            return true;
        };
        if let Some(known) = self.folders.get(folder) {
            return *known;
        }
        let is_folder = self.is_reachable(folder)
            && std::fs::symlink_metadata(self.root.join(folder)).is_ok_and(|found| found.is_dir());
        self.folders.insert(folder.to_owned(), is_folder);
        is_folder
    }
}

/// Compares a submodule by its commit; its uncommitted changes are its own.
fn submodule(
    path: &Utf8Path,
    seen: PathStat,
    entry: &TrackedPath,
    hash: gix_hash::Kind,
) -> WorkTreeState {
    if !seen.is_folder {
        return WorkTreeState::Nothing;
    }
    let Some(folders) = GitFolders::at(path) else {
        // Not checked out.
        return WorkTreeState::Unchanged;
    };
    match Refs::new(&folders, hash).head().id {
        Some(id) if id == entry.id => WorkTreeState::Unchanged,
        Some(id) => WorkTreeState::Other {
            kind: EntryKind::Commit,
            id,
        },
        None => WorkTreeState::Unknown,
    }
}

fn kind_of(mode: Mode) -> Option<EntryKind> {
    Some(mode.to_tree_entry_mode()?.kind())
}

fn is_plain(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Blob | EntryKind::BlobExecutable)
}

fn seen(path: &Utf8Path) -> io::Result<Option<PathStat>> {
    let found = match std::fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(cause)
            if matches!(
                cause.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(cause) => return Err(cause),
    };
    let kind = if found.is_symlink() {
        Some(EntryKind::Link)
    } else if found.is_file() && is_executable(&found) {
        Some(EntryKind::BlobExecutable)
    } else {
        found.is_file().then_some(EntryKind::Blob)
    };
    Ok(Some(PathStat {
        kind,
        is_folder: found.is_dir(),
        bytes: found.len(),
        stat: stat(&found),
    }))
}

#[cfg(unix)]
fn is_executable(found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn stat(found: &std::fs::Metadata) -> Stat {
    use std::os::unix::fs::MetadataExt;
    let (secs, nsecs) = crate::index::modified(found);
    Stat {
        mtime: gix_index::entry::stat::Time { secs, nsecs },
        ctime: gix_index::entry::stat::Time {
            secs: found.ctime() as u32,
            nsecs: found.ctime_nsec() as u32,
        },
        dev: 0,
        ino: found.ino() as u32,
        uid: 0,
        gid: 0,
        size: found.len() as u32,
    }
}

#[cfg(not(unix))]
fn stat(found: &std::fs::Metadata) -> Stat {
    let (secs, nsecs) = crate::index::modified(found);
    Stat {
        mtime: gix_index::entry::stat::Time { secs, nsecs },
        size: found.len() as u32,
        ..Stat::default()
    }
}

/// Hashes a file as a blob; the flag says whether git might convert the bytes.
fn hash(
    path: &Utf8Path,
    kind: EntryKind,
    hash: gix_hash::Kind,
    conversion: Conversion,
) -> io::Result<Option<(ObjectId, bool)>> {
    if kind == EntryKind::Link {
        let target = path.read_link()?;
        let target = target.as_os_str().as_encoded_bytes();
        return Ok(Some((blob_id(target, hash)?, false)));
    }
    let Some(mut file) = open(path)? else {
        return Ok(None);
    };
    let size = file.metadata()?.len();
    let mut hasher = gix_hash::hasher(hash);
    hasher.update(&gix_object::encode::loose_header(
        gix_object::Kind::Blob,
        size,
    ));
    let mut may_change = conversion.is_opaque();
    let mut piece = vec![0; 128 * 1024];
    let mut total = 0;
    // Prepend the end of the previous chunk: `$Id` may be split.
    let mut tail: Vec<u8> = Vec::new();
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            break;
        }
        total += read as u64;
        if total > size {
            break;
        }
        hasher.update(&piece[..read]);
        if !may_change && !conversion.is_none() {
            tail.extend_from_slice(&piece[..read]);
            may_change = conversion.changes(&tail);
            let keep = tail.len().saturating_sub(2);
            tail.drain(..keep);
        }
    }
    if total != size {
        return Err(io::Error::other("the file changed while it was read"));
    }
    let id = hasher.try_finalize().map_err(io::Error::other)?;
    Ok(Some((id, may_change)))
}

fn blob_id(bytes: &[u8], hash: gix_hash::Kind) -> io::Result<ObjectId> {
    let mut hasher = gix_hash::hasher(hash);
    hasher.update(&gix_object::encode::loose_header(
        gix_object::Kind::Blob,
        bytes.len() as u64,
    ));
    hasher.update(bytes);
    hasher.try_finalize().map_err(io::Error::other)
}

/// Opens a plain file; returns `None` for a link or anything else.
fn open(path: &Utf8Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = match options.open(path) {
        Ok(file) => file,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(cause),
    };
    Ok(file.metadata()?.is_file().then_some(file))
}
