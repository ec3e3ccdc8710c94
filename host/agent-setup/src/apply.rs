//! Applies a plan: backups and receipt first, then one file after the other. If a file cannot be written, the files
//! before it are restored.

use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError};
use camino::{Utf8Path, Utf8PathBuf};

use crate::files;
use crate::receipt::{RECEIPT, digest};
use crate::{ApplyError, Before, FileChange, Plan, Receipt, Written};

/// Applies a plan. Creates `folder` with a copy of every file that changes and the receipt; it must not hold another
/// receipt. Only its owner can read it, because settings hold keys.
pub fn apply(
    plan: &Plan,
    folder: &Utf8Path,
    faults: Arc<dyn Faults>,
) -> Result<Receipt, ApplyError> {
    for change in &plan.changes {
        let now = files::read_text(&change.target).map_err(ApplyError::Backup)?;
        if now != change.before {
            return Err(ApplyError::Stale {
                path: change.path.clone(),
            });
        }
    }
    let receipt = keep(plan, folder, &faults)?;
    for (index, change) in plan.changes.iter().enumerate() {
        let written = files::write(&change.target, change.after.as_bytes(), &faults);
        if let Err(cause) = written {
            let path = change.path.clone();
            return Err(match put_back(&plan.changes[..=index], &receipt, &faults) {
                Ok(()) => ApplyError::RolledBack { path, cause },
                Err(_) => ApplyError::Partial {
                    path,
                    folder: folder.to_owned(),
                    cause,
                },
            });
        }
    }
    Ok(receipt)
}

/// Writes backups and receipt; they are on disk when this returns.
fn keep(plan: &Plan, folder: &Utf8Path, faults: &Arc<dyn Faults>) -> Result<Receipt, ApplyError> {
    let mut made_folders: Vec<Utf8PathBuf> = Vec::new();
    for change in &plan.changes {
        for missing in files::missing_folders(&change.target) {
            if !made_folders.contains(&missing) {
                made_folders.push(missing);
            }
        }
    }
    let directory =
        Directory::open_or_create_private(folder, faults.clone()).map_err(ApplyError::Backup)?;
    if directory.exists(RECEIPT).map_err(ApplyError::Backup)? {
        return Err(ApplyError::FolderTaken {
            folder: folder.to_owned(),
        });
    }
    let write = || -> Result<Receipt, FsError> {
        let mut written = Vec::new();
        for (index, change) in plan.changes.iter().enumerate() {
            let before = match &change.before {
                None => None,
                Some(text) => {
                    let backup = backup_name(index, &change.target);
                    directory.replace(&backup, text.as_bytes())?;
                    let digest = digest(text.as_bytes());
                    Some(Before { digest, backup })
                }
            };
            written.push(Written {
                path: change.path.clone(),
                target: change.target.clone(),
                agents: change.agents.clone(),
                what: change.what.iter().map(|&what| what.to_owned()).collect(),
                before,
                after: digest(change.after.as_bytes()),
                entries: change.entries.clone(),
            });
        }
        let receipt = Receipt {
            written,
            made_folders,
            folder: folder.to_owned(),
        };
        directory.replace(RECEIPT, receipt.to_text().as_bytes())?;
        Ok(receipt)
    };
    write().map_err(ApplyError::Backup)
}

/// Restores the files written so far. The receipt is removed last, since it can undo the rest until then.
fn put_back(
    changes: &[FileChange],
    receipt: &Receipt,
    faults: &Arc<dyn Faults>,
) -> Result<(), FsError> {
    for change in changes.iter().rev() {
        let now = files::read_bytes(&change.target)?;
        let before = change.before.as_ref().map(String::as_bytes);
        if now.as_deref() == before {
            continue;
        }
        match before {
            Some(bytes) => files::write(&change.target, bytes, faults)?,
            None => files::remove(&change.target, faults)?,
        }
    }
    files::remove_empty_folders(&receipt.made_folders, faults);
    files::remove(&receipt.folder.join(RECEIPT), faults)?;
    for before in receipt
        .written
        .iter()
        .filter_map(|file| file.before.as_ref())
    {
        files::remove(&receipt.folder.join(&before.backup), faults)?;
    }
    Ok(())
}

/// Returns the name of a backup. The number distinguishes files with the same name.
fn backup_name(index: usize, target: &Utf8Path) -> String {
    let name = target.file_name().unwrap_or("file").trim_start_matches('.');
    format!("{index:02}-{name}")
}
