//! What is answered: the envelopes of the HTTP interface. Keys and their order are a promise; no
//! times, no prose, so that the same project gives the same bytes.

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
    /// Something was left out to stay within the budget.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

impl Response {
    /// As it goes over the wire.
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

/// What became of the artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CacheStatus {
    /// There was one; only what changed was read.
    Hit,
    /// There was none.
    Miss,
    /// Everything was read again because it was asked for.
    Refreshed,
    /// It was too old, of another version or damaged; everything was read again.
    StaleRebuild,
}

/// How the artifact stood to the project when the question came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// Nothing had changed.
    Fresh,
    /// Files had changed.
    Dirty,
    /// There was none that could be used.
    Stale,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    pub file_count: u64,
    /// Files whose content was not looked at.
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

/// Something that was passed over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    pub path: String,
    pub reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Listed by name; its content is never read, so that it is told as changed when it was
    /// written, whatever was written.
    Sensitive,
    TooLarge,
    NameNotUtf8,
    NestedRepository,
    PermissionDenied,
    Unreadable,
    /// A fifo, socket or device.
    Special,
    TooDeep,
    /// It changed while it was read.
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
    /// What imports the files that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependents: Option<Dependents>,
}

impl Delta {
    pub fn is_empty(&self) -> bool {
        self.changed() == 0
    }

    /// Files that changed, also those that are not named.
    pub fn changed(&self) -> u64 {
        self.added + self.modified + self.removed + self.renamed + self.unknown
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Changed {
    pub path: String,
    pub change: Change,
    /// Where a renamed file was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its size now; not in `compact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// Files that did not change, and whose meaning may have: they import what changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Dependents {
    /// Files that import a changed file.
    pub direct: u64,
    /// Files that import these, and so on.
    pub indirect: u64,
    /// The nearest first. `compact` names the direct ones only.
    pub files: Vec<Dependent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dependent {
    pub path: String,
    /// Imports between it and a changed file; not in `compact`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u32>,
    /// The changed or marked files that it imports; in `verbose` only.
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
    /// Its bytes differ from the revision, and only a filter (Git LFS, line ends), which acreta does
    /// not run, could tell whether its content does.
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

/// Where to look.
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
    /// `binary`, `library`, `main`, `script`, `server`, `package`.
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
    /// `build`, `test`, `lint`, `run`.
    pub purpose: String,
    pub command: String,
    /// The manifest that says so.
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

/// A file that a query is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    pub path: String,
    pub score: f64,
    /// The parts of it that the query is about, the likeliest first, at most a few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
}

/// A function, type or class with its lines. A section of prose has its heading as its name; lines
/// that belong to nothing have no name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Segment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The type, trait or module that it is declared in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// `function`, `method`, `class`, …; `section` of prose; `lines` otherwise.
    pub kind: String,
    /// The first line of the file is 1.
    pub line: u32,
    pub end_line: u32,
}
