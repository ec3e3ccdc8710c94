//! Checks the draft of a memory-writer. A draft comes from a guest and is not trusted: either exactly the expected
//! files pass, each read once and complete, or an error names the first that does not.

use std::collections::BTreeMap;

use acreta_fs::{Directory, EntryKind, FsError, Limits, NoFaults};
use acreta_types::MemoryType;
use camino::{Utf8Path, Utf8PathBuf};

use crate::{Document, FrontMatter, FrontMatterError, is_memory_name};

/// A file that the host asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedDraft {
    pub action_id: String,
    pub memory_id: String,
    pub memory_type: MemoryType,
    /// As the writer reported it, relative to the draft.
    pub path: String,
    /// The existing file that it replaces, relative to the memory root.
    pub target: Option<Utf8PathBuf>,
}

/// Limits of all files of a draft together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftLimits {
    pub files: u64,
    pub bytes: u64,
}

/// A drafted file that passed all checks.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftFile {
    pub action_id: String,
    pub memory_id: String,
    pub memory_type: MemoryType,
    /// Relative to the memory root: `<folder>/<name>`.
    pub path: Utf8PathBuf,
    pub text: String,
    pub front_matter: FrontMatter,
}

/// Reason why a draft is refused as a whole. Paths are relative to the draft.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    #[error("draft has `{path}`, which is a {kind}, not a regular file")]
    NotRegular { path: Utf8PathBuf, kind: EntryKind },
    #[error("draft has `{path}`, which has {links} hard links")]
    HardLinked { path: Utf8PathBuf, links: u64 },
    #[error("draft has `{path}`, which no action requested")]
    Unexpected { path: Utf8PathBuf },
    #[error("draft lacks `{path}`, which was reported for action `{action_id}`")]
    Missing {
        path: Utf8PathBuf,
        action_id: String,
    },
    #[error("draft reports `{path}` for two actions")]
    Twice { path: Utf8PathBuf },
    #[error("draft path `{path}` is refused: it is not `{folder}/<YYYYMMDD>-<slug>.md`")]
    BadPath { path: String, folder: &'static str },
    #[error("draft path `{path}` is refused: the action updates `{target}`")]
    NotTarget { path: String, target: Utf8PathBuf },
    #[error("draft of `{path}` is larger than {limit} bytes")]
    TooLarge { path: Utf8PathBuf, limit: u64 },
    #[error("draft has more than {allowed} {limit}")]
    OverLimit { limit: &'static str, allowed: u64 },
    #[error("draft of `{path}` is not valid UTF-8")]
    NotUtf8 { path: Utf8PathBuf },
    #[error("front matter of draft `{path}` cannot be read")]
    FrontMatter {
        path: Utf8PathBuf,
        #[source]
        cause: FrontMatterError,
    },
    #[error("draft of `{path}` is incomplete: {problem}")]
    Incomplete { path: Utf8PathBuf, problem: String },
    #[error("draft of `{path}` has the id `{found}` instead of `{expected}`")]
    WrongId {
        path: Utf8PathBuf,
        expected: String,
        found: String,
    },
    #[error("title of draft `{path}` is refused: it {reason}")]
    BadTitle {
        path: Utf8PathBuf,
        reason: &'static str,
    },
    #[error("draft of `{path}` has the hidden character {character} in {place}")]
    Hidden {
        path: Utf8PathBuf,
        /// As `\u{…}`.
        character: String,
        /// `line 7`, or `its front matter` if the character appears only as a YAML escape.
        place: String,
    },
    #[error("draft cannot be read")]
    Fs(#[from] FsError),
}

/// Largest single file of a draft.
const FILE_BYTES: u64 = 256 * 1024;

/// Longest title, in characters.
const TITLE_CHARACTERS: usize = 200;

/// Deepest path: `archived/<folder>/<name>`.
const DEPTH: u64 = 3;

/// Reads and checks a draft. Returns the files in the order of `expected`.
pub fn check_draft(
    draft: &Utf8Path,
    expected: &[ExpectedDraft],
    limits: DraftLimits,
) -> Result<Vec<DraftFile>, DraftError> {
    let mut wanted: BTreeMap<&Utf8Path, bool> = BTreeMap::new();
    for file in expected {
        let path = checked_path(file)?;
        if wanted.insert(path, false).is_some() {
            return Err(DraftError::Twice {
                path: path.to_owned(),
            });
        }
    }

    let directory = Directory::open(draft, NoFaults::shared())?;
    check_tree(&directory, &mut wanted, limits)?;
    expected
        .iter()
        .map(|file| read(&directory, file, &wanted))
        .collect()
}

/// Returns the path of an expected file, if it is allowed.
fn checked_path(file: &ExpectedDraft) -> Result<&Utf8Path, DraftError> {
    let path = Utf8Path::new(&file.path);
    if let Some(target) = &file.target {
        // Compared as text: `a//b` is the same path as `a/b` but not the same name.
        if target.as_str() == file.path && acreta_fs::is_relative_path(path) {
            return Ok(path);
        }
        return Err(DraftError::NotTarget {
            path: acreta_text::visible(&file.path),
            target: target.clone(),
        });
    }
    let folder = file.memory_type.folder();
    match file.path.split_once('/') {
        Some((found, name)) if found == folder && is_memory_name(name) => Ok(path),
        _ => Err(DraftError::BadPath {
            path: acreta_text::visible(acreta_text::head(&file.path, 256)),
            folder,
        }),
    }
}

/// Checks every entry of the draft, and marks the wanted files that are present.
fn check_tree(
    directory: &Directory,
    wanted: &mut BTreeMap<&Utf8Path, bool>,
    limits: DraftLimits,
) -> Result<(), DraftError> {
    let walk = Limits {
        // Allows for the folders that contain the files.
        files: limits.files.saturating_add(wanted.len() as u64 * DEPTH),
        bytes: limits.bytes,
        depth: DEPTH,
    };
    let entries = match directory.walk(".", walk) {
        Err(FsError::OverLimit { limit, allowed, .. }) => {
            return Err(DraftError::OverLimit { limit, allowed });
        }
        other => other?,
    };
    let mut files: u64 = 0;
    for entry in entries {
        let shown = || Utf8PathBuf::from(acreta_text::visible(entry.path.as_str()));
        match entry.metadata.kind {
            EntryKind::Directory => {
                if !wanted.keys().any(|path| path.starts_with(&entry.path)) {
                    return Err(DraftError::Unexpected { path: shown() });
                }
                continue;
            }
            EntryKind::File => {}
            kind => {
                return Err(DraftError::NotRegular {
                    path: shown(),
                    kind,
                });
            }
        }
        files += 1;
        if files > limits.files {
            return Err(DraftError::OverLimit {
                limit: "files",
                allowed: limits.files,
            });
        }
        if entry.metadata.links > 1 {
            return Err(DraftError::HardLinked {
                path: shown(),
                links: entry.metadata.links,
            });
        }
        if entry.metadata.bytes > FILE_BYTES {
            return Err(DraftError::TooLarge {
                path: shown(),
                limit: FILE_BYTES,
            });
        }
        match wanted.get_mut(entry.path.as_path()) {
            Some(found) => *found = true,
            None => return Err(DraftError::Unexpected { path: shown() }),
        }
    }
    Ok(())
}

fn read(
    directory: &Directory,
    file: &ExpectedDraft,
    wanted: &BTreeMap<&Utf8Path, bool>,
) -> Result<DraftFile, DraftError> {
    let path = Utf8Path::new(&file.path);
    if wanted.get(path) != Some(&true) {
        return Err(DraftError::Missing {
            path: path.to_owned(),
            action_id: file.action_id.clone(),
        });
    }
    let text = match directory.read_to_string(path, FILE_BYTES) {
        Err(FsError::NotUtf8 { .. }) => {
            return Err(DraftError::NotUtf8 {
                path: path.to_owned(),
            });
        }
        Err(FsError::TooLarge { limit, .. }) => {
            return Err(DraftError::TooLarge {
                path: path.to_owned(),
                limit,
            });
        }
        other => other?,
    };
    let front_matter = check_text(&file.memory_id, path, &text)?;
    let mut problems = front_matter.problems(file.memory_type).into_iter();
    if let Some(problem) = problems.next() {
        return Err(DraftError::Incomplete {
            path: path.to_owned(),
            problem,
        });
    }
    Ok(DraftFile {
        action_id: file.action_id.clone(),
        memory_id: file.memory_id.clone(),
        memory_type: file.memory_type,
        path: path.to_owned(),
        text,
        front_matter,
    })
}

/// Checks the text of a memory's file, wherever it comes from. Front matter need not be complete: a person's own file may
/// have id and title alone.
pub fn check_text(id: &str, path: &Utf8Path, text: &str) -> Result<FrontMatter, DraftError> {
    if text.len() as u64 > FILE_BYTES {
        return Err(DraftError::TooLarge {
            path: path.to_owned(),
            limit: FILE_BYTES,
        });
    }
    let document = Document::parse(text).map_err(|cause| DraftError::FrontMatter {
        path: path.to_owned(),
        cause,
    })?;
    let front_matter = document.front_matter;
    if front_matter.id != id {
        return Err(DraftError::WrongId {
            path: path.to_owned(),
            expected: id.to_owned(),
            found: acreta_text::visible(&front_matter.id),
        });
    }
    let reason = match front_matter.title.as_str() {
        title if title.trim().is_empty() => Some("is empty"),
        title if title.contains(['\n', '\r']) => Some("has more than one line"),
        title if title.chars().count() > TITLE_CHARACTERS => Some("is longer than 200 characters"),
        _ => None,
    };
    if let Some(reason) = reason {
        return Err(DraftError::BadTitle {
            path: path.to_owned(),
            reason,
        });
    }
    // Checks the raw text and the parsed front matter: YAML escapes can encode a character that the file does not
    // contain.
    for (number, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        check_visible(path, line, || format!("line {}", number + 1))?;
    }
    for value in front_matter.texts() {
        check_visible(path, value, || "its front matter".to_owned())?;
    }
    Ok(front_matter)
}

fn check_visible(
    path: &Utf8Path,
    text: &str,
    place: impl FnOnce() -> String,
) -> Result<(), DraftError> {
    match text
        .chars()
        .find(|character| acreta_text::is_hidden(*character))
    {
        None => Ok(()),
        Some(character) => Err(DraftError::Hidden {
            path: path.to_owned(),
            character: character.escape_unicode().to_string(),
            place: place(),
        }),
    }
}
