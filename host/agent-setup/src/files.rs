//! Reads the files of agents, and determines the target of a write. Links are followed, so that files stored elsewhere
//! (dotfiles) stay links.

use std::sync::Arc;

use acreta_fs::{Directory, EntryKind, Faults, FsError, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};

use crate::Problem;

/// Maximum size of a file. Claude Code's state grows to megabytes; files that people write do not.
const FILE_BYTES: u64 = 32 * 1024 * 1024;

/// Reports whether a path exists.
pub(crate) fn exists(path: &Utf8Path) -> bool {
    acreta_fs::canonical(path).is_ok()
}

/// Returns the real path of a file, which need not exist.
pub(crate) fn resolve(path: &Utf8Path) -> Result<Utf8PathBuf, Problem> {
    let is_link = is_link(path);
    match acreta_fs::canonical(path) {
        Ok(target) => return Ok(target),
        Err(error) if error.is_not_found() && !is_link => {}
        Err(error) if error.is_not_found() => {
            return Err(Problem::DeadLink {
                path: path.to_owned(),
            });
        }
        Err(error) => return Err(error.into()),
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => Ok(resolve(folder)?.join(name)),
        _ => Ok(path.to_owned()),
    }
}

/// Reads a file as text; `None` if it does not exist.
pub(crate) fn read_text(target: &Utf8Path) -> Result<Option<String>, FsError> {
    let (folder, name) = split(target);
    let read = || Directory::open(folder, NoFaults::shared())?.read_to_string(name, FILE_BYTES);
    absent_is_none(read())
}

/// Reads a file as bytes; `None` if it does not exist.
pub(crate) fn read_bytes(target: &Utf8Path) -> Result<Option<Vec<u8>>, FsError> {
    let (folder, name) = split(target);
    let read = || Directory::open(folder, NoFaults::shared())?.read(name, FILE_BYTES);
    absent_is_none(read())
}

/// Replaces a file's content; creates its folder if necessary.
pub(crate) fn write(
    target: &Utf8Path,
    bytes: &[u8],
    faults: &Arc<dyn Faults>,
) -> Result<(), FsError> {
    let (folder, name) = split(target);
    Directory::open_or_create(folder, faults.clone())?.replace(name, bytes)
}

/// Removes a file; a missing one is not an error.
pub(crate) fn remove(target: &Utf8Path, faults: &Arc<dyn Faults>) -> Result<(), FsError> {
    let (folder, name) = split(target);
    let directory = match Directory::open(folder, faults.clone()) {
        Err(error) if error.is_not_found() => return Ok(()),
        opened => opened?,
    };
    absent_is_none(directory.remove_file(name))?;
    directory.sync_directory(".")
}

/// Removes each of these folders that is empty, the deepest first. A folder that is not empty, or cannot be removed,
/// belongs to somebody else by now.
pub(crate) fn remove_empty_folders(folders: &[Utf8PathBuf], faults: &Arc<dyn Faults>) {
    let mut folders: Vec<&Utf8PathBuf> = folders.iter().collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.as_str().len()));
    for folder in folders {
        let (parent, name) = split(folder);
        if let Ok(parent) = Directory::open(parent, faults.clone())
            && parent.remove_dir(name).is_ok()
        {
            // If a crash undoes the removal, a harmless empty folder stays.
            let _ = parent.sync_directory(".");
        }
    }
}

/// Lists the folders that must be created for this file, the topmost first.
pub(crate) fn missing_folders(target: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut missing: Vec<Utf8PathBuf> = target
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.as_str().is_empty() && !exists(folder))
        .map(Utf8Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

fn is_link(path: &Utf8Path) -> bool {
    let (folder, name) = split(path);
    Directory::open(folder, NoFaults::shared())
        .and_then(|directory| directory.metadata(name))
        .is_ok_and(|found| found.kind == EntryKind::Symlink)
}

fn absent_is_none<T>(result: Result<T, FsError>) -> Result<Option<T>, FsError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

fn split(path: &Utf8Path) -> (&Utf8Path, &Utf8Path) {
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
    (
        folder.unwrap_or(Utf8Path::new(".")),
        Utf8Path::new(path.file_name().unwrap_or_default()),
    )
}
