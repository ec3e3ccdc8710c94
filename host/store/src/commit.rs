//! Commits a change, and finishes commits that a crash interrupted. A change is decided when its manifest is on disk:
//! before that, recovery discards it; after that, recovery finishes it.
//!
//! An example: run `01J8` writes a new text of `learnings/a.md` and removes `learnings/b.md`.
//!
//! 1. Both files must still have the content that the run read. Otherwise the commit is [`Stale`](CommitError::Stale) and
//!    nothing was written.
//! 2. The new text is written to `meta/commit/01J8/000000`. After a crash here the folder has no manifest: recovery removes
//!    it, and memory is as it was.
//! 3. `meta/commit/01J8/manifest.json` is written. For each target it has the digest of the old and of the new content, and
//!    where the new content lies. The commit is decided.
//! 4. Each target is brought to its new content: the staged file is renamed to `learnings/a.md`, `learnings/b.md` is removed.
//! 5. The hook runs, and the journal is removed.
//!
//! After a crash in step 4 or 5, recovery repeats both. A target that has its new content is done; one that has its old
//! content is brought to the new one; one that has neither was edited by a person in between and stays as it is: what the run
//! wanted there is reported as an [`EditConflict`](crate::EditConflict).

use acreta_fs::{Directory, EntryKind, FsError};
use camino::{Utf8Path, Utf8PathBuf};

use crate::journal::{Journal, Manifest, ManifestFile, SET_ASIDE, parent};
use crate::layout::{INDEX_CHECKED, INDEX_CHECKING};
use crate::{
    Change, CommitError, Committed, IndexNote, Memory, ProjectLock, Recovery, RolledForward, Store,
    StoreError, digest,
};

impl Store {
    /// Applies a change as a whole or not at all. Nothing was changed if the error is neither
    /// [`CommitError::Interrupted`] nor [`CommitError::Sync`].
    pub fn commit(&self, lock: &ProjectLock, change: &Change) -> Result<Committed, CommitError> {
        self.commit_with(lock, change, || Ok(()))
    }

    /// Like [`Store::commit`], and calls `hook` after the files are in place and before the journal is removed. If
    /// `hook` fails, or the process dies before it is done, [`Store::recover_with`] repeats it.
    pub fn commit_with(
        &self,
        _lock: &ProjectLock,
        change: &Change,
        hook: impl FnOnce() -> Result<(), CommitError>,
    ) -> Result<Committed, CommitError> {
        self.apply(
            change,
            |directory| self.note_learnt(directory, change),
            hook,
        )
    }

    /// Commits memories of an export. They do not count as learnt here, unless one of this user's ledgers has their
    /// texts and all their contributions.
    pub fn commit_restored(
        &self,
        _lock: &ProjectLock,
        change: &Change,
        memories: &[Memory],
    ) -> Result<Committed, CommitError> {
        self.apply(change, |_| self.note_restored(memories), || Ok(()))
    }

    fn apply(
        &self,
        change: &Change,
        note_learnt: impl FnOnce(&Directory) -> Result<(), FsError>,
        hook: impl FnOnce() -> Result<(), CommitError>,
    ) -> Result<Committed, CommitError> {
        change.check(self.layout())?;
        let directory = self.created()?;
        directory.check_poison()?;
        let folder = self.layout().commit_folder();
        if let Some(unfinished) = unfinished(directory, folder)?.first() {
            return Err(CommitError::Unfinished {
                run_id: unfinished.0.clone(),
            });
        }
        for file in &change.files {
            if !matches_old(directory, &file.path, file.old.as_deref())? {
                return Err(CommitError::Stale {
                    path: file.path.clone(),
                });
            }
        }

        directory.sync_own_name()?;
        // Created before the change is decided: a folder that cannot be created must not block a decided change.
        for file in change.files.iter().filter(|file| file.new.is_some()) {
            directory.create_dir_all(parent(&file.path))?;
        }

        note_learnt(directory)?;
        let journal = Journal::new(directory, folder, &change.run_id);
        let manifest = match stage(&journal, change) {
            Ok(manifest) => manifest,
            Err(error) => {
                // Best effort: a leftover has no manifest, so recovery discards it.
                let _ = journal.close();
                return Err(error.into());
            }
        };
        let files = change.files.iter().map(|file| file.path.as_path());
        let note = IndexNote::before(directory, files);
        let finish = || {
            let committed = journal.roll_forward(&manifest)?;
            hook()?;
            journal.close()?;
            note.leave(directory, &change.run_id);
            Ok(committed)
        };
        finish().map_err(|cause| interrupted(&change.run_id, cause))
    }

