//! Several files changed at once: a plugin's folder, the lock and the grants. Everything is written
//! beside first; once the journal has its name the change is decided and will be finished, by this
//! process or by the next. Before that, nothing has happened.

use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Directory, Faults, FsError};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::identity::{Digest, PluginId};
use crate::state::{self, Readers, StateError};
use crate::table::{FileError, Problem};

/// Where things lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Has a folder for each plugin.
    pub plugins: Utf8PathBuf,
    pub lock: Utf8PathBuf,
    pub grants: Utf8PathBuf,
}

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Target {
    Component,
    Manifest,
    Signature,
    /// The plugin's folder with all in it; can only be removed.
    Folder,
    Grants,
    Lock,
}

/// A change of one plugin: new contents, none for what is to be gone.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) plugin: PluginId,
    pub(crate) steps: Vec<(Target, Option<Vec<u8>>)>,
}

/// A change as the journal holds it.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    plugin: String,
    steps: Vec<Step>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Step {
    target: Target,
    /// Digest before; none where there was nothing, or where it does not matter.
    old: Option<String>,
    /// Digest after; none where it is to be gone.
    new: Option<String>,
}

/// The folder of plugins, held against other processes.
pub(crate) struct Held {
    paths: Paths,
    faults: Arc<dyn Faults>,
    directory: Directory,
    _lock: acreta_fs::Lock,
}

/// Finishes a change that was decided and not finished, if there is one.
pub(crate) fn recover(paths: &Paths, faults: &Arc<dyn Faults>) -> Result<(), StateError> {
    let journal = format!("{FOLDER}/{JOURNAL}");
    match Directory::open(&paths.plugins, Arc::clone(faults)) {
        Ok(directory) if directory.exists(&journal)? => {
            Held::new(paths, faults)?;
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(error.into()),
    }
}

impl Held {
    /// Waits for other processes, and finishes what one of them did not.
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

    /// Makes a change. When this returns it is on disk; when it fails, either nothing has happened
    /// or the next process finishes it.
    pub(crate) fn commit(&self, change: &Change) -> Result<(), StateError> {
        let mut record = Record {
            plugin: change.plugin.to_string(),
            steps: Vec::new(),
        };
        self.directory.create_dir_all(FOLDER)?;
        for (target, content) in &change.steps {
            if let Some(content) = content {
                self.directory.write_synced_new(payload(*target), content)?;
            }
            record.steps.push(Step {
                target: *target,
                old: self.current(*target)?.map(|digest| digest.to_string()),
                new: content
                    .as_ref()
                    .map(|content| Digest::of(content).to_string()),
            });
        }
        self.directory.sync_directory(FOLDER)?;
        let text = serde_json::to_vec_pretty(&record).expect("plain texts are JSON");
        self.directory
            .replace(format!("{FOLDER}/{JOURNAL}"), &text)?;
        self.finish(&record)
    }

    fn record(&self) -> Result<Option<Record>, StateError> {
        let name = format!("{FOLDER}/{JOURNAL}");
        let text = match self.directory.read(&name, JOURNAL_BYTES) {
            Err(error) if error.is_not_found() => return Ok(None),
            other => other?,
        };
        let record = serde_json::from_slice(&text);
        let record = record.map_err(|error| self.damaged(&error.to_string()))?;
        Ok(Some(record))
    }

    fn finish(&self, record: &Record) -> Result<(), StateError> {
        let plugin = PluginId::new(&record.plugin);
        let plugin = plugin.map_err(|error| self.damaged(&error.to_string()))?;
        for step in &record.steps {
            let content = match &step.new {
                None => None,
                Some(digest) => Some(self.content(step.target, digest)?),
            };
            self.apply(&plugin, step, content.as_deref())?;
        }
        self.directory.remove_file(format!("{FOLDER}/{JOURNAL}"))?;
        self.directory.sync_directory(FOLDER)?;
        self.discard()
    }

    /// Removes what a finished or undecided change left.
    fn discard(&self) -> Result<(), StateError> {
        if self.directory.exists(FOLDER)? {
            self.directory.remove_dir_all(FOLDER)?;
            self.directory.sync_directory(".")?;
        }
        Ok(())
    }

    fn content(&self, target: Target, digest: &str) -> Result<Vec<u8>, StateError> {
        let content = self.directory.read(payload(target), PAYLOAD_BYTES)?;
        if Digest::of(&content).to_string() != digest {
            return Err(self.damaged(&format!("`{}` was changed", payload(target))));
        }
        Ok(content)
    }

    fn apply(
        &self,
        plugin: &PluginId,
        step: &Step,
        content: Option<&[u8]>,
    ) -> Result<(), StateError> {
        let folder = Utf8Path::new(plugin.as_str());
        let Some(name) = step.target.file_name() else {
            return match step.target {
                Target::Folder => self.remove_folder(folder),
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

    /// Lock and grants. One that a person edited since stays as it is: what is not locked or not
    /// granted is refused, and says so.
    fn apply_outside(
        &self,
        target: Target,
        step: &Step,
        content: Option<&[u8]>,
    ) -> Result<(), StateError> {
        let current = self.current(target)?.map(|digest| digest.to_string());
        let expected = current == step.old || current == step.new;
        if let (Some(path), Some(content), true) = (self.outside(target), content, expected) {
            state::write(path, content, Readers::Owner, &self.faults)?;
        }
        Ok(())
    }

    /// The digest of a file outside the plugin's folder, as it is now.
    fn current(&self, target: Target) -> Result<Option<Digest>, FsError> {
        let Some(path) = self.outside(target) else {
            return Ok(None);
        };
        let text = state::read(path, &self.faults)?;
        Ok(text.map(|text| Digest::of(text.as_bytes())))
    }

    fn outside(&self, target: Target) -> Option<&Utf8Path> {
        match target {
            Target::Grants => Some(&self.paths.grants),
            Target::Lock => Some(&self.paths.lock),
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

/// Names in a plugin's folder.
pub(crate) const COMPONENT_FILE: &str = "component.wasm";
pub(crate) const SIGNATURE_FILE: &str = "component.wasm.minisig";

impl Target {
    fn file_name(self) -> Option<&'static str> {
        match self {
            Target::Component => Some(COMPONENT_FILE),
            Target::Manifest => Some(crate::manifest::MANIFEST),
            Target::Signature => Some(SIGNATURE_FILE),
            Target::Folder | Target::Grants | Target::Lock => None,
        }
    }
}

// No plugin has a name that starts with a dot.
const FOLDER: &str = ".commit";
const JOURNAL: &str = "journal.json";
const LOCK_FILE: &str = ".lock";
const WAIT: Duration = Duration::from_secs(5);
const JOURNAL_BYTES: u64 = 1024 * 1024;
const PAYLOAD_BYTES: u64 = 256 * 1024 * 1024;

fn payload(target: Target) -> Utf8PathBuf {
    let name = match target {
        Target::Component => "component",
        Target::Manifest => "manifest",
        Target::Signature => "signature",
        Target::Folder => "folder",
        Target::Grants => "grants",
        Target::Lock => "lock",
    };
    Utf8Path::new(FOLDER).join(name)
}
