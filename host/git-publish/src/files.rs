//! Moves the files of `.acreta` between a clone's objects and its folder. Only regular files are written and read,
//! beneath a folder whose links are refused; whatever the branch does not have is removed.

use std::collections::{BTreeMap, BTreeSet};

use acreta_fs::{Directory, EntryKind, FsError, Limits, SUMMARIES_IGNORED, ignores_summaries};
use camino::{Utf8Path, Utf8PathBuf};

use crate::clone::CloneFolder;
use crate::tree::{self, MOST_FILES, MemoryFile, MemoryTree};
use crate::{ClonesError, GitFailure};

/// The largest file that is checked out or published.
const MOST_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Objects are read in groups of about this size.
const GROUP_BYTES: u64 = 16 * 1024 * 1024;
/// Kept from one checkout to the next, because search compares it with the files anyway.
const SEARCH_INDEX: &str = "index";

const LIMITS: Limits = Limits {
    files: 2 * MOST_FILES as u64,
    bytes: u64::MAX,
    depth: 64,
};

/// Makes the folder equal to the files of a commit.
pub(crate) fn write(
    clone: &CloneFolder<'_>,
    folder: &Directory,
    memory: &MemoryTree,
) -> Result<(), ClonesError> {
    remove_others(folder, &memory.files)?;
    write_files(clone, folder, &memory.files)
}

/// Makes the folder equal to these files, apart from the folder `apart` at its top.
pub(crate) fn write_beside(
    clone: &CloneFolder<'_>,
    folder: &Directory,
    apart: &str,
    files: &[MemoryFile],
) -> Result<(), ClonesError> {
    for entry in folder.list(".", LIMITS.files)? {
        match entry.metadata.kind {
            EntryKind::Directory if entry.path == apart => {}
            EntryKind::Directory => folder.remove_dir_all(&entry.path)?,
            _ => folder.remove_file(&entry.path)?,
        }
    }
    let objects = files.iter().map(|file| file.object.as_str()).collect();
    let sizes = clone.sizes_with_fetch(&objects)?;
    let is_small = |file: &&MemoryFile| {
        let size = sizes.get(file.object.as_str());
        size.is_some_and(|size| *size <= MOST_FILE_BYTES)
    };
    let files: Vec<MemoryFile> = files.iter().filter(is_small).cloned().collect();
    write_files(clone, folder, &files)
}

fn write_files(
    clone: &CloneFolder<'_>,
    folder: &Directory,
    files: &[MemoryFile],
) -> Result<(), ClonesError> {
    let objects: BTreeSet<&str> = files.iter().map(|file| file.object.as_str()).collect();
    let sizes = clone.sizes_with_fetch(&objects)?;
    let mut group: Vec<&MemoryFile> = Vec::new();
    let mut bytes = 0;
    for file in files {
        let size = sizes.get(file.object.as_str()).copied().unwrap_or(u64::MAX);
        if size > MOST_FILE_BYTES {
            let path = folder.path().join(&file.path);
            let limit = MOST_FILE_BYTES;
            return Err(FsError::TooLarge { path, limit }.into());
        }
        if bytes + size > GROUP_BYTES && !group.is_empty() {
            write_group(clone, folder, &group)?;
            group.clear();
            bytes = 0;
        }
        bytes += size;
        group.push(file);
    }
    write_group(clone, folder, &group)
}

fn write_group(
    clone: &CloneFolder<'_>,
    folder: &Directory,
    group: &[&MemoryFile],
) -> Result<(), ClonesError> {
    let objects: BTreeSet<&str> = group.iter().map(|file| file.object.as_str()).collect();
    let contents = clone.contents(&objects)?;
    for file in group {
        let Some(content) = contents.get(&file.object) else {
            let reason = "an object is missing";
            return Err(clone.failure("cat-file", GitFailure::Output { reason }));
        };
        // An unchanged file keeps its stamp, so that nobody reads it again.
        match folder.read(&file.path, MOST_FILE_BYTES) {
            Ok(present) if present == *content => continue,
            Ok(_) => {}
            Err(error) if error.is_not_found() => {}
            Err(FsError::TooLarge { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        if let Some(parent) = file
            .path
            .parent()
            .filter(|parent| !parent.as_str().is_empty())
        {
            folder.create_dir_all(parent)?;
        }
        // Not synced: the remote has it.
        folder.replace_unsynced(&file.path, content)?;
    }
    Ok(())
}

/// Removes what the commit does not have, also what a killed process left.
fn remove_others(folder: &Directory, files: &[MemoryFile]) -> Result<(), ClonesError> {
    let wanted: BTreeSet<&Utf8Path> = files.iter().map(|file| file.path.as_path()).collect();
    let folders: BTreeSet<&Utf8Path> = wanted
        .iter()
        .flat_map(|path| path.ancestors().skip(1))
        .collect();
    let mut waiting = vec![Utf8PathBuf::from(".")];
    while let Some(path) = waiting.pop() {
        for entry in folder.list(&path, LIMITS.files)? {
            let found = entry.path.as_path();
            match entry.metadata.kind {
                EntryKind::Directory if found == SEARCH_INDEX => {}
                EntryKind::Directory if folders.contains(found) => waiting.push(entry.path),
                EntryKind::Directory => folder.remove_dir_all(found)?,
                EntryKind::File if wanted.contains(found) => {}
                _ => folder.remove_file(found)?,
            }
        }
    }
    Ok(())
}

/// Reads the folder into objects: every file but those of one machine. `before` has the modes that files keep.
pub(crate) fn read(
    clone: &CloneFolder<'_>,
    folder: &Directory,
    before: &MemoryTree,
) -> Result<Vec<MemoryFile>, ClonesError> {
    let modes: BTreeMap<&Utf8Path, &str> = before
        .files
        .iter()
        .map(|file| (file.path.as_path(), file.mode.as_str()))
        .collect();
    let ignores = folder.read_to_string(".gitignore", MOST_FILE_BYTES);
    let ignores = ignores.is_ok_and(|text| ignores_summaries(&text));
    // As with git, a file that is committed already stays so.
    let is_ignored = |path: &Utf8Path| {
        let mut folders = path.ancestors().skip(1);
        ignores
            && !modes.contains_key(path)
            && folders.any(|one| one.file_name() == Some(SUMMARIES_IGNORED.trim_end_matches('/')))
    };
    let mut paths = Vec::new();
    for entry in folder.walk(".", LIMITS)? {
        if tree::is_local(&entry.path) || is_ignored(&entry.path) {
            continue;
        }
        let path = folder.path().join(&entry.path);
        match entry.metadata.kind {
            EntryKind::Directory => {}
            EntryKind::File if entry.path.as_str().contains(char::is_control) => {
                let reason = "contains control characters";
                return Err(FsError::InvalidPath { path, reason }.into());
            }
            EntryKind::File if entry.metadata.bytes > MOST_FILE_BYTES => {
                let limit = MOST_FILE_BYTES;
                return Err(FsError::TooLarge { path, limit }.into());
            }
            EntryKind::File => paths.push(entry.path),
            EntryKind::Symlink => return Err(FsError::Link { path }.into()),
            kind => return Err(FsError::NotRegular { path, kind }.into()),
        }
    }
    let objects = clone.store_files(folder.path(), &paths)?;
    let files = paths.into_iter().zip(objects);
    Ok(files
        .map(|(path, object)| MemoryFile {
            mode: (*modes.get(path.as_path()).unwrap_or(&"100644")).to_owned(),
            object,
            path,
        })
        .collect())
}
