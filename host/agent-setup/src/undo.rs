//! Undoes a change. A file that is unchanged since is restored byte for byte; from a file that changed since, only
//! acreta's entries are removed, or it is skipped and reported.

use std::sync::Arc;

use acreta_fs::{Faults, FsError};
use camino::Utf8PathBuf;

use crate::json_edit::{take_item, take_key};
use crate::receipt::digest;
use crate::{AddedEntry, Receipt, Written, files};

/// Outcome for each file of a receipt.
#[derive(Debug, Default)]
pub struct Undone {
    /// Restored to their earlier content.
    pub restored: Vec<Utf8PathBuf>,
    /// Created by acreta, and removed.
    pub removed: Vec<Utf8PathBuf>,
    /// Changed since; acreta's entries are removed, the rest is unchanged.
    pub taken_out: Vec<Utf8PathBuf>,
    /// Already in their earlier state.
    pub already: Vec<Utf8PathBuf>,
    pub refused: Vec<Refusal>,
}

/// A file that was skipped.
#[derive(Debug)]
pub struct Refusal {
    pub path: Utf8PathBuf,
    pub why: Refused,
}

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("it changed since, and acreta's entries can no longer be identified")]
    Changed,
    #[error("it is gone")]
    Gone,
    #[error("its backup is missing or damaged")]
    Backup,
    #[error(transparent)]
    Disk(#[from] FsError),
}

impl Undone {
    /// Reports whether nothing of acreta is left.
    pub fn is_complete(&self) -> bool {
        self.refused.is_empty()
    }
}

enum UndoOutcome {
    Restored,
    Removed,
    TakenOut,
    Already,
}

/// Undoes the changes of a receipt, the last file first. A file that cannot be undone does not affect the others.
pub fn undo(receipt: &Receipt, faults: Arc<dyn Faults>) -> Undone {
    let mut undone = Undone::default();
    for written in receipt.written.iter().rev() {
        let path = written.path.clone();
        match undo_file(receipt, written, &faults) {
            Ok(UndoOutcome::Restored) => undone.restored.push(path),
            Ok(UndoOutcome::Removed) => undone.removed.push(path),
            Ok(UndoOutcome::TakenOut) => undone.taken_out.push(path),
            Ok(UndoOutcome::Already) => undone.already.push(path),
            Err(why) => undone.refused.push(Refusal { path, why }),
        }
    }
    files::remove_empty_folders(&receipt.made_folders, &faults);
    undone
}

fn undo_file(
    receipt: &Receipt,
    written: &Written,
    faults: &Arc<dyn Faults>,
) -> Result<UndoOutcome, Refused> {
    let now = files::read_bytes(&written.target)?;
    let now_digest = now.as_deref().map(digest);
    let before_digest = written.before.as_ref().map(|before| before.digest.clone());
    if now_digest == before_digest {
        return Ok(UndoOutcome::Already);
    }
    let Some(now) = now else {
        return Err(Refused::Gone);
    };
    if now_digest.as_ref() != Some(&written.after) {
        let text = String::from_utf8(now).map_err(|_| Refused::Changed)?;
        let rest = without_entries(&text, &written.entries).ok_or(Refused::Changed)?;
        files::write(&written.target, rest.as_bytes(), faults)?;
        return Ok(UndoOutcome::TakenOut);
    }
    let Some(before) = &written.before else {
        files::remove(&written.target, faults)?;
        return Ok(UndoOutcome::Removed);
    };
    let backup = files::read_bytes(&receipt.folder.join(&before.backup))?;
    let backup = backup
        .filter(|bytes| digest(bytes) == before.digest)
        .ok_or(Refused::Backup)?;
    files::write(&written.target, &backup, faults)?;
    Ok(UndoOutcome::Restored)
}

/// Removes entries from a text; `None` unless all of them are unchanged.
fn without_entries(text: &str, entries: &[AddedEntry]) -> Option<String> {
    let mut text = text.to_owned();
    for entry in entries.iter().rev() {
        text = match entry {
            AddedEntry::Key { at, value, made } => take_key(&text, at, value, *made).ok()??,
            AddedEntry::Item { at, value, made } => take_item(&text, at, value, *made).ok()??,
            AddedEntry::Text { text: added } => {
                let added = added.trim_matches(['\r', '\n']);
                let (before, after) = text.split_once(added)?;
                if added.is_empty() || after.contains(added) {
                    return None;
                }
                let after = after.strip_prefix('\r').unwrap_or(after);
                let after = after.strip_prefix('\n').unwrap_or(after);
                format!("{before}{after}")
            }
            AddedEntry::File => return None,
        };
    }
    Some(text)
}
