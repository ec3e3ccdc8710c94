//! The journal of one commit: a folder with the new contents and, once the commit is decided, a manifest. Rolling
//! forward is idempotent.

use std::collections::BTreeSet;

use acreta_fs::{Directory, EntryKind, FsError};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::change::check_targets;
use crate::{CommitError, Committed, EditConflict, Layout, digest};

/// Start of the name of a journal that was set aside. No run id starts with a dot.
pub(crate) const SET_ASIDE: &str = ".damaged-";

const MANIFEST: &str = "manifest.json";
const MANIFEST_BYTES: u64 = 256 * 1024 * 1024;

/// The files that a commit changes. The commit is decided once the manifest is on disk.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// Digest of `files`: a flipped byte in a path would move a file to another place. A journal that version 0.1.0
    /// left has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    pub(crate) files: Vec<ManifestFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManifestFile {
    /// Relative to the base.
    pub(crate) target: Utf8PathBuf,
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    /// Name of the new content in the journal's folder.
    pub(crate) staged: Option<String>,
}

impl Manifest {
    pub(crate) fn new(files: Vec<ManifestFile>) -> Self {
        Self {
            sha256: Some(digest_of(&files)),
            files,
        }
    }
}

fn digest_of(files: &[ManifestFile]) -> String {
    digest(serde_json::to_vec(files).expect("files have string keys and plain values"))
}

/// The folder `meta/commit/<run>`.
pub(crate) struct Journal<'a> {
    directory: &'a Directory,
    parent: &'a Utf8Path,
    folder: Utf8PathBuf,
    run_id: &'a str,
}

/// Action to take for one file when rolling forward.
enum RollForwardStep {
    Done,
    Write {
        staged: Utf8PathBuf,
    },
    Remove,
    /// Neither the old nor the new content: a person's edit, left alone.
    Edited {
        wanted: Option<Vec<u8>>,
    },
}

impl<'a> Journal<'a> {
    pub(crate) fn new(directory: &'a Directory, parent: &'a Utf8Path, run_id: &'a str) -> Self {
        Self {
            directory,
            parent,
            folder: acreta_fs::join(parent, run_id),
            run_id,
        }
    }

    pub(crate) fn create(&self) -> Result<(), FsError> {
        self.directory.create_dir_all(&self.folder)?;
        // All ancestors: the process that created a folder may have died before it was synced.
        sync_all(self.directory, self.parent.ancestors())
    }

    /// Writes one new content and returns its file name.
    pub(crate) fn stage(&self, number: usize, bytes: &[u8]) -> Result<String, FsError> {
        let name = format!("{number:06}");
        self.directory
            .write_synced_new(acreta_fs::join(&self.folder, &name), bytes)?;
        Ok(name)
    }

    /// Writes the manifest: the commit point. Staged files are synced first, so that a manifest never exists without
    /// them.
    pub(crate) fn decide(&self, manifest: &Manifest) -> Result<(), FsError> {
        self.directory.sync_directory(&self.folder)?;
        let json = serde_json::to_vec_pretty(manifest)
            .expect("a manifest has string keys and plain values");
        self.directory
            .replace(acreta_fs::join(&self.folder, MANIFEST), &json)
    }

    /// Reads the manifest; `None` if the commit was not decided.
    pub(crate) fn manifest(&self, layout: &Layout) -> Result<Option<Manifest>, CommitError> {
        let path = acreta_fs::join(&self.folder, MANIFEST);
        let bytes = match self.directory.read(&path, MANIFEST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(CommitError::of_journal(error)),
        };
        let damaged = |reason: String| CommitError::Damaged {
            path: path.clone(),
            reason,
        };
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        let is_whole = |sha256: &String| *sha256 == digest_of(&manifest.files);
        if !manifest.sha256.iter().all(is_whole) {
            return Err(damaged("its checksum does not match".to_owned()));
        }
        check_targets(
            layout,
            manifest.files.iter().map(|file| file.target.as_path()),
        )?;
        for file in &manifest.files {
            let is_plain =
                |name: &String| name.len() == 6 && name.bytes().all(|byte| byte.is_ascii_digit());
            if file.staged.is_some() != file.new.is_some() || !file.staged.iter().all(is_plain) {
                return Err(damaged(format!(
                    "`{}` has no usable new content",
                    file.target
                )));
            }
        }
        Ok(Some(manifest))
    }

