//! A change of several files, and its result. It is checked before anything is written: a change stays beneath the
//! base, names each file once and does not touch the journal.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use crate::name::is_run_id;
use crate::{CommitError, Layout};

/// Files to be changed together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Names the journal folder of this change.
    pub run_id: String,
    pub files: Vec<FileChange>,
}

/// One file of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Relative to the layout's base.
    pub path: Utf8PathBuf,
    /// Digest of the current content; `None` if the file must not exist.
    pub old: Option<String>,
    /// The new content; `None` removes the file.
    pub new: Option<Vec<u8>>,
}

/// Result of a commit. Paths are relative to the base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Committed {
    pub written: Vec<Utf8PathBuf>,
    pub removed: Vec<Utf8PathBuf>,
    /// Files that were edited during the commit and therefore left unchanged.
    pub conflicts: Vec<EditConflict>,
}

/// A file whose content was neither the old nor the new content of the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditConflict {
    pub run_id: String,
    pub path: Utf8PathBuf,
    /// The content that the change would have written; `None` for a removal.
    pub wanted: Option<Vec<u8>>,
}

/// Result of `recover`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Decided commits that are now finished.
    pub rolled_forward: Vec<RolledForward>,
    /// Runs whose commit was not decided; memory is unchanged by them.
    pub discarded: Vec<String>,
    /// Runs whose journal is not one that a commit writes, with the reason. It was renamed, and memory is unchanged by it.
    pub set_aside: Vec<(String, String)>,
}

/// An interrupted commit that was finished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RolledForward {
    pub run_id: String,
    pub committed: Committed,
}

impl Recovery {
    /// Reports whether there was nothing to recover.
    pub fn is_empty(&self) -> bool {
        self.rolled_forward.is_empty() && self.discarded.is_empty()
    }

    /// Returns files that a person edited before they could be written; each becomes a proposal.
    pub fn conflicts(&self) -> impl Iterator<Item = &EditConflict> {
        self.rolled_forward
            .iter()
            .flat_map(|finished| &finished.committed.conflicts)
    }
}

impl Change {
    pub(crate) fn check(&self, layout: &Layout) -> Result<(), CommitError> {
        if !is_run_id(&self.run_id) {
            return Err(CommitError::InvalidRun {
                run_id: self.run_id.clone(),
            });
        }
        check_targets(layout, self.files.iter().map(|file| file.path.as_path()))?;
        match self
            .files
            .iter()
            .find(|file| file.old.is_none() && file.new.is_none())
        {
            Some(file) => Err(refused(&file.path, "it removes a file that does not exist")),
            None => Ok(()),
        }
    }
}

/// Checks that the store may change the targets and that no target is a duplicate or a parent of another.
pub(crate) fn check_targets<'a>(
    layout: &Layout,
    targets: impl Iterator<Item = &'a Utf8Path> + Clone,
) -> Result<(), CommitError> {
    // Some file systems are case-insensitive.
    let folded = |path: &Utf8Path| Utf8PathBuf::from(path.as_str().to_lowercase());
    let mut seen = BTreeSet::new();
    for path in targets.clone() {
        if !acreta_fs::is_relative_path(path) {
            return Err(refused(path, "it is not a plain relative path"));
        }
        if !layout.may_change(path) {
            return Err(refused(path, "it belongs to the journal"));
        }
        if !seen.insert(folded(path)) {
            return Err(refused(path, "it is changed twice"));
        }
    }
    for path in targets {
        if folded(path)
            .ancestors()
            .skip(1)
            .any(|ancestor| seen.contains(ancestor))
        {
            return Err(refused(
                path,
                "it is inside another file of the same change",
            ));
        }
    }
    Ok(())
}

fn refused(path: &Utf8Path, reason: &'static str) -> CommitError {
    CommitError::InvalidPath {
        path: path.to_owned(),
        reason,
    }
}
