//! Errors of cases that cannot be used, with a hint for each. A plugin that behaves differently from its recording is
//! not an error but a difference.

use acreta_fs::FsError;
use acreta_types::{PluginError, Role};
use camino::Utf8PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error("case `{folder}` has no `case.toml`")]
    NoCase { folder: Utf8PathBuf },
    #[error("{path}:{line}: {message}")]
    Damaged {
        path: Utf8PathBuf,
        /// Counted from 1.
        line: usize,
        message: String,
    },
    #[error("input `{path}` of the case is missing")]
    MissingInput { path: Utf8PathBuf },
    #[error("input `{path}` of the case is not valid for a plugin of role {role}")]
    BadInput {
        path: Utf8PathBuf,
        role: Role,
        #[source]
        cause: serde_json::Error,
    },
    #[error("input `{path}`, line {line}, is not an event of a trace")]
    BadEvent {
        path: Utf8PathBuf,
        /// Counted from 1.
        line: usize,
        #[source]
        cause: serde_json::Error,
    },
    #[error("case `{folder}` is for a plugin of role {case}, `{plugin}` is of role {role}")]
    WrongRole {
        folder: Utf8PathBuf,
        case: Role,
        plugin: String,
        role: Role,
    },
    #[error("case `{folder}` was never recorded")]
    NotRecorded { folder: Utf8PathBuf },
    #[error("case `{folder}` cannot be recorded: line {line} would name a folder of this machine")]
    NamesMachine { folder: Utf8PathBuf, line: usize },
    #[error("case `{folder}` cannot be recorded: the plugin broke down")]
    Broke {
        folder: Utf8PathBuf,
        #[source]
        cause: Box<PluginError>,
    },
    #[error("`{name}` is not a valid name of a case")]
    BadName { name: String },
    #[error("case `{folder}` exists already")]
    Exists { folder: Utf8PathBuf },
    #[error("case `{folder}` cannot be used")]
    Fs {
        folder: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
}

impl CaseError {
    /// Advises how to fix it.
    pub fn hint(&self) -> String {
        match self {
            CaseError::NoCase { .. } => {
                "every folder in `cases` is a case and has a `case.toml`; take others elsewhere"
                    .to_owned()
            }
            CaseError::Damaged { .. } => "correct the file; it is TOML".to_owned(),
            CaseError::MissingInput { .. } => {
                "put the file there, or correct `case.toml`; paths are relative to the case's folder"
                    .to_owned()
            }
            CaseError::BadInput { role, .. } => match role {
                Role::Explorer => "write a list of candidates, or take an `extract.json`".to_owned(),
                Role::MemoryWriter => "write `{\"context\": {…}, \"actions\": […]}`".to_owned(),
                Role::Adapter | Role::Extractor => "write a session".to_owned(),
            },
            CaseError::BadEvent { .. } => {
                "write one event per line, as in an archived trace".to_owned()
            }
            CaseError::WrongRole { role, .. } => {
                format!("write `role = \"{role}\"`, or take the case elsewhere")
            }
            CaseError::NotRecorded { .. } => {
                "record it first: `acreta plugin test --record`".to_owned()
            }
            CaseError::NamesMachine { .. } => {
                "let the plugin speak of guest paths alone; no other machine has this folder"
                    .to_owned()
            }
            CaseError::Broke { .. } => {
                "fix the plugin first; a breakdown is not worth recording".to_owned()
            }
            CaseError::BadName { .. } => {
                "use 1 to 64 small letters, digits, hyphens and underscores".to_owned()
            }
            CaseError::Exists { .. } => "choose another name, or remove it first".to_owned(),
            CaseError::Fs { .. } => "see that the folder can be read and written".to_owned(),
        }
    }
}
