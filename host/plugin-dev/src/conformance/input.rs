//! The inputs of a case by role, and the digests that detect a changed input.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_store::digest;
use acreta_types::{Attrs, Candidate, Event, Role, Session, WriteAction, WriteContext};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::conformance::case_file::{CaseFile, SESSIONS};
use crate::conformance::error::CaseError;
use crate::conformance::stage::{CASE_LIMITS, files};

#[derive(Debug)]
pub(crate) enum Input {
    Adapter {
        /// Relative to the folder of sessions.
        files: Vec<Utf8PathBuf>,
        root: Option<String>,
    },
    Extractor {
        session: Session,
        events: Arc<Vec<Event>>,
        /// The files that both were read from.
        files: Vec<Utf8PathBuf>,
    },
    Explorer {
        candidates: Vec<Candidate>,
        /// `None` if memory is empty.
        memory: Option<Utf8PathBuf>,
        file: Utf8PathBuf,
    },
    MemoryWriter {
        context: WriteContext,
        actions: Vec<WriteAction>,
        file: Utf8PathBuf,
    },
}

/// `actions.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Actions {
    context: WriteContext,
    actions: Vec<WriteAction>,
}

/// An `extract.json`; judgements on the candidates are ignored.
#[derive(Deserialize)]
struct Extract {
    candidates: Vec<Candidate>,
}

impl Input {
    pub(crate) fn read(directory: &Directory, file: &CaseFile) -> Result<Self, CaseError> {
        // A checked file names at least one input.
        let first = file.input.first().map_or(Utf8Path::new(""), |path| path);
        Ok(match file.role {
            Role::Adapter => {
                for path in &file.input {
                    directory
                        .open_reader(path)
                        .map_err(|cause| unreadable(directory, path, cause))?;
                }
                Input::Adapter {
                    files: file
                        .input
                        .iter()
                        .filter_map(|path| path.strip_prefix(SESSIONS).ok())
                        .map(Utf8Path::to_owned)
                        .collect(),
                    root: file.root.clone(),
                }
            }
            Role::Extractor => Input::Extractor {
                session: match &file.session {
                    Some(path) => json(directory, path, file.role)?,
                    None => nobody(),
                },
                events: Arc::new(events(directory.path(), first, &bytes(directory, first)?)?),
                files: file.input.iter().chain(&file.session).cloned().collect(),
            },
            Role::Explorer => Input::Explorer {
                candidates: candidates(directory.path(), first, &bytes(directory, first)?)?,
                memory: memory(directory, file)?,
                file: first.to_owned(),
            },
            Role::MemoryWriter => {
                let Actions { context, actions } = json(directory, first, file.role)?;
                Input::MemoryWriter {
                    context,
                    actions,
                    file: first.to_owned(),
                }
            }
        })
    }

    /// Computes the SHA-256 of every file that may affect the plugin's result, by its path in the case.
    pub(crate) fn digests(&self, case: &Directory) -> Result<BTreeMap<String, String>, FsError> {
        let paths = match self {
            Input::Adapter { .. } => files(case, SESSIONS)?,
            Input::Extractor { files, .. } => files.clone(),
            Input::Explorer { memory, file, .. } => {
                let mut paths = vec![file.clone()];
                if let Some(memory) = memory {
                    paths.extend(files(case, memory.as_str())?);
                }
                paths
            }
            Input::MemoryWriter { file, .. } => vec![file.clone()],
        };
        paths
            .into_iter()
            .map(|path| {
                let content = case.read(&path, CASE_LIMITS.bytes)?;
                Ok((path.into_string(), digest(content)))
            })
            .collect()
    }
}

/// Checks that a file can be the input of a case of this role. `path` is for messages.
pub(crate) fn accepts(role: Role, path: &Utf8Path, content: &[u8]) -> Result<(), CaseError> {
    let here = Utf8Path::new("");
    match role {
        Role::Adapter => Ok(()),
        Role::Extractor => events(here, path, content).map(drop),
        Role::Explorer => candidates(here, path, content).map(drop),
        Role::MemoryWriter => parse::<Actions>(here, path, role, content).map(drop),
    }
}

/// Default session of a trace without a session file.
fn nobody() -> Session {
    Session {
        id: "case".to_owned(),
        agent: "case".to_owned(),
        path: "/case/trace.jsonl".to_owned(),
        project_dir: None,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision: "1".to_owned(),
        attrs: Attrs::default(),
    }
}

fn memory(directory: &Directory, file: &CaseFile) -> Result<Option<Utf8PathBuf>, CaseError> {
    let Some(path) = &file.memory else {
        return Ok(None);
    };
    directory
        .subdirectory(path)
        .map_err(|cause| unreadable(directory, path, cause))?;
    Ok(Some(path.clone()))
}

fn events(folder: &Utf8Path, path: &Utf8Path, content: &[u8]) -> Result<Vec<Event>, CaseError> {
    let lines = content.split(|byte| *byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(index, line)| {
            serde_json::from_slice(line).map_err(|cause| CaseError::BadEvent {
                path: folder.join(path),
                line: index + 1,
                cause,
            })
        })
        .collect()
}

fn candidates(
    folder: &Utf8Path,
    path: &Utf8Path,
    content: &[u8],
) -> Result<Vec<Candidate>, CaseError> {
    if content.trim_ascii_start().starts_with(b"{") {
        let extract: Extract = parse(folder, path, Role::Explorer, content)?;
        return Ok(extract.candidates);
    }
    parse(folder, path, Role::Explorer, content)
}

fn json<T: DeserializeOwned>(
    directory: &Directory,
    path: &Utf8Path,
    role: Role,
) -> Result<T, CaseError> {
    parse(directory.path(), path, role, &bytes(directory, path)?)
}

fn parse<T: DeserializeOwned>(
    folder: &Utf8Path,
    path: &Utf8Path,
    role: Role,
    content: &[u8],
) -> Result<T, CaseError> {
    serde_json::from_slice(content).map_err(|cause| CaseError::BadInput {
        path: folder.join(path),
        role,
        cause,
    })
}

fn bytes(directory: &Directory, path: &Utf8Path) -> Result<Vec<u8>, CaseError> {
    directory
        .read(path, CASE_LIMITS.bytes)
        .map_err(|cause| unreadable(directory, path, cause))
}

fn unreadable(directory: &Directory, path: &Utf8Path, cause: FsError) -> CaseError {
    if cause.is_not_found() {
        return CaseError::MissingInput {
            path: directory.path().join(path),
        };
    }
    CaseError::Fs {
        folder: directory.path().to_owned(),
        cause,
    }
}