    /// Brings every file to its new content. Everything is on disk when this returns.
    pub(crate) fn roll_forward(&self, manifest: &Manifest) -> Result<Committed, CommitError> {
        // All steps are planned before any is executed, so that a damaged journal changes nothing.
        let steps = manifest
            .files
            .iter()
            .map(|file| self.step(file))
            .collect::<Result<Vec<_>, _>>()?;
        self.make_folders(manifest)?;
        let mut committed = Committed::default();
        let mut touched = BTreeSet::new();
        for (file, step) in manifest.files.iter().zip(steps) {
            let parent = parent(&file.target);
            match step {
                RollForwardStep::Edited { wanted } => {
                    committed.conflicts.push(EditConflict {
                        run_id: self.run_id.to_owned(),
                        path: file.target.clone(),
                        wanted,
                    });
                    continue;
                }
                RollForwardStep::Write { staged } => self.directory.rename(staged, &file.target)?,
                RollForwardStep::Remove => self.directory.remove_file(&file.target)?,
                RollForwardStep::Done => {}
            }
            touched.insert(parent);
            if file.new.is_some() {
                committed.written.push(file.target.clone());
            } else {
                committed.removed.push(file.target.clone());
            }
        }
        sync_all(self.directory, touched)?;
        Ok(committed)
    }

    /// Creates the folders of all targets and syncs them and their ancestors: a file must not leave the journal for a
    /// folder that a crash could remove.
    fn make_folders(&self, manifest: &Manifest) -> Result<(), FsError> {
        let written = manifest.files.iter().filter(|file| file.new.is_some());
        let folders: BTreeSet<&Utf8Path> = written.map(|file| parent(&file.target)).collect();
        for folder in &folders {
            self.directory.create_dir_all(folder)?;
        }
        let ancestors: BTreeSet<&Utf8Path> = folders
            .iter()
            .flat_map(|folder| folder.ancestors().skip(1))
            .collect();
        sync_all(self.directory, ancestors)
    }

    /// Removes the folder, after the commit is finished or if it was never decided. The manifest is removed and synced
    /// first, so that it never exists without the contents it names.
    pub(crate) fn close(&self) -> Result<(), FsError> {
        match self
            .directory
            .remove_file(acreta_fs::join(&self.folder, MANIFEST))
        {
            Ok(()) => self.directory.sync_directory(&self.folder)?,
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
        match self.directory.remove_dir_all(&self.folder) {
            Err(error) if error.is_not_found() => return Ok(()),
            other => other?,
        }
        self.directory.sync_directory(self.parent)
    }

    /// Renames the folder of a journal that cannot be replayed, so that it holds no later commit up. Nothing of it is
    /// removed.
    pub(crate) fn set_aside(&self) -> Result<(), FsError> {
        // Whoever forged a journal chose the length of its name.
        let name = format!("{SET_ASIDE}{}", acreta_text::head(self.run_id, 100));
        let mut aside = acreta_fs::join(self.parent, &name);
        for number in 2.. {
            if !self.directory.exists(&aside)? {
                break;
            }
            aside = acreta_fs::join(self.parent, format!("{name}-{number}"));
        }
        self.directory.rename(&self.folder, &aside)?;
        self.directory.sync_directory(self.parent)
    }

    fn step(&self, file: &ManifestFile) -> Result<RollForwardStep, CommitError> {
        let found = match self.directory.metadata(&file.target) {
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(CommitError::of_journal(error)),
            Ok(found) if found.kind == EntryKind::File => {
                Some(digest(self.directory.read(&file.target, found.bytes)?))
            }
            // A directory or a link in place of a file.
            Ok(_) => Some(String::new()),
        };
        if found == file.new {
            return Ok(RollForwardStep::Done);
        }
        let (Some(name), Some(new)) = (&file.staged, &file.new) else {
            let is_old = found == file.old;
            return Ok(if is_old {
                RollForwardStep::Remove
            } else {
                RollForwardStep::Edited { wanted: None }
            });
        };
        let staged = acreta_fs::join(&self.folder, name);
        let bytes = match self.directory.read(&staged, u64::MAX) {
            Ok(bytes) => bytes,
            // It left the journal, so it was put in place; the current content was written later.
            Err(error) if error.is_not_found() => return Ok(RollForwardStep::Done),
            Err(error) => return Err(CommitError::of_journal(error)),
        };
        if digest(&bytes) != *new {
            return Err(CommitError::Damaged {
                path: staged,
                reason: "its content is not what was committed".to_owned(),
            });
        }
        if found == file.old {
            Ok(RollForwardStep::Write { staged })
        } else {
            Ok(RollForwardStep::Edited {
                wanted: Some(bytes),
            })
        }
    }
}

/// Returns the folder of a target; `.` at the top.
pub(crate) fn parent(target: &Utf8Path) -> &Utf8Path {
    target
        .parent()
        .filter(|parent| !parent.as_str().is_empty())
        .unwrap_or(Utf8Path::new("."))
}

/// Syncs folders. The empty path is the base; a missing folder is skipped.
fn sync_all<'a>(
    directory: &Directory,
    folders: impl IntoIterator<Item = &'a Utf8Path>,
) -> Result<(), FsError> {
    for folder in folders {
        let folder = if folder.as_str().is_empty() {
            Utf8Path::new(".")
        } else {
            folder
        };
        match directory.sync_directory(folder) {
            Err(error) if error.is_not_found() => {}
            other => other?,
        }
    }
    Ok(())
}
