//! A change of several files, and what became of it. Checked before anything is written: a change
//! stays beneath the base, names each file once and keeps out of the journal.

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
    /// Digest of what is there now; `None` when there must be nothing.
    pub old: Option<String>,
    /// What shall be there; `None` removes the file.
    pub new: Option<Vec<u8>>,
}

/// What a commit did. Paths are relative to the base.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Committed {
    pub written: Vec<Utf8PathBuf>,
    pub removed: Vec<Utf8PathBuf>,
    /// Files that were edited while the commit was under way, and so left as they are.
    pub conflicts: Vec<Conflict>,
}

/// A file that was neither as the change found it nor as it would leave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub run_id: String,
    pub path: Utf8PathBuf,
    /// What the change would have put there; `None` for a removal.
    pub wanted: Option<Vec<u8>>,
}

/// What `recover` found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Commits that were decided and are now finished.
    pub rolled_forward: Vec<RolledForward>,
    /// Runs whose commit was not decided; memory is as it was before them.
    pub discarded: Vec<String>,
}

/// An interrupted commit that was finished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RolledForward {
    pub run_id: String,
    pub committed: Committed,
}

impl Recovery {
    /// Whether there was anything to do.
    pub fn is_empty(&self) -> bool {
        self.rolled_forward.is_empty() && self.discarded.is_empty()
    }

    /// Files that a person edited before they could be written; each becomes a proposal.
    pub fn conflicts(&self) -> impl Iterator<Item = &Conflict> {
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
            Some(file) => Err(refused(&file.path, "there is nothing to remove")),
            None => Ok(()),
        }
    }
}

/// Checks that targets are the store's to change and do not get in each other's way.
pub(crate) fn check_targets<'a>(
    layout: &Layout,
    targets: impl Iterator<Item = &'a Utf8Path> + Clone,
) -> Result<(), CommitError> {
    // Some disks do not tell case apart.
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
            return Err(refused(path, "it lies in a file of the same change"));
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
