//! Measures acreta on a person's own project: asks the same questions without and with acreta, on a scratch copy.
//! Writes nothing in the project, and does not count as real use.
//!
//! Baseline: an agent lists the project, and reads the files that an answer would replace and those that changed. With
//! acreta, the agent reads the answer. Between questions, files change as in the newest commits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use acreta_fs::Directory;
use acreta_git::HistoryOptions;
use acreta_text::count_tokens;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::ContextError;
use crate::answer::gain::{file_tokens, replaced_files};
use crate::answer::measures::{Latencies, Latency, reduction, share};
use crate::answer::request::Request;
use crate::answer::response::{CacheStatus, Change, Response};
use crate::artifact::detection::ChangeDetection;
use crate::context::{Context, OpenProject};
use crate::options::ContextOptions;
use crate::scan::node::NodeKind;
use crate::scan::repository::ProjectRepository;
use crate::scan::tree::mark;

/// Number of questions between edits.
const EDIT_EVERY: u64 = 5;
/// Names of the listing that an agent reads.
const LISTED: usize = 1_000;
/// Commits with more changed files are not replayed.
const WIDE_COMMIT: usize = 60;
/// Number of commits to consider.
const COMMITS: u64 = 200;

/// Length of a pilot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub questions: u64,
}

/// Result of a pilot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pilot {
    pub project_root: String,
    pub files: u64,
    pub questions: u64,
    /// Questions preceded by an edit.
    pub edits: u64,
    /// Edits replay the newest commits; otherwise every hundredth file changed.
    pub edits_from_history: bool,
    /// Tokens of listings and files that would have been read.
    pub baseline_tokens: u64,
    pub served_tokens: u64,
    pub token_reduction: f64,
    /// Share of answers from a usable artifact.
    pub hit_ratio: f64,
    /// Time of the first answer, which reads every file.
    pub build_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_ms: Option<Latency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_ms: Option<Latency>,
    /// Time to read the files that an answer replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_ms: Option<Latency>,
    /// Changed files as a share of all files, averaged over answers from a usable artifact.
    pub changed_ratio: f64,
}

impl Context {
    /// Measures a project on a copy in `scratch`, an empty folder outside of every project.
    pub fn pilot(
        &self,
        project: &Utf8Path,
        scratch: &Directory,
        workload: Workload,
    ) -> Result<Pilot, ContextError> {
        let project = self.project(project)?;
        let options = ContextOptions {
            cache_root: scratch.path().join("cache"),
            ..self.options.clone()
        };
        let context = Self::open(options)?;
        let replica = ProjectCopy::make(&context, &project, scratch)?;
        replica.measure(&context, workload)
    }
}

/// A copy of a project's files in a scratch folder, with the same git history.
struct ProjectCopy<'a> {
    project: &'a OpenProject,
    root: Utf8PathBuf,
    paths: Vec<String>,
    /// Paths that change together, one list per edit.
    edits: Vec<Vec<String>>,
    edits_from_history: bool,
}

impl<'a> ProjectCopy<'a> {
    fn make(
        context: &Context,
        project: &'a OpenProject,
        scratch: &Directory,
    ) -> Result<Self, ContextError> {
        // Selects files that belong to the project and may be opened.
        let listed = context.update(project, ChangeDetection::FullScan)?;
        let tables = listed.artifact.tables();
        let prefix = project
            .repository
            .as_ref()
            .map_or("", ProjectRepository::prefix);
        let tree = scratch.path().join("tree");
        let root = tree.join(prefix.trim_end_matches('/'));
        let mut paths = Vec::new();
        for index in 0..tables.file_count() {
            let file = tables.file(index);
            let is_plain = matches!(file.node.kind, NodeKind::File | NodeKind::Executable);
            if is_plain && file.marks & (mark::SENSITIVE | mark::UNREAD) == 0 {
                let path = tables.path(index);
                // A file removed meanwhile is no longer part of the project.
                if copy_file(&project.root.absolute(&path), &root.join(&path)).is_ok() {
                    paths.push(path);
                }
            }
        }
        // The tables are sorted by folder and name.
        paths.sort_unstable();
        std::fs::create_dir_all(&root).map_err(|cause| failed(&root, cause))?;
        if let Some(repository) = &project.repository {
            let line = format!("gitdir: {}\n", repository.folder());
            let directory = Directory::open(&tree, acreta_fs::NoFaults::shared())?;
            directory.replace(".git", line.as_bytes())?;
        }
        let mut edits = project.repository.as_ref().map_or_else(Vec::new, |git| {
            commits(git, &|path| {
                paths
                    .binary_search_by(|known| known.as_str().cmp(path))
                    .is_ok()
            })
        });
        let edits_from_history = !edits.is_empty();
        if edits.is_empty() && !paths.is_empty() {
            edits.push(paths.iter().step_by(100).cloned().collect());
        }
        Ok(Self {
            project,
            root,
            paths,
            edits,
            edits_from_history,
        })
    }

