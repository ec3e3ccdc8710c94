//! The git index: tracked paths with their last known stat data. Validated before it is decoded: counts and paths that
//! would exceed the memory limits are refused, and extensions (caches, hints, offsets of entries) are not read.

use camino::Utf8Path;
use gix_hash::ObjectId;
use gix_index::entry::{Flags, Mode, Stat};

use crate::GitError;
use crate::limits::{INDEX_BYTES, INDEX_PATH_BYTES, PATH_BYTES};
use crate::{read, tree};

/// A tracked path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedPath {
    /// From the root of the repository.
    pub path: String,
    /// A commit of another repository.
    pub is_submodule: bool,
    pub(crate) id: ObjectId,
    pub(crate) mode: Mode,
    pub(crate) stat: Stat,
    /// Git does not check the work tree for it (`assume-unchanged`, `skip-worktree`).
    pub(crate) is_assumed: bool,
    /// An unresolved merge conflict.
    pub(crate) is_conflict: bool,
}

/// A decoded index.
#[derive(Debug, Default)]
pub(crate) struct GitIndex {
    /// Sorted by path; a path in conflict occurs once. A sparse folder ends with `/`.
    pub(crate) entries: Vec<TrackedPath>,
    /// Modification time of the index file: entries this new may have changed unnoticed.
    pub(crate) written: (u32, u32),
}

impl GitIndex {
    /// Reads an index; a missing one is empty. Paths that are invalid in a work tree are omitted.
    pub(crate) fn read(path: &Utf8Path, hash: gix_hash::Kind) -> Result<Self, GitError> {
        let bytes = match read::bytes(path, INDEX_BYTES) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(Self::default()),
            Err(cause) => return Err(GitError::io(path, cause)),
        };
        let written = std::fs::metadata(path).map_or((0, 0), |found| modified(&found));
        let entries = decode(path, bytes, hash)?;
        Ok(Self { entries, written })
    }
}

fn decode(
    path: &Utf8Path,
    mut bytes: Vec<u8>,
    hash: gix_hash::Kind,
) -> Result<Vec<TrackedPath>, GitError> {
    let damaged = |what: &str| GitError::damaged(path, what);
    let scan = scan(&bytes, hash.len_in_bytes()).ok_or_else(|| damaged("not an index"))?;
    if scan.path_bytes > INDEX_PATH_BYTES {
        return Err(GitError::too_large(path, "paths of the index"));
    }
    if scan.is_split {
        return Err(GitError::Unsupported {
            path: path.to_owned(),
            what: "it has a split index (merge it with `git update-index --no-split-index`)",
        });
    }
    // Without extensions; a checksum of zeros means none.
    bytes.truncate(scan.end);
    bytes.resize(scan.end + hash.len_in_bytes(), 0);
    let options = gix_index::decode::Options {
        // With more threads, offsets of entries are taken from an extension.
        thread_limit: Some(1),
        ..Default::default()
    };
    let (state, _) =
        gix_index::State::from_bytes(&bytes, filetime::FileTime::zero(), hash, options)
            .map_err(|error| GitError::damaged(path, error))?;
    drop(bytes);
    let backing = state.path_backing();
    let mut entries: Vec<TrackedPath> = Vec::with_capacity(state.entries().len());
    for entry in state.entries() {
        let bytes: &[u8] = entry.path_in(backing);
        let is_folder = entry.mode.is_sparse();
        let plain = if is_folder {
            bytes.strip_suffix(b"/").unwrap_or(bytes)
        } else {
            bytes
        };
        let Some(name) = tree::path(plain) else {
            continue;
        };
        let is_conflict = entry.stage_raw() != 0;
        if entries.last().is_some_and(|last| last.path == name) {
            continue;
        }
        entries.push(TrackedPath {
            path: if is_folder {
                format!("{name}/")
            } else {
                name.to_owned()
            },
            is_submodule: entry.mode.is_submodule(),
            id: entry.id,
            mode: entry.mode,
            stat: entry.stat,
            is_assumed: entry
                .flags
                .intersects(Flags::ASSUME_VALID | Flags::SKIP_WORKTREE),
            is_conflict,
        });
    }
    // Git writes them in order, but this file may not be written by git.
    entries.sort_by(|left, right| left.path.cmp(&right.path));
    entries.dedup_by(|left, right| left.path == right.path);
    Ok(entries)
}

/// Result of a first pass over the bytes of an index.
struct IndexScan {
    /// End of the entries.
    end: usize,
    /// Total length of all paths, expanded.
    path_bytes: u64,
    is_split: bool,
}

/// Size of the fields before the object id of an entry.
const STAT_BYTES: usize = 40;

