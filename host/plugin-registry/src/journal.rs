//! Changes several files atomically: a plugin's folder, the lock and the grants. New contents are first written to a
//! staging folder; the rename of the journal decides the change, which this process or the next one finishes. Before
//! that rename, nothing has changed.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Directory, Faults, FsError};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::identity::{Digest, PluginId};
use crate::state::{self, Readers, StateError};
use crate::table::{FileError, Problem};

/// Locations of the plugin state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Contains one folder per plugin.
    pub plugins: Utf8PathBuf,
    pub lock: Utf8PathBuf,
    pub grants: Utf8PathBuf,
    /// The list of revoked components.
    pub revoked: Utf8PathBuf,
}

/// A file or folder to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ChangeTarget {
    Component,
    Manifest,
    Signature,
    /// The version before: its component, manifest, signature and lock entry.
    KeptComponent,
    KeptManifest,
    KeptSignature,
    KeptLock,
    /// The plugin's folder with its contents; can only be removed.
    Folder,
    Grants,
    Lock,
}

/// New contents of files, in order; `None` for removal.
pub(crate) type Steps = Vec<(ChangeTarget, Option<Vec<u8>>)>;

/// A change of one plugin.
#[derive(Debug)]
pub(crate) struct PluginChange {
    pub(crate) plugin: PluginId,
    pub(crate) steps: Steps,
}

/// A change in the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalRecord {
    /// Digest of the rest: a flipped byte in the id would change another plugin. A journal that version 0.1.0 left has
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    plugin: String,
    steps: Vec<JournalStep>,
}