    /// Returns the journals that were set aside because they cannot be replayed, relative to the base.
    pub fn journals_set_aside(&self) -> Result<Vec<Utf8PathBuf>, StoreError> {
        let Some(directory) = self.existing()? else {
            return Ok(Vec::new());
        };
        let folder = self.layout().commit_folder();
        let names = entries(directory, folder)?.into_iter();
        let aside = names.filter(|(name, _)| name.starts_with(SET_ASIDE));
        Ok(aside
            .map(|(name, _)| acreta_fs::join(folder, name))
            .collect())
    }

    /// Finishes or discards the commits that an earlier process left behind. Does nothing if there are none.
    pub fn recover(&self, lock: &ProjectLock) -> Result<Recovery, CommitError> {
        self.recover_with(lock, |_| Ok(()))
    }

    /// Like [`Store::recover`], and calls `hook` with the run id of each finished commit after its files are in place.
    /// `hook` may have been called for that run before.
    pub fn recover_with(
        &self,
        _lock: &ProjectLock,
        mut hook: impl FnMut(&str) -> Result<(), CommitError>,
    ) -> Result<Recovery, CommitError> {
        let mut recovery = Recovery::default();
        let Some(directory) = self.existing()? else {
            return Ok(recovery);
        };
        directory.check_poison()?;
        let folder = self.layout().commit_folder();
        // A file in the place of the folder came with the repository.
        let found = directory.metadata(folder);
        if found.is_ok_and(|found| found.kind == EntryKind::File) {
            directory.remove_file(folder)?;
        }
        for (run_id, kind) in unfinished(directory, folder)? {
            if kind != EntryKind::Directory {
                directory.remove_file(acreta_fs::join(folder, &run_id))?;
                directory.sync_directory(folder)?;
                continue;
            }
            let journal = Journal::new(directory, folder, &run_id);
            let rolled = match journal.manifest(self.layout()) {
                Ok(None) => {
                    journal.close()?;
                    recovery.discarded.push(run_id);
                    continue;
                }
                Ok(Some(manifest)) => journal.roll_forward(&manifest),
                Err(error) => Err(error),
            };
            let committed = match rolled {
                // Found before anything was changed. It may have come with the repository: everything in it can be forged.
                Err(error @ (CommitError::Damaged { .. } | CommitError::InvalidPath { .. })) => {
                    journal.set_aside()?;
                    recovery.set_aside.push((run_id, error.to_string()));
                    continue;
                }
                rolled => rolled?,
            };
            hook(&run_id)?;
            journal.close()?;
            // The earlier state of its folders is unknown: the next search compares everything.
            for note in [INDEX_CHECKING, INDEX_CHECKED] {
                let _ = directory.remove_file(note);
            }
            recovery
                .rolled_forward
                .push(RolledForward { run_id, committed });
        }
        Ok(recovery)
    }
}

/// Writes the new contents to the journal, then decides the change.
fn stage(journal: &Journal<'_>, change: &Change) -> Result<Manifest, FsError> {
    journal.create()?;
    let mut files = Vec::with_capacity(change.files.len());
    for (number, file) in change.files.iter().enumerate() {
        let staged = match &file.new {
            Some(bytes) => Some(journal.stage(number, bytes)?),
            None => None,
        };
        files.push(ManifestFile {
            target: file.path.clone(),
            old: file.old.clone(),
            new: file.new.as_ref().map(digest),
            staged,
        });
    }
    let manifest = Manifest::new(files);
    journal.decide(&manifest)?;
    Ok(manifest)
}

/// Reports whether a file is as the change expects it. False for anything but a regular file.
fn matches_old(directory: &Directory, path: &Utf8Path, old: Option<&str>) -> Result<bool, FsError> {
    match directory.metadata(path) {
        Err(error) if error.is_not_found() => Ok(old.is_none()),
        Err(error) => Err(error),
        Ok(found) if found.kind != EntryKind::File => Ok(false),
        Ok(found) => match old {
            None => Ok(false),
            Some(old) => Ok(digest(directory.read(path, found.bytes)?) == old),
        },
    }
}

/// Lists the entries of the journal that are not set aside, sorted.
fn unfinished(
    directory: &Directory,
    folder: &Utf8Path,
) -> Result<Vec<(String, EntryKind)>, FsError> {
    let mut entries = entries(directory, folder)?;
    entries.retain(|(name, _)| !name.starts_with(SET_ASIDE));
    Ok(entries)
}

fn entries(directory: &Directory, folder: &Utf8Path) -> Result<Vec<(String, EntryKind)>, FsError> {
    match directory.list(folder, 100_000) {
        Ok(entries) => Ok(entries
            .into_iter()
            .filter_map(|entry| Some((entry.path.file_name()?.to_owned(), entry.metadata.kind)))
            .collect()),
        Err(error) if error.is_not_found() => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn interrupted(run_id: &str, cause: CommitError) -> CommitError {
    match cause {
        CommitError::Sync(error) => CommitError::Sync(error),
        cause => CommitError::Interrupted {
            run_id: run_id.to_owned(),
            cause: Box::new(cause),
        },
    }
}
