//! The way back. A file that still is what was written becomes what it was, byte for byte; one that
//! changed since loses acreta's entries and nothing else, or is left alone and named.

use std::sync::Arc;

use acreta_fs::{Faults, FsError};
use camino::Utf8PathBuf;

use crate::json_edit::{take_item, take_key};
use crate::receipt::digest;
use crate::{Entry, Receipt, Written, files};

/// What became of each file of a receipt.
#[derive(Debug, Default)]
pub struct Undone {
    /// Back to what they were.
    pub restored: Vec<Utf8PathBuf>,
    /// Made by acreta, and gone.
    pub removed: Vec<Utf8PathBuf>,
    /// Changed since; acreta's entries are out, the rest is as it is now.
    pub taken_out: Vec<Utf8PathBuf>,
    /// As they were already.
    pub already: Vec<Utf8PathBuf>,
    pub refused: Vec<Refusal>,
}

/// A file that was left alone.
#[derive(Debug)]
pub struct Refusal {
    pub path: Utf8PathBuf,
    pub why: Refused,
}

#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("it changed since, and acreta's part in it cannot be told from the rest")]
    Changed,
    #[error("it is gone")]
    Gone,
    #[error("its backup is missing or damaged")]
    Backup,
    #[error(transparent)]
    Disk(#[from] FsError),
}

impl Undone {
    /// Whether nothing of acreta is left.
    pub fn is_complete(&self) -> bool {
        self.refused.is_empty()
    }
}

enum Outcome {
    Restored,
    Removed,
    TakenOut,
    Already,
}

/// Undoes what a receipt tells of, the last file first. A file that cannot be undone does not keep
/// the others from it.
pub fn undo(receipt: &Receipt, faults: Arc<dyn Faults>) -> Undone {
    let mut undone = Undone::default();
    for written in receipt.written.iter().rev() {
        let path = written.path.clone();
        match undo_file(receipt, written, &faults) {
            Ok(Outcome::Restored) => undone.restored.push(path),
            Ok(Outcome::Removed) => undone.removed.push(path),
            Ok(Outcome::TakenOut) => undone.taken_out.push(path),
            Ok(Outcome::Already) => undone.already.push(path),
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
) -> Result<Outcome, Refused> {
    let now = files::read_bytes(&written.target)?;
    let now_digest = now.as_deref().map(digest);
    let before_digest = written.before.as_ref().map(|before| before.digest.clone());
    if now_digest == before_digest {
        return Ok(Outcome::Already);
    }
    let Some(now) = now else {
        return Err(Refused::Gone);
    };
    if now_digest.as_ref() != Some(&written.after) {
        let text = String::from_utf8(now).map_err(|_| Refused::Changed)?;
        let rest = without_entries(&text, &written.entries).ok_or(Refused::Changed)?;
        files::write(&written.target, rest.as_bytes(), faults)?;
        return Ok(Outcome::TakenOut);
    }
    let Some(before) = &written.before else {
        files::remove(&written.target, faults)?;
        return Ok(Outcome::Removed);
    };
    let backup = files::read_bytes(&receipt.folder.join(&before.backup))?;
    let backup = backup
        .filter(|bytes| digest(bytes) == before.digest)
        .ok_or(Refused::Backup)?;
    files::write(&written.target, &backup, faults)?;
    Ok(Outcome::Restored)
}

/// A text without entries, all of which must be there as they were added.
fn without_entries(text: &str, entries: &[Entry]) -> Option<String> {
    let mut text = text.to_owned();
    for entry in entries.iter().rev() {
        text = match entry {
            Entry::Key { at, value, made } => take_key(&text, at, value, *made).ok()??,
            Entry::Item { at, value, made } => take_item(&text, at, value, *made).ok()??,
            Entry::Text { text: added } => {
                let added = added.trim_matches(['\r', '\n']);
                let (before, after) = text.split_once(added)?;
                if added.is_empty() || after.contains(added) {
                    return None;
                }
                let after = after.strip_prefix('\r').unwrap_or(after);
                let after = after.strip_prefix('\n').unwrap_or(after);
                format!("{before}{after}")
            }
            Entry::File => return None,
        };
    }
    Some(text)
}