impl JournalRecord {
    fn digest(&self) -> String {
        let rest = serde_json::to_vec(&(&self.plugin, &self.steps));
        Digest::of(&rest.expect("plain texts are JSON")).to_string()
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalStep {
    target: ChangeTarget,
    /// Digest before; `None` if there was no file, or if it does not matter.
    old: Option<String>,
    /// Digest after; `None` for removal.
    new: Option<String>,
}

/// The plugins folder, locked against other processes.
pub(crate) struct LockedPlugins {
    paths: Paths,
    faults: Arc<dyn Faults>,
    directory: Directory,
    _lock: acreta_fs::Lock,
}

/// Finishes a decided change, if there is one.
pub(crate) fn recover(paths: &Paths, faults: &Arc<dyn Faults>) -> Result<(), StateError> {
    let journal = format!("{FOLDER}/{JOURNAL}");
    match Directory::open(&paths.plugins, Arc::clone(faults)) {
        Ok(directory) if directory.exists(&journal)? => {
            LockedPlugins::new(paths, faults)?;
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

impl LockedPlugins {
    /// Waits for other processes, and finishes a change that one of them left.
    pub(crate) fn new(paths: &Paths, faults: &Arc<dyn Faults>) -> Result<Self, StateError> {
        let directory = Directory::open_or_create_private(&paths.plugins, Arc::clone(faults))?;
        let held = Self {
            _lock: directory.lock(LOCK_FILE, WAIT)?,
            paths: paths.clone(),
            faults: Arc::clone(faults),
            directory,
        };
        match held.record()? {
            Some(record) => held.finish(&record)?,
            None => held.discard()?,
        }
        Ok(held)
    }

    /// Commits a change. It is on disk when this returns; on an error, either nothing has changed or the next process
    /// finishes it.
    pub(crate) fn commit(&self, change: &PluginChange) -> Result<(), StateError> {
        let mut record = JournalRecord {
            sha256: None,
            plugin: change.plugin.to_string(),
            steps: Vec::new(),
        };
        self.directory.create_dir_all(FOLDER)?;
        for (target, content) in &change.steps {
            if let Some(content) = content {
                self.directory.write_synced_new(payload(*target), content)?;
            }
            record.steps.push(JournalStep {
                target: *target,
                old: self.current(*target)?.map(|digest| digest.to_string()),
                new: content
                    .as_ref()
                    .map(|content| Digest::of(content).to_string()),
            });
        }
        record.sha256 = Some(record.digest());
        self.directory.sync_directory(FOLDER)?;
        let text = serde_json::to_vec_pretty(&record).expect("plain texts are JSON");
        self.directory
            .replace(format!("{FOLDER}/{JOURNAL}"), &text)?;
        self.finish(&record)
    }

    fn record(&self) -> Result<Option<JournalRecord>, StateError> {
        let name = format!("{FOLDER}/{JOURNAL}");
        let text = match self.directory.read(&name, JOURNAL_BYTES) {
            Err(error) if error.is_not_found() => return Ok(None),
            other => other?,
        };
        let record: Result<JournalRecord, _> = serde_json::from_slice(&text);
        let record = record.map_err(|error| self.damaged(&error.to_string()))?;
        if !record
            .sha256
            .iter()
            .all(|sha256| *sha256 == record.digest())
        {
            return Err(self.damaged("its checksum does not match"));
        }
        Ok(Some(record))
    }

    fn finish(&self, record: &JournalRecord) -> Result<(), StateError> {
        let plugin = PluginId::new(&record.plugin);
        let plugin = plugin.map_err(|error| self.damaged(&error.to_string()))?;
        // All contents are checked before any is used, so that a damaged one changes nothing.
        let contents = record.steps.iter().map(|step| match &step.new {
            None => Ok(None),
            Some(digest) => self.content(step.target, digest).map(Some),
        });
        let contents: Vec<Option<Vec<u8>>> = contents.collect::<Result<_, StateError>>()?;
        for (step, content) in record.steps.iter().zip(contents) {
            self.apply(&plugin, step, content.as_deref())?;
        }
        self.directory.remove_file(format!("{FOLDER}/{JOURNAL}"))?;
        self.directory.sync_directory(FOLDER)?;
        self.discard()
    }

    /// Removes the files of a finished or undecided change.
    fn discard(&self) -> Result<(), StateError> {
        if self.directory.exists(FOLDER)? {
            self.directory.remove_dir_all(FOLDER)?;
            self.directory.sync_directory(".")?;
        }
        Ok(())
    }

    fn content(&self, target: ChangeTarget, digest: &str) -> Result<Vec<u8>, StateError> {
        let content = self.directory.read(payload(target), PAYLOAD_BYTES)?;
        if Digest::of(&content).to_string() != digest {
            return Err(self.damaged(&format!("`{}` was changed", payload(target))));
        }
        Ok(content)
    }

    fn apply(
        &self,
        plugin: &PluginId,
        step: &JournalStep,
        content: Option<&[u8]>,
    ) -> Result<(), StateError> {
        let folder = Utf8Path::new(plugin.as_str());
        let Some(name) = step.target.file_name() else {
            return match step.target {
                ChangeTarget::Folder => self.remove_folder(folder),
                target => self.apply_outside(target, step, content),
            };
        };
        let path = folder.join(name);
        match content {
            Some(content) => {
                self.directory.create_dir_all(folder)?;
                self.directory.replace(path, content)?;
            }
            None if self.directory.exists(&path)? => {
                self.directory.remove_file(path)?;
                self.directory.sync_directory(folder)?;
            }
            None => {}
        }
        Ok(())
    }

    fn remove_folder(&self, folder: &Utf8Path) -> Result<(), StateError> {
        if self.directory.exists(folder)? {
            self.directory.remove_dir_all(folder)?;
        }
        Ok(self.directory.sync_directory(".")?)
    }

    /// Writes the lock or the grants. A file that a person edited meanwhile stays unchanged: a plugin that is not
    /// locked or not granted is rejected with a message.
    fn apply_outside(
        &self,
        target: ChangeTarget,
        step: &JournalStep,
        content: Option<&[u8]>,
    ) -> Result<(), StateError> {
        let current = self.current(target)?.map(|digest| digest.to_string());
        let expected = current == step.old || current == step.new;
        if let (Some(path), Some(content), true) = (self.outside(target), content, expected) {
            state::write(path, content, Readers::Owner, &self.faults)?;
        }
        Ok(())
    }

    /// Returns the current digest of a file outside the plugin's folder.
    fn current(&self, target: ChangeTarget) -> Result<Option<Digest>, FsError> {
        let Some(path) = self.outside(target) else {
            return Ok(None);
        };
        let text = state::read(path, &self.faults)?;
        Ok(text.map(|text| Digest::of(text.as_bytes())))
    }

    fn outside(&self, target: ChangeTarget) -> Option<&Utf8Path> {
        match target {
            ChangeTarget::Grants => Some(&self.paths.grants),
            ChangeTarget::Lock => Some(&self.paths.lock),
            _ => None,
        }
    }

    fn damaged(&self, message: &str) -> StateError {
        let folder = self.directory.path().join(FOLDER);
        StateError::File(FileError {
            path: folder.join(JOURNAL),
            line: 1,
            problem: Problem::Invalid {
                key: JOURNAL.to_owned(),
                message: message.to_owned(),
                hint: format!("remove `{folder}` and install the plugin again"),
            },
        })
    }
}

/// File names in a plugin's folder.
pub(crate) const COMPONENT_FILE: &str = "component.wasm";
pub(crate) const SIGNATURE_FILE: &str = "component.wasm.minisig";
pub(crate) const KEPT_COMPONENT_FILE: &str = "kept.wasm";
pub(crate) const KEPT_MANIFEST_FILE: &str = "kept.toml";
pub(crate) const KEPT_SIGNATURE_FILE: &str = "kept.wasm.minisig";
pub(crate) const KEPT_LOCK_FILE: &str = "kept.lock";

impl ChangeTarget {
    fn file_name(self) -> Option<&'static str> {
        match self {
            ChangeTarget::Component => Some(COMPONENT_FILE),
            ChangeTarget::Manifest => Some(crate::manifest::MANIFEST),
            ChangeTarget::Signature => Some(SIGNATURE_FILE),
            ChangeTarget::KeptComponent => Some(KEPT_COMPONENT_FILE),
            ChangeTarget::KeptManifest => Some(KEPT_MANIFEST_FILE),
            ChangeTarget::KeptSignature => Some(KEPT_SIGNATURE_FILE),
            ChangeTarget::KeptLock => Some(KEPT_LOCK_FILE),
            ChangeTarget::Folder | ChangeTarget::Grants | ChangeTarget::Lock => None,
        }
    }
}

// No plugin id starts with a dot.
const FOLDER: &str = ".commit";
const JOURNAL: &str = "journal.json";
const LOCK_FILE: &str = ".lock";
const WAIT: Duration = Duration::from_secs(5);
const JOURNAL_BYTES: u64 = 1024 * 1024;
const PAYLOAD_BYTES: u64 = 256 * 1024 * 1024;

fn payload(target: ChangeTarget) -> Utf8PathBuf {
    let name = match target {
        ChangeTarget::Component => "component",
        ChangeTarget::Manifest => "manifest",
        ChangeTarget::Signature => "signature",
        ChangeTarget::KeptComponent => "kept-component",
        ChangeTarget::KeptManifest => "kept-manifest",
        ChangeTarget::KeptSignature => "kept-signature",
        ChangeTarget::KeptLock => "kept-lock",
        ChangeTarget::Folder => "folder",
        ChangeTarget::Grants => "grants",
        ChangeTarget::Lock => "lock",
    };
    Utf8Path::new(FOLDER).join(name)
}
