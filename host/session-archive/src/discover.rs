//! Finds the session files under an agent's root. Searches only folders that a pattern can match, follows no link and
//! reads no file; an unreadable entry is reported as a problem and does not end the search.

use acreta_fs::{Directory, FsError, NoFaults, ScanLimits, Scanned, Stamp, Wanted};
use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

/// A file that a pattern matched, with its stamp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Path relative to the root.
    pub relative: Utf8PathBuf,
    pub stamp: Stamp,
    /// Files beside it that hold a part of its content; see [`fold_companions`].
    pub companions: Companions,
}

/// Combined state of the files beside a database; all 0 if there are none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Companions {
    pub bytes: u64,
    /// Latest modification time.
    pub modified_ns: i64,
}

/// An entry that could not be read. The search continued.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryProblem {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("pattern `{pattern}` is not a glob")]
    Pattern {
        pattern: String,
        #[source]
        cause: globset::Error,
    },
}

/// Returns the regular files under `root` that match one of `patterns`, sorted by path.
///
/// `*` stays within a name, `**` matches folders at any depth; otherwise the usual glob syntax applies.
pub fn discover(
    root: &Utf8Path,
    patterns: &[String],
    limits: ScanLimits,
) -> (Vec<FoundFile>, Vec<DiscoveryProblem>) {
    match Directory::open(root, NoFaults::shared()) {
        Ok(directory) => discover_in(&directory, patterns, limits),
        Err(error) => (Vec::new(), vec![error.into()]),
    }
}

/// Like [`discover`], in a directory that is already open.
pub fn discover_in(
    root: &Directory,
    patterns: &[String],
    limits: ScanLimits,
) -> (Vec<FoundFile>, Vec<DiscoveryProblem>) {
    let (patterns, mut problems) = Patterns::new(patterns);
    let (found, failed) = root.scan(&patterns, limits);
    problems.extend(failed.into_iter().map(DiscoveryProblem::from));
    (found.into_iter().map(FoundFile::from).collect(), problems)
}

/// Includes files with the same name and a suffix: a database's latest changes are in `<name>-wal`, while the database
/// itself looks unchanged.
pub fn fold_companions(
    root: &Directory,
    found: &mut [FoundFile],
    suffixes: &[&str],
) -> Vec<DiscoveryProblem> {
    let mut problems = Vec::new();
    for file in found {
        file.companions = Companions::default();
        for suffix in suffixes {
            match root.metadata(format!("{}{suffix}", file.relative)) {
                Ok(metadata) => file.companions.add(&metadata),
                Err(error) if error.is_not_found() => {}
                Err(error) => problems.push(error.into()),
            }
        }
    }
    problems
}

impl FoundFile {
    /// Returns the combined stamp of the file and its companions.
    pub fn whole_stamp(&self) -> Stamp {
        Stamp {
            bytes: self.stamp.bytes.saturating_add(self.companions.bytes),
            modified_ns: self.stamp.modified_ns.max(self.companions.modified_ns),
            ..self.stamp
        }
    }
}

impl Companions {
    fn add(&mut self, metadata: &acreta_fs::Metadata) {
        self.bytes = self.bytes.saturating_add(metadata.bytes);
        self.modified_ns = self.modified_ns.max(metadata.modified_ns);
    }
}

impl From<Scanned> for FoundFile {
    fn from(scanned: Scanned) -> Self {
        Self {
            relative: scanned.path,
            stamp: scanned.stamp,
            companions: Companions::default(),
        }
    }
}

struct Patterns {
    files: GlobSet,
    /// For each pattern the folders of its path, from the root.
    ways: Vec<Vec<PathStep>>,
}

/// Requirement of a pattern on one folder of a path.
enum PathStep {
    Named(String),
    Like(GlobMatcher),
    /// No requirement on this folder and everything below it.
    Anything,
}

impl Patterns {
    fn new(patterns: &[String]) -> (Self, Vec<DiscoveryProblem>) {
        let mut files = GlobSetBuilder::new();
        let mut ways = Vec::new();
        let mut problems = Vec::new();
        for pattern in patterns {
            match glob(pattern) {
                Ok(glob) => {
                    files.add(glob);
                    ways.push(way(pattern));
                }
                Err(cause) => problems.push(DiscoveryProblem::Pattern {
                    pattern: pattern.clone(),
                    cause,
                }),
            }
        }
        let files = files.build().unwrap_or_else(|cause| {
            // Each is a valid glob, but together they exceed the size limit of the compiled set.
            problems.push(DiscoveryProblem::Pattern {
                pattern: patterns.join("`, `"),
                cause,
            });
            GlobSet::empty()
        });
        (Self { files, ways }, problems)
    }
}

impl Wanted for Patterns {
    fn enters(&self, directory: &Utf8Path) -> bool {
        self.ways.iter().any(|way| leads(way, directory.as_str()))
    }

    fn takes(&self, file: &Utf8Path) -> bool {
        self.files.is_match(file.as_str())
    }
}

fn glob(pattern: &str) -> Result<globset::Glob, globset::Error> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .backslash_escape(true)
        .build()
}

/// Returns the folders of a pattern, up to the first one of open depth.
fn way(pattern: &str) -> Vec<PathStep> {
    let mut way = Vec::new();
    let mut parts = pattern.split('/').peekable();
    while let Some(part) = parts.next() {
        let is_plain = !part.contains(['*', '?', '[', ']', '{', '}', '\\']);
        // Braces around a slash are split here.
        let is_half = part.matches('{').count() != part.matches('}').count();
        let step = if part.contains("**") || is_half {
            PathStep::Anything
        } else if parts.peek().is_none() {
            break;
        } else if is_plain {
            PathStep::Named(part.to_owned())
        } else {
            glob(part).map_or(PathStep::Anything, |glob| {
                PathStep::Like(glob.compile_matcher())
            })
        };
        let is_last = matches!(step, PathStep::Anything);
        way.push(step);
        if is_last {
            break;
        }
    }
    way
}

fn leads(way: &[PathStep], directory: &str) -> bool {
    let mut steps = way.iter();
    for name in directory.split('/') {
        match steps.next() {
            Some(PathStep::Anything) => return true,
            Some(PathStep::Named(named)) if named == name => {}
            Some(PathStep::Like(like)) if like.is_match(name) => {}
            _ => return false,
        }
    }
    true
}
