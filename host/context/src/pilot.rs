//! A pilot on a person's own project: the same questions without and with acreta, on a scratch copy.
//! Nothing is written in the project, and nothing of the pilot counts as real use.
//!
//! Without acreta, an agent lists the project, reads the files that an answer would have stood for and
//! those that changed. With it, the agent reads the answer. Between questions files change as they did
//! in the newest commits.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use acreta_fs::Directory;
use acreta_git::HistoryOptions;
use acreta_text::count_tokens;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::ContextError;
use crate::answer::gain::{file_tokens, stands_for};
use crate::answer::measures::{Latencies, Latency, reduction, share};
use crate::answer::request::Request;
use crate::answer::response::{CacheStatus, Change, Response};
use crate::artifact::how::How;
use crate::context::{Context, Project};
use crate::options::ContextOptions;
use crate::scan::node::Kind;
use crate::scan::repository::Repository;
use crate::scan::tree::mark;

/// Every so many questions, files change first.
const EDIT_EVERY: u64 = 5;
/// Names of a listing that an agent reads.
const LISTED: usize = 1_000;
/// Files that one commit may have changed to be one that is replayed.
const WIDE_COMMIT: usize = 60;
/// Commits that are looked at for changes.
const COMMITS: u64 = 200;

/// How long a pilot goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub questions: u64,
}

/// What a pilot measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pilot {
    pub project_root: String,
    pub files: u64,
    pub questions: u64,
    /// Questions before which files had changed.
    pub edits: u64,
    /// The changes were those of the newest commits; otherwise every hundredth file changed.
    pub edits_from_history: bool,
    /// Tokens of listings and files that would have been read.
    pub baseline_tokens: u64,
    pub served_tokens: u64,
    pub token_reduction: f64,
    /// Answers from an artifact that could be used.
    pub hit_ratio: f64,
    /// The first answer, which reads every file.
    pub build_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_ms: Option<Latency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta_ms: Option<Latency>,
    /// Reading the files that an answer stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_ms: Option<Latency>,
    /// Changed files as a share of all files, the mean of all answers from a usable artifact.
    pub changed_ratio: f64,
}

impl Context {
    /// Measures a project on a copy of it in `scratch`, an empty folder outside of every project.
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
        let replica = Replica::make(&context, &project, scratch)?;
        replica.measure(&context, workload)
    }
}

/// A project's files in a scratch folder, in front of the same history.
struct Replica<'a> {
    project: &'a Project,
    root: Utf8PathBuf,
    paths: Vec<String>,
    /// The paths that change together, one list for each edit.
    edits: Vec<Vec<String>>,
    edits_from_history: bool,
}

impl<'a> Replica<'a> {
    fn make(
        context: &Context,
        project: &'a Project,
        scratch: &Directory,
    ) -> Result<Self, ContextError> {
        // What belongs to the project, and what of it may be opened.
        let listed = context.update(project, How::Walking)?;
        let tables = listed.artifact.tables();
        let prefix = project.repository.as_ref().map_or("", Repository::prefix);
        let tree = scratch.path().join("tree");
        let root = tree.join(prefix.trim_end_matches('/'));
        let mut paths = Vec::new();
        for index in 0..tables.file_count() {
            let file = tables.file(index);
            let is_plain = matches!(file.node.kind, Kind::File | Kind::Executable);
            if is_plain && file.marks & (mark::SENSITIVE | mark::UNREAD) == 0 {
                let path = tables.path(index);
                // One that went meanwhile is not part of the project any more.
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
        let mut tokens = Tokens::default();
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
                    // One that may not be written stays as it is.
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
            let paths = would_read(&answer);
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

/// Tokens of files, counted once until they change.
#[derive(Default)]
struct Tokens {
    by_path: BTreeMap<String, u64>,
}

impl Tokens {
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

/// The files that an agent reads instead of an answer: those it names, and those that changed.
fn would_read(answer: &Response) -> Vec<String> {
    let mut paths = stands_for(answer);
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

/// The paths that the newest commits changed and that are still there, one list for each commit.
fn commits(repository: &Repository, is_there: &dyn Fn(&str) -> bool) -> Vec<Vec<String>> {
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
