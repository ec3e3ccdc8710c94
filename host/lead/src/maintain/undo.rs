//! Taking a maintenance run back: every file it changed gets the bytes it had. Only as long as nobody
//! changed one of them since; and what was taken back is not done again.

use std::collections::BTreeSet;

use acreta_fs::{Directory, NoFaults};
use acreta_store::{Change, Layout};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use super::report::{MaintainAction, MaintainRecord};
use crate::error::RunError;
use crate::maintain::pair::{Pair, pair_of};
use crate::memory::desk::{Desk, DeskOptions};
use crate::memory::former::FormerFiles;
use crate::memory::workspace::RunFolder;
use crate::people::amend::refused as refuse;

/// `undo.json`: the files of a run as they were, by path relative to the scope's folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Undo {
    files: FormerFiles,
    /// Whether it has been used.
    undone: bool,
}

/// What was undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndoReport {
    pub run_id: String,
    /// Relative to the scope's folder.
    pub restored: Vec<Utf8PathBuf>,
    pub removed: Vec<Utf8PathBuf>,
}

/// What people have undone: neither is done again.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    pub(crate) pairs: BTreeSet<Pair>,
    pub(crate) archived: BTreeSet<String>,
}

pub(crate) const UNDO_FILE: &str = "undo.json";
const UNDO_BYTES: u64 = 1024 * 1024 * 1024;

impl Undo {
    /// Keeps what a change is about to replace.
    pub(crate) fn add(&mut self, desk: &DeskOptions, change: &Change) -> Result<(), RunError> {
        self.files.add(desk, change)
    }

    pub(crate) fn save(&self, folder: &RunFolder) -> Result<(), RunError> {
        Ok(folder.write_json_synced(UNDO_FILE, self)?)
    }
}

/// Takes a maintenance run back, byte for byte.
pub fn undo(run_id: &str, options: DeskOptions) -> Result<UndoReport, RunError> {
    let layout = options.layout.clone();
    let mut desk = Desk::open(options)?;
    let missing = || {
        let workspace = layout.workspace();
        refuse(format!("there is no run `{run_id}` in `{workspace}`"))
    };
    let folder = layout
        .open_workspace(&NoFaults::shared())?
        .ok_or_else(missing)?
        .subdirectory(run_id)
        .map_err(|_| missing())?;
    let mut known: Undo = read(&folder).ok_or_else(|| {
        refuse(format!(
            "run `{run_id}` changed nothing that could be undone"
        ))
    })?;
    if known.undone {
        return Err(refuse(format!("run `{run_id}` has been undone before")));
    }
    let mut report = UndoReport {
        run_id: run_id.to_owned(),
        restored: Vec::new(),
        removed: Vec::new(),
    };
    let change = known.files.change_back(desk.run_id("undo"));
    for file in &change.files {
        match file.new {
            Some(_) => report.restored.push(file.path.clone()),
            None => report.removed.push(file.path.clone()),
        }
    }
    desk.commit_change(&change)?;
    known.undone = true;
    let mut bytes = serde_json::to_vec_pretty(&known).expect("string keys and plain values");
    bytes.push(b'\n');
    folder.replace(UNDO_FILE, &bytes)?;
    Ok(report)
}

/// What runs that were undone had done.
pub(crate) fn refused(layout: &Layout) -> Refused {
    let mut refused = Refused::default();
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

fn read(folder: &Directory) -> Option<Undo> {
    let bytes = folder.read(UNDO_FILE, UNDO_BYTES).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn records(folder: &Directory) -> Vec<MaintainRecord> {
    #[derive(Deserialize)]
    struct Actions {
        actions: Vec<MaintainRecord>,
    }
    let bytes = folder.read("maintain_actions.json", UNDO_BYTES);
    let actions = bytes
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Actions>(&bytes).ok());
    actions.map(|actions| actions.actions).unwrap_or_default()
}
