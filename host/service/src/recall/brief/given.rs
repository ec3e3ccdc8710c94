//! Log of the briefs that were given, newest last, one JSON object per line beside the cache of briefs. Bounded, and
//! only a cache: a brief that cannot be logged is given all the same.

use acreta_fs::{Directory, NoFaults};
use acreta_store::Layout;
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BriefLine, LeftOut};
use crate::{Context, Failure};

/// A brief that an agent got, and the reason for each line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GivenBrief {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// The agent's id of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Directory where it started, relative to the project; empty for its root.
    pub directory: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The default branch that changed files are relative to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Number of files that the branch changed.
    pub changed: u64,
    /// Open ends of the last session.
    pub open: Vec<String>,
    pub lines: Vec<BriefLine>,
    pub left_out: LeftOut,
    pub tokens: u64,
    /// The whole brief.
    pub text: String,
}

/// Maximum size; a longer file is cut to its newer half.
const FILE_BYTES: u64 = 256 * 1024;

/// Maximum bytes that are read.
const READ_BYTES: u64 = 4 * FILE_BYTES;

/// Maximum number of files of all projects.
const FILES: u64 = 100_000;

/// The briefs that were given in a project.
pub(crate) struct GivenBriefs {
    folder: Utf8PathBuf,
    file: String,
}

impl GivenBriefs {
    pub(crate) fn of(layout: &Layout, context: &Context) -> Self {
        Self {
            folder: context.home.briefs(),
            file: format!(
                "{}.given.jsonl",
                acreta_store::digest(layout.base().as_str())
            ),
        }
    }

    /// Adds a brief. A write error is ignored.
    pub(crate) fn add(&self, brief: &GivenBrief) {
        let Ok(folder) = Directory::open_or_create(&self.folder, NoFaults::shared()) else {
            return;
        };
        let folder = folder.private();
        let Ok(mut line) = serde_json::to_string(brief) else {
            return;
        };
        line.push('\n');
        let is_long = folder
            .metadata(&self.file)
            .is_ok_and(|file| file.bytes > FILE_BYTES);
        if is_long {
            let known = folder
                .read_to_string(&self.file, READ_BYTES)
                .unwrap_or_default();
            let half = known.floor_char_boundary(known.len() / 2);
            let newer = known[half..]
                .split_once('\n')
                .map_or("", |(_, newer)| newer);
            let _ = folder.replace_unsynced(&self.file, format!("{newer}{line}").as_bytes());
        } else {
            let _ = folder.append(&self.file, line.as_bytes());
        }
    }

    /// Returns all stored briefs, newest first. Unreadable lines are skipped.
    pub(crate) fn read(&self) -> Vec<GivenBrief> {
        let read = Directory::open(&self.folder, NoFaults::shared())
            .and_then(|folder| folder.read_to_string(&self.file, READ_BYTES));
        let read = read.unwrap_or_default();
        let lines = read.lines().rev();
        lines
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }
}

/// Deletes every logged brief of every project, and the caches of briefs.
pub(crate) fn forget(context: &Context) -> Result<(), Failure> {
    let folder = context.home.briefs();
    let Ok(folder) = Directory::open(&folder, NoFaults::shared()) else {
        return Ok(());
    };
    for entry in folder.list(".", FILES)? {
        folder.remove_file(entry.path)?;
    }
    Ok(())
}
