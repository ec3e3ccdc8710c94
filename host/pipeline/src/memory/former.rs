//! Files as they were before a change, so that it can be undone byte for byte, as long as none of them changed since.

use std::collections::BTreeMap;

use acreta_store::{Change, FileChange, digest};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::memory::writable::WritableOptions;

const FILE_BYTES: u64 = 64 * 1024 * 1024;

/// Former files by path, relative to the scope's folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct FormerFiles(BTreeMap<Utf8PathBuf, FormerFile>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FormerFile {
    /// `None` if there was no file.
    text: Option<String>,
    /// Digest after the change; `None` if the change removed the file.
    left: Option<String>,
}

impl FormerFiles {
    /// Saves the files that a change is about to replace. The first text of a file counts, and the last digest.
    pub(crate) fn add(
        &mut self,
        writable: &WritableOptions,
        change: &Change,
    ) -> Result<(), RunError> {
        let base = writable.layout.open_or_create(&writable.faults)?;
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
            self.0.insert(file.path.clone(), FormerFile { text, left });
        }
        Ok(())
    }

    /// Returns the change that restores them. Files that were created and removed again in between are left out.
    pub(crate) fn change_back(&self, run_id: String) -> Change {
        let is_there = |former: &&FormerFile| former.text.is_some() || former.left.is_some();
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
