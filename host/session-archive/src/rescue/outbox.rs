//! Names of archived contents that shared storage does not have yet, or still has after they were removed here. A mark
//! is on disk before the catalog knows of a content, and is removed only when both places agree: an upload that failed
//! or was cut is repeated.

use acreta_fs::{Directory, EntryKind, FsError};
use sha2::{Digest, Sha256};

/// Folder of the outboxes in the archive, one for each address that was ever configured.
pub(super) const FOLDER: &str = ".outbox";

/// Separates agent and file name in the name of a mark. No folder name of an agent contains it.
const SEPARATOR: char = '+';

/// Maximum number of marks per outbox.
const MARKS: u64 = 10_000_000;

/// A content whose state in shared storage has to follow the archive's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingUpload {
    /// Folder name of the agent.
    pub agent: String,
    pub(super) file: String,
}

/// Returns the folder name of an address.
pub(super) fn key(address: &str) -> String {
    acreta_text::hex(&Sha256::digest(address)[..8])
}

/// Marks a content in every outbox: this process may not know an address that another one uses.
pub(super) fn mark(archive: &Directory, upload: &WaitingUpload) -> Result<(), FsError> {
    let Some(outboxes) = outboxes(archive)? else {
        return Ok(());
    };
    let name = format!("{}{SEPARATOR}{}", upload.agent, upload.file);
    for entry in outboxes.list(".", MARKS)? {
        if entry.metadata.kind == EntryKind::Directory && !is_unfinished(entry.path.as_str()) {
            let outbox = outboxes.subdirectory(&entry.path)?;
            match outbox.write_synced_new(&name, b"") {
                Ok(()) => outbox.sync_directory(".")?,
                Err(FsError::AlreadyExists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// Removes a mark from the outbox of an address.
pub(super) fn unmark(
    archive: &Directory,
    address: &str,
    upload: &WaitingUpload,
) -> Result<(), FsError> {
    let name = format!("{}{SEPARATOR}{}", upload.agent, upload.file);
    let path = acreta_fs::join(acreta_fs::join(FOLDER, key(address)), name);
    match archive.remove_file(path) {
        Err(error) if !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}

/// Returns true if the address has an outbox: everything archived before was marked in it.
pub(super) fn exists(archive: &Directory, address: &str) -> Result<bool, FsError> {
    archive.exists(acreta_fs::join(FOLDER, key(address)))
}

/// Creates the outbox of an address with these contents, at once.
pub(super) fn create(
    archive: &Directory,
    address: &str,
    contents: impl Iterator<Item = WaitingUpload>,
) -> Result<(), FsError> {
    archive.create_dir_all(FOLDER)?;
    let outboxes = archive.subdirectory(FOLDER)?;
    let key = key(address);
    let made = acreta_fs::scratch(&outboxes, UNFINISHED)?;
    for upload in contents {
        let name = format!("{}{SEPARATOR}{}", upload.agent, upload.file);
        made.directory().write_synced_new(name, b"")?;
    }
    made.directory().sync_directory(".")?;
    let name = made.path().file_name().unwrap_or_default().to_owned();
    match outboxes.rename(&name, &key) {
        Ok(()) => outboxes.sync_directory("."),
        // Another process was faster.
        Err(_) if outboxes.exists(&key)? => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns the marks in the outbox of an address.
pub(super) fn waiting(archive: &Directory, address: &str) -> Result<Vec<WaitingUpload>, FsError> {
    let folder = acreta_fs::join(FOLDER, key(address));
    let entries = match archive.list(&folder, MARKS) {
        Ok(entries) => entries,
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut waiting: Vec<WaitingUpload> = entries
        .iter()
        .filter_map(|entry| {
            let (agent, file) = entry.path.file_name()?.split_once(SEPARATOR)?;
            Some(WaitingUpload {
                agent: agent.to_owned(),
                file: file.to_owned(),
            })
        })
        .collect();
    waiting.sort_by(|left, right| (&left.agent, &left.file).cmp(&(&right.agent, &right.file)));
    Ok(waiting)
}

/// Name prefix of an outbox that is being filled.
const UNFINISHED: &str = "new";

fn is_unfinished(name: &str) -> bool {
    name.starts_with(UNFINISHED)
}

fn outboxes(archive: &Directory) -> Result<Option<Directory>, FsError> {
    match archive.exists(FOLDER)? {
        true => Ok(Some(archive.subdirectory(FOLDER)?)),
        false => Ok(None),
    }
}