    fn measure(&self, context: &Context, workload: Workload) -> Result<Pilot, ContextError> {
        let now = || (context.options.now)();
        let mut tokens = TokenCounts::default();
        let listing: Vec<&str> = self.paths.iter().take(LISTED).map(String::as_str).collect();
        let listing = count_tokens(&listing.join("\n")) as u64;
        let (mut latencies, mut readings) = (Latencies::default(), Vec::new());
        let (mut hits, mut edits, mut files) = (0, 0, 0);
        let (mut baseline_tokens, mut served_tokens) = (0, 0);
        let mut build = Duration::ZERO;
        for question in 0..workload.questions {
            if question > 0 && question % EDIT_EVERY == 0 && !self.edits.is_empty() {
                let number = usize::try_from(edits).unwrap_or(0) % self.edits.len();
                for path in &self.edits[number] {
                    // A file that cannot be written stays unchanged.
                    if append_line(&self.root.join(path)).is_ok() {
                        tokens.by_path.remove(path);
                    }
                }
                edits += 1;
            }
            let asked = now();
            let answer = context.explore(&self.root, &Request::default(), None)?;
            let took = since(asked, now());
            files = answer.stats.file_count;
            served_tokens += count_tokens(&answer.to_json()) as u64;
            if question == 0 {
                build = took;
            }
            if answer.cache_status == CacheStatus::Hit {
                hits += 1;
                let changed = answer.delta.as_ref().map_or(0, |delta| delta.changed());
                latencies.add(Some((changed, files)), Some(took));
            }
            let read = now();
            let paths = baseline_files(&answer);
            let bytes = paths.iter().map(|path| std::fs::read(self.root.join(path)));
            let _read: usize = bytes.flatten().map(|bytes| bytes.len()).sum();
            readings.push(since(read, now()));
            baseline_tokens += listing + tokens.of(&self.root, &paths);
        }
        Ok(Pilot {
            project_root: self.project.root.path().to_string(),
            files,
            questions: workload.questions,
            edits,
            edits_from_history: self.edits_from_history,
            baseline_tokens,
            served_tokens,
            token_reduction: reduction(served_tokens, baseline_tokens),
            hit_ratio: share(hits, workload.questions),
            build_ms: build.as_micros() as f64 / 1000.0,
            hit_ms: latencies.hit(),
            delta_ms: latencies.delta(),
            baseline_ms: Latency::of(readings),
            changed_ratio: latencies.changed_ratio(),
        })
    }
}

/// Token counts of files, cached until a file changes.
#[derive(Default)]
struct TokenCounts {
    by_path: BTreeMap<String, u64>,
}

impl TokenCounts {
    fn of(&mut self, root: &Utf8Path, paths: &[String]) -> u64 {
        let mut all = 0;
        for path in paths {
            all += match self.by_path.get(path) {
                Some(known) => *known,
                None => {
                    let counted = file_tokens(&root.join(path));
                    self.by_path.insert(path.clone(), counted);
                    counted
                }
            };
        }
        all
    }
}

/// Returns the files an agent would read instead of an answer: those it names, and those that changed.
fn baseline_files(answer: &Response) -> Vec<String> {
    let mut paths = replaced_files(answer);
    let changed = answer.delta.iter().flat_map(|delta| &delta.files);
    paths.extend(
        changed
            .filter(|file| file.change != Change::Removed)
            .map(|file| file.path.clone()),
    );
    paths.sort();
    paths.dedup();
    paths
}

/// Returns paths changed by the newest commits that still exist, one list per commit.
fn commits(repository: &ProjectRepository, is_there: &dyn Fn(&str) -> bool) -> Vec<Vec<String>> {
    let options = HistoryOptions {
        commits: COMMITS,
        skip_merges: true,
        within: Some(repository.prefix().to_owned()),
        paths: Some(WIDE_COMMIT),
        ..HistoryOptions::default()
    };
    let mut commits = Vec::new();
    repository.git().history(&options, &mut |commit| {
        let paths = commit.changes.into_iter().map(|(path, _)| path);
        let paths: Vec<String> = paths.filter(|path| is_there(path)).collect();
        if !paths.is_empty() && !commit.is_cut {
            commits.push(paths);
        }
        ControlFlow::Continue(())
    });
    commits
}

fn copy_file(from: &Utf8Path, to: &Utf8Path) -> std::io::Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::copy(from, to).map(|_| ())
}

fn append_line(path: &Utf8Path) -> std::io::Result<()> {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().append(true).open(path)?;
    file.write_all(b"\n")
}

fn since(then: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(then).unwrap_or_default()
}

fn failed(path: &Utf8Path, cause: std::io::Error) -> ContextError {
    ContextError::Project {
        path: path.to_owned(),
        cause,
    }
}
