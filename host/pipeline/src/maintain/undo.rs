//! Undoes a maintenance run: restores the bytes of every file that it changed, if none of them changed since. An
//! undone change is not made again.

use std::collections::BTreeSet;

use acreta_fs::{Directory, NoFaults};
use acreta_store::{Change, Layout};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::report::{MaintainAction, MaintainRecord};
use crate::error::RunError;
use crate::maintain::pair::{MemoryPair, pair_of};
use crate::memory::former::FormerFiles;
use crate::memory::workspace::RunFolder;
use crate::memory::writable::{WritableMemory, WritableOptions};
use crate::people::amend::refused as refuse;

/// `undo.json`: the files of a run before it, by path relative to the scope's folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct UndoFile {
    files: FormerFiles,
    /// True once the run was undone.
    undone: bool,
}

/// Result of undoing a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    pub run_id: String,
    /// Relative to the scope's folder.
    pub restored: Vec<Utf8PathBuf>,
    pub removed: Vec<Utf8PathBuf>,
}

/// Changes that people have undone: they are not made again.
#[derive(Debug, Default)]
pub(crate) struct UndoneChanges {
    pub(crate) pairs: BTreeSet<MemoryPair>,
    pub(crate) archived: BTreeSet<String>,
}

pub(crate) const UNDO_FILE: &str = "undo.json";
const UNDO_BYTES: u64 = 1024 * 1024 * 1024;

impl UndoFile {
    /// Saves the files that a change is about to replace.
    pub(crate) fn add(
        &mut self,
        writable: &WritableOptions,
        change: &Change,
    ) -> Result<(), RunError> {
        self.files.add(writable, change)
    }

    pub(crate) fn save(&self, folder: &RunFolder) -> Result<(), RunError> {
        Ok(folder.write_former(UNDO_FILE, self)?)
    }
}

/// Undoes a maintenance run, byte for byte.
pub fn undo(run_id: &str, options: WritableOptions) -> Result<UndoReport, RunError> {
    let layout = options.layout.clone();
    let mut writable = WritableMemory::open(options)?;
    let missing = || {
        let workspace = layout.workspace();
        refuse(format!("there is no run `{run_id}` in `{workspace}`"))
    };
    let folder = layout
        .open_workspace(&NoFaults::shared())?
        .ok_or_else(missing)?
        .subdirectory(run_id)
        .map_err(|_| missing())?;
    let mut known: UndoFile = read(&folder).ok_or_else(|| {
        refuse(format!(
            "run `{run_id}` changed nothing that could be undone"
        ))
    })?;
    if known.undone {
        return Err(refuse(format!("run `{run_id}` was already undone")));
    }
    let mut report = UndoReport {
        run_id: run_id.to_owned(),
        restored: Vec::new(),
        removed: Vec::new(),
    };
    let change = known.files.change_back(writable.run_id("undo"));
    for file in &change.files {
        match file.new {
            Some(_) => report.restored.push(file.path.clone()),
            None => report.removed.push(file.path.clone()),
        }
    }
    writable.commit_change(&change)?;
    known.undone = true;
    let mut bytes = serde_json::to_vec_pretty(&known).expect("string keys and plain values");
    bytes.push(b'\n');
    folder.replace(UNDO_FILE, &bytes)?;
    Ok(report)
}

/// Collects the changes of runs that were undone.
pub(crate) fn refused(layout: &Layout) -> UndoneChanges {
    let mut refused = UndoneChanges::default();
    let Ok(Some(workspace)) = layout.open_workspace(&NoFaults::shared()) else {
        return refused;
    };
    let runs = workspace.list(".", 1_000_000).unwrap_or_default();
    for run in runs {
        let name = run.path.as_str();
        if !name.starts_with("maintain-") {
            continue;
        }
        let Ok(folder) = workspace.subdirectory(name) else {
            continue;
        };
        if !read(&folder).is_some_and(|undo| undo.undone) {
            continue;
        }
        for record in records(&folder) {
            match (record.action, record.other) {
                (MaintainAction::Merge | MaintainAction::Supersede, Some(other)) => {
                    refused.pairs.insert(pair_of(&record.memory_id, &other));
                }
                (MaintainAction::Archive, _) => {
                    refused.archived.insert(record.memory_id);
                }
                _ => {}
            }
        }
    }
    refused
}

fn read(folder: &Directory) -> Option<UndoFile> {
    let bytes = folder.read(UNDO_FILE, UNDO_BYTES).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn records(folder: &Directory) -> Vec<MaintainRecord> {
    #[derive(Deserialize)]
    struct UndoneActions {
        actions: Vec<MaintainRecord>,
    }
    let bytes = folder.read("maintain_actions.json", UNDO_BYTES);
    let actions = bytes
        .ok()
        .and_then(|bytes| serde_json::from_slice::<UndoneActions>(&bytes).ok());
    actions.map(|actions| actions.actions).unwrap_or_default()
}
