//! Responses of the HTTP interface. Keys and their order are stable, and there are no timestamps and no prose, so that
//! the same project always gives the same bytes.

use std::io;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Response {
    pub command: Command,
    pub project_root: String,
    pub project_id: String,
    pub cache_status: CacheStatus,
    pub freshness: Freshness,
    pub stats: Stats,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<Delta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<Slice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<Found>>,
    /// Lists were shortened to stay within the budget.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl Response {
    /// Serialises the response as it is sent over the wire.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    Explore,
    Delta,
    Context,
    Refresh,
}

/// Use of the artifact for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheStatus {
    /// A usable artifact existed; only changed files were read.
    Hit,
    /// There was no artifact.
    Miss,
    /// Everything was reread on request.
    Refreshed,
    /// The artifact was too old, of another version or damaged; everything was reread.
    StaleRebuild,
}

/// State of the artifact relative to the project when the question was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// Nothing had changed.
    Fresh,
    /// Files had changed.
    Dirty,
    /// There was no usable artifact.
    Stale,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    pub file_count: u64,
    /// Files whose content was not reread.
    pub reused_entries: u64,
    pub rehashed_entries: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_entries: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// A skipped path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    pub path: String,
    pub reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Listed by name; its content is never read. It is reported as changed whenever it was written, even if the
    /// content is the same.
    Sensitive,
    TooLarge,
    NameNotUtf8,
    NestedRepository,
    PermissionDenied,
    Unreadable,
    /// A fifo, socket or device.
    Special,
    TooDeep,
    /// It changed while it was being read.
    Changing,
}

impl Skipped {
    pub(crate) fn new(path: String, reason: Reason) -> Self {
        Self { path, reason }
    }

    pub(crate) fn failed(path: String, cause: &io::Error) -> Self {
        let reason = match cause.kind() {
            io::ErrorKind::PermissionDenied => Reason::PermissionDenied,
            _ => Reason::Unreadable,
        };
        Self { path, reason }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Delta {
    pub added: u64,
    pub modified: u64,
    pub removed: u64,
    pub renamed: u64,
    /// Files that git would pass through a filter before comparing them.
    #[serde(skip_serializing_if = "is_zero")]
    pub unknown: u64,
    pub files: Vec<Changed>,
    /// Files that import the changed files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependents: Option<Dependents>,
}

impl Delta {
    pub fn is_empty(&self) -> bool {
        self.changed() == 0
    }

    /// Returns the number of changed files, including those that are not listed.
    pub fn changed(&self) -> u64 {
        self.added + self.modified + self.removed + self.renamed + self.unknown
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Changed {
    pub path: String,
    pub change: Change,
    /// Previous path of a renamed file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Current size; not in `compact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// Unchanged files that import changed ones, so their behaviour may have changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Dependents {
    /// Files that import a changed file.
    pub direct: u64,
    /// Files that import a changed file transitively.
    pub indirect: u64,
    /// Nearest first. `compact` lists only direct dependents.
    pub files: Vec<Dependent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dependent {
    pub path: String,
    /// Number of imports between this file and a changed file; not in `compact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// The files that it imports and that are changed or nearer to a changed one; only in `verbose`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Added,
    Modified,
    Removed,
    Renamed,
    /// Its bytes differ from the revision, but only a filter that acreta does not run (Git LFS, line endings) could
    /// decide whether its content differs.
    Unknown,
}

impl From<acreta_git::ChangedPath> for Changed {
    fn from(changed: acreta_git::ChangedPath) -> Self {
        use acreta_git::PathChange;
        Self {
            path: changed.path,
            change: match changed.change {
                PathChange::Added => Change::Added,
                PathChange::Modified => Change::Modified,
                PathChange::Removed => Change::Removed,
                PathChange::Renamed => Change::Renamed,
                PathChange::Unknown => Change::Unknown,
            },
            from: changed.from,
            bytes: None,
        }
    }
}

/// Pointers into a codebase: where to look first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    pub entry_points: Vec<EntryPoint>,
    pub hot_paths: Vec<HotPath>,
    pub top_imports: Vec<TopImport>,
    pub graph: GraphSummary,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub commands: Vec<BuildCommand>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tests: Vec<TestsOf>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub languages: Vec<LanguageShare>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    pub path: String,
    /// `binary`, `library`, `main`, `script`, `server` or `package`.
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HotPath {
    pub path: String,
    /// Commits that changed it.
    pub changes: u32,
    /// Files that import it.
    pub dependents: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TopImport {
    pub name: String,
    pub files: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphSummary {
    pub nodes: u64,
    pub edges: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildCommand {
    /// `build`, `test`, `lint` or `run`.
    pub purpose: String,
    pub command: String,
    /// The manifest that declares it.
    pub path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestsOf {
    pub path: String,
    pub tests: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageShare {
    pub language: String,
    pub files: u64,
    pub bytes: u64,
}

/// A file that matches a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    pub path: String,
    pub score: f64,
    /// The best-matching parts of the file, best first, at most a few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
}

/// A function, type or class with its lines. A section of prose is named after its heading; lines outside of any
/// declaration have no name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Segment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type, trait or module that declares it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// `function`, `method`, `class`, …; `section` for prose; otherwise `lines`.
    pub kind: String,
    /// 1-based.
    pub line: u32,
    pub end_line: u32,
}