fn scan(bytes: &[u8], hash_bytes: usize) -> Option<IndexScan> {
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(bytes, 4)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = number(bytes, 8)?;
    let mut at = 12;
    let mut length = 0;
    let mut path_bytes = 0;
    for _ in 0..count {
        let start = at;
        at += STAT_BYTES + hash_bytes;
        let flags = u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
        at += 2;
        if flags & 0x4000 != 0 {
            // Extended flags exist only in version 3 and later.
            at += if version >= 3 { 2 } else { return None };
        }
        if version == 4 {
            let (dropped, read) = offset(bytes.get(at..)?)?;
            at += read;
            length = usize::checked_sub(length, dropped)?;
        } else {
            length = 0;
        }
        let rest = bytes.get(at..)?;
        let own = rest.iter().position(|byte| *byte == 0)?;
        length += own;
        if length > PATH_BYTES {
            return None;
        }
        path_bytes += length as u64;
        at += own + 1;
        if version < 4 {
            // Padded with zeros to a multiple of eight; at least one terminates the name.
            at = start + (at - start).next_multiple_of(8);
        }
    }
    let end = at;
    let mut is_split = false;
    while at + 8 + hash_bytes <= bytes.len() {
        let signature = bytes.get(at..at + 4)?;
        is_split |= signature == b"link";
        at = at
            .checked_add(8)?
            .checked_add(number(bytes, at + 4)? as usize)?;
    }
    (end + hash_bytes <= bytes.len()).then_some(IndexScan {
        end,
        path_bytes,
        is_split,
    })
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Decodes git's offset encoding: seven bits per byte, plus one for each continuation.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
        value = value.checked_add(1)?;
    }
    None
}

#[cfg(unix)]
pub(crate) fn modified(found: &std::fs::Metadata) -> (u32, u32) {
    use std::os::unix::fs::MetadataExt;
    (found.mtime() as u32, found.mtime_nsec() as u32)
}

#[cfg(not(unix))]
pub(crate) fn modified(found: &std::fs::Metadata) -> (u32, u32) {
    let since = found
        .modified()
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .unwrap_or_default();
    (since.as_secs() as u32, since.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, mode: u32) -> Vec<u8> {
        let mut bytes = vec![0; 24];
        bytes.extend(mode.to_be_bytes());
        bytes.extend([0; 12 + 20]);
        bytes.extend((path.len() as u16).to_be_bytes());
        bytes.extend(path.as_bytes());
        let padded = (bytes.len() + 1).next_multiple_of(8);
        bytes.resize(padded, 0);
        bytes
    }

    fn paths(bytes: &[u8]) -> Result<Vec<(String, bool)>, GitError> {
        let entries = decode(Utf8Path::new("index"), bytes.to_vec(), gix_hash::Kind::Sha1)?;
        Ok(entries
            .into_iter()
            .map(|entry| (entry.path, entry.is_submodule))
            .collect())
    }

    #[test]
    fn entries_are_read_and_damage_is_an_error() {
        let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x05".to_vec();
        bytes.extend(entry("../../etc/passwd", 0o100_644));
        bytes.extend(entry(".git/hooks/post-checkout", 0o100_755));
        bytes.extend(entry("/etc/passwd", 0o100_644));
        bytes.extend(entry("a/b.rs", 0o100_644));
        bytes.extend(entry("library", 0o160_000));
        let end = bytes.len();
        bytes.extend([0; 20]);
        let expected = [("a/b.rs".to_owned(), false), ("library".to_owned(), true)];
        assert_eq!(paths(&bytes).unwrap(), expected);
        for cut in 0..end {
            assert!(paths(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        bytes[11] = 200;
        assert!(paths(&bytes).is_err(), "more entries than there are");
        bytes[8..12].copy_from_slice(&[0xff; 4]);
        assert!(paths(&bytes).is_err(), "four thousand million entries");
        assert!(paths(b"nonsense").is_err());
    }

    /// In version 4, each entry repeats the long path before it in a few bytes.
    #[test]
    fn an_index_that_grows_when_it_is_read_is_refused() {
        const COUNT: u32 = 200_000;
        let mut bytes = b"DIRC\0\0\0\x04".to_vec();
        bytes.extend(COUNT.to_be_bytes());
        for number in 0..COUNT {
            bytes.extend([0; 62]);
            if number == 0 {
                bytes.push(0);
                bytes.extend([b'a'; 4000]);
            } else {
                bytes.push(0);
            }
            bytes.push(0);
        }
        bytes.extend([0; 20]);
        assert!(bytes.len() < 16 * 1024 * 1024);
        let error = paths(&bytes).unwrap_err();
        assert!(matches!(error, GitError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn offsets_are_as_git_writes_them() {
        assert_eq!(offset(&[5]), Some((5, 1)));
        assert_eq!(offset(&[0x80, 0]), Some((128, 2)));
        assert_eq!(offset(&[0x80, 0x7f]), Some((255, 2)));
        assert_eq!(offset(&[0x80]), None);
    }
}
