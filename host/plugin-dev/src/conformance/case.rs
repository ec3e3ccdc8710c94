//! A test case of a plugin's author: a folder with `case.toml`, inputs and a recording. A case that opens is complete:
//! every input it names exists and is valid for its role.

use std::collections::BTreeMap;

use acreta_fs::{Directory, FsError, NoFaults};
use acreta_types::Role;
use camino::Utf8Path;
use serde_json::Value;

use crate::conformance::bench::{NOW_MS, SEED};
use crate::conformance::case_file::CaseFile;
use crate::conformance::error::CaseError;
use crate::conformance::input::Input;
use crate::conformance::recorded::Recorded;

/// File that describes a case.
pub const CASE_FILE: &str = "case.toml";
/// File with the recorded calls.
pub const RECORDED: &str = "recorded.jsonl";

/// One case, with its inputs.
#[derive(Debug)]
pub struct Case {
    /// Name of its folder.
    pub name: String,
    /// Description in one sentence.
    pub what: String,
    pub role: Role,
    /// The time that the plugin sees.
    pub now_ms: u64,
    pub seed: u64,
    pub(crate) settings: BTreeMap<String, Value>,
    pub(crate) input: Input,
    pub(crate) directory: Directory,
}

/// Opens the cases in a folder, by name; empty if the folder does not exist.
pub fn cases(folder: &Utf8Path) -> Result<Vec<Result<Case, CaseError>>, CaseError> {
    let fail = |cause| CaseError::Fs {
        folder: folder.to_owned(),
        cause,
    };
    let directory = match Directory::open(folder, NoFaults::shared()) {
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        other => other.map_err(fail)?,
    };
    let entries = directory.list(".", MOST_CASES).map_err(fail)?;
    Ok(entries
        .into_iter()
        .filter(|entry| entry.metadata.kind == acreta_fs::EntryKind::Directory)
        .filter(|entry| !entry.path.as_str().starts_with('.'))
        .map(|entry| Case::open(&folder.join(entry.path)))
        .collect())
}

const MOST_CASES: u64 = 10_000;

impl Case {
    pub fn open(folder: &Utf8Path) -> Result<Self, CaseError> {
        let fail = |cause| CaseError::Fs {
            folder: folder.to_owned(),
            cause,
        };
        let directory = Directory::open(folder, NoFaults::shared()).map_err(fail)?;
        let text = match directory.read_to_string(CASE_FILE, CASE_FILE_BYTES) {
            Err(error) if error.is_not_found() => {
                return Err(CaseError::NoCase {
                    folder: folder.to_owned(),
                });
            }
            other => other.map_err(fail)?,
        };
        let file = CaseFile::parse(&folder.join(CASE_FILE), &text)?;
        Ok(Self {
            name: directory.path().file_name().unwrap_or("case").to_owned(),
            input: Input::read(&directory, &file)?,
            what: file.what,
            role: file.role,
            now_ms: file.now_ms.unwrap_or(NOW_MS),
            seed: file.seed.unwrap_or(SEED),
            settings: file.settings,
            directory,
        })
    }

    /// Returns the folder of the case.
    pub fn folder(&self) -> &Utf8Path {
        self.directory.path()
    }

    /// Returns the plugin's settings in the form that a sandbox takes: each value as JSON text.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let settings = self.settings.iter();
        settings
            .map(|(key, value)| (key.clone(), value.to_string()))
            .collect()
    }

    /// Reports whether the case has a recording.
    pub fn is_recorded(&self) -> Result<bool, CaseError> {
        self.directory
            .exists(RECORDED)
            .map_err(|cause| self.fs(cause))
    }

    /// Writes a recording and replaces an earlier one.
    pub fn keep(&self, recorded: &Recorded) -> Result<(), CaseError> {
        self.directory
            .replace(RECORDED, recorded.text().as_bytes())
            .map_err(|cause| self.fs(cause))
    }

    /// Reads the recording.
    pub(crate) fn recorded(&self) -> Result<String, CaseError> {
        match self.directory.read_to_string(RECORDED, RECORDED_BYTES) {
            Err(FsError::NotFound { .. }) => Err(CaseError::NotRecorded {
                folder: self.folder().to_owned(),
            }),
            other => other.map_err(|cause| self.fs(cause)),
        }
    }

    pub(crate) fn fs(&self, cause: FsError) -> CaseError {
        CaseError::Fs {
            folder: self.folder().to_owned(),
            cause,
        }
    }
}

const CASE_FILE_BYTES: u64 = 64 * 1024;
const RECORDED_BYTES: u64 = 1024 * 1024 * 1024;
