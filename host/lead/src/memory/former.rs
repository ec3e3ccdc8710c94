//! Files as they were before a change, so that it can be taken back byte for byte: only as long as nobody changed one of
//! them since.

use std::collections::BTreeMap;

use acreta_store::{Change, FileChange, digest};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::memory::desk::DeskOptions;

const FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Former files by path, relative to the scope's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct FormerFiles(BTreeMap<Utf8PathBuf, Former>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Former {
    /// None when there was no file.
    text: Option<String>,
    /// Digest of what the change left; none when it left nothing.
    left: Option<String>,
}

impl FormerFiles {
    /// Keeps what a change is about to replace. The first text of a file counts, and the last digest.
    pub(crate) fn add(&mut self, desk: &DeskOptions, change: &Change) -> Result<(), RunError> {
        let base = desk.layout.open_or_create(&desk.faults)?;
        for file in &change.files {
            let left = file.new.as_ref().map(digest);
            if let Some(known) = self.0.get_mut(&file.path) {
                known.left = left;
                continue;
            }
            let text = match &file.old {
                Some(_) => Some(base.read_to_string(&file.path, FILE_BYTES)?),
                None => None,
            };
            self.0.insert(file.path.clone(), Former { text, left });
        }
        Ok(())
    }

    /// The change that brings them back. What was made and removed again in between is left out.
    pub(crate) fn change_back(&self, run_id: String) -> Change {
        let is_there = |former: &&Former| former.text.is_some() || former.left.is_some();
        let files = self.0.iter().filter(|(_, former)| is_there(former));
        Change {
            run_id,
            files: files
                .map(|(path, former)| FileChange {
                    path: path.clone(),
                    old: former.left.clone(),
                    new: former.text.clone().map(String::into_bytes),
                })
                .collect(),
        }
    }
}
