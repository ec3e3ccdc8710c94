//! Finding the session files under an agent's root. Looks only where a pattern can lead, follows no
//! link and reads no file; what cannot be looked at is a problem beside what was found, never the end.

use acreta_fs::{Directory, FsError, NoFaults, ScanLimits, Scanned, Stamp, Wanted};
use camino::{Utf8Path, Utf8PathBuf};
use globset::{GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

/// A file that a pattern matched, with what tells whether it changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Relative to the root.
    pub relative: Utf8PathBuf,
    pub stamp: Stamp,
    /// The files beside it that hold a part of its content; see [`fold_companions`].
    pub companions: Companions,
}

/// What the files beside a database are together; all 0 when there are none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Companions {
    pub bytes: u64,
    /// Of the one that changed last.
    pub modified_ns: i64,
}

/// Something that could not be looked at. The rest was.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("pattern `{pattern}` is not a glob")]
    Pattern {
        pattern: String,
        #[source]
        cause: globset::Error,
    },
}

/// The regular files under `root` that one of `patterns` matches, in the order of their paths.
///
/// `*` stays within a name, `**` goes through folders, anything else is as globs are.
pub fn discover(
    root: &Utf8Path,
    patterns: &[String],
    limits: ScanLimits,
) -> (Vec<FoundFile>, Vec<Problem>) {
    match Directory::open(root, NoFaults::shared()) {
        Ok(directory) => discover_in(&directory, patterns, limits),
        Err(error) => (Vec::new(), vec![error.into()]),
    }
}

/// The same in a directory that is open already.
pub fn discover_in(
    root: &Directory,
    patterns: &[String],
    limits: ScanLimits,
) -> (Vec<FoundFile>, Vec<Problem>) {
    let (patterns, mut problems) = Patterns::new(patterns);
    let (found, failed) = root.scan(&patterns, limits);
    problems.extend(failed.into_iter().map(Problem::from));
    (found.into_iter().map(FoundFile::from).collect(), problems)
}

/// Takes what lies beside each file under its name and a suffix into account: a database's latest
/// changes are in `<name>-wal`, while the database itself looks as it did.
pub fn fold_companions(
    root: &Directory,
    found: &mut [FoundFile],
    suffixes: &[&str],
) -> Vec<Problem> {
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
    /// The stamp of the file and its companions together.
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
    /// For each pattern the folders on its way, from the root on.
    ways: Vec<Vec<Step>>,
}

/// What a pattern asks of one folder of a path.
enum Step {
    Named(String),
    Like(GlobMatcher),
    /// Of this folder and all within it: nothing.
    Anything,
}

impl Patterns {
    fn new(patterns: &[String]) -> (Self, Vec<Problem>) {
        let mut files = GlobSetBuilder::new();
        let mut ways = Vec::new();
        let mut problems = Vec::new();
        for pattern in patterns {
            match glob(pattern) {
                Ok(glob) => {
                    files.add(glob);
                    ways.push(way(pattern));
                }
                Err(cause) => problems.push(Problem::Pattern {
                    pattern: pattern.clone(),
                    cause,
                }),
            }
        }
        let files = files.build().unwrap_or_else(|cause| {
            // Each is a glob, but together they are larger than may be compiled.
            problems.push(Problem::Pattern {
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

/// The folders of a pattern, up to the first that leaves open how deep it goes.
fn way(pattern: &str) -> Vec<Step> {
    let mut way = Vec::new();
    let mut parts = pattern.split('/').peekable();
    while let Some(part) = parts.next() {
        let is_plain = !part.contains(['*', '?', '[', ']', '{', '}', '\\']);
        // Braces around a slash come apart here.
        let is_half = part.matches('{').count() != part.matches('}').count();
        let step = if part.contains("**") || is_half {
            Step::Anything
        } else if parts.peek().is_none() {
            break;
        } else if is_plain {
            Step::Named(part.to_owned())
        } else {
            glob(part).map_or(Step::Anything, |glob| Step::Like(glob.compile_matcher()))
        };
        let is_last = matches!(step, Step::Anything);
        way.push(step);
        if is_last {
            break;
        }
    }
    way
}

fn leads(way: &[Step], directory: &str) -> bool {
    let mut steps = way.iter();
    for name in directory.split('/') {
        match steps.next() {
            Some(Step::Anything) => return true,
            Some(Step::Named(named)) if named == name => {}
            Some(Step::Like(like)) if like.is_match(name) => {}
            _ => return false,
        }
    }
    true
}
