//! What a caller decides once: where artifacts lie, how far work goes, what is never opened, and
//! what time it is.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use acreta_fs::{Faults, NoFaults};
use camino::Utf8PathBuf;

/// Tells the time. Only the binary reads the clock.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

#[derive(Clone)]
pub struct ContextOptions {
    /// The folder of the artifacts; made when it is not there.
    pub cache_root: Utf8PathBuf,
    pub limits: Limits,
    pub sensitive: SensitivePatterns,
    pub analysis: Analysis,
    /// The user's own ignore file (`core.excludesFile`), if there is one.
    pub global_ignore: Option<Utf8PathBuf>,
    pub history: History,
    pub now: Clock,
    /// Told of every step at the cache; tests let them fail.
    pub faults: Arc<dyn Faults>,
}

impl ContextOptions {
    pub fn new(cache_root: Utf8PathBuf, now: Clock) -> Self {
        Self {
            cache_root,
            limits: Limits::default(),
            sensitive: SensitivePatterns::default(),
            analysis: Analysis::Symbols,
            global_ignore: None,
            history: History::default(),
            now,
            faults: NoFaults::shared(),
        }
    }
}

/// How far work goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Files in a project; one more is an error.
    pub files: u64,
    /// Bytes of a file that is still read for its hash.
    pub hashed_bytes: u64,
    /// Bytes of a file that is still read for symbols and words.
    pub analysed_bytes: u64,
    pub depth: usize,
    /// Projects in the cache; the one used longest ago goes first.
    pub projects: usize,
    /// How long an artifact is served before everything is read again.
    pub lifetime: Duration,
    /// Threads for looking and reading; 0 for as many as there are cores, at most 8.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            files: 2_000_000,
            hashed_bytes: 512 * 1024 * 1024,
            analysed_bytes: 1024 * 1024,
            depth: 128,
            projects: 64,
            lifetime: Duration::from_secs(24 * 60 * 60),
            threads: 0,
        }
    }
}

impl Limits {
    pub(crate) fn workers(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, |cores| cores.get().min(8)),
            threads => threads,
        }
    }
}

/// Paths that are listed by name and never opened, as globs. A glob without `/` is about the last
/// part of a path. `allow` wins over `deny` and over what is built in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SensitivePatterns {
    pub allow: Vec<String>,
    pub deny: Vec<String>,
}

/// What is taken from a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// The hashes of its files: enough for deltas.
    Hashes,
    /// Symbols, imports and words too, and what git knows of its history.
    Symbols,
}

/// How far back history counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// Commits that count for how often a file changes.
    pub commits: u32,
    /// How long reading them may take.
    pub timeout: Duration,
}

impl Default for History {
    fn default() -> Self {
        Self {
            commits: 2_000,
            timeout: Duration::from_secs(10),
        }
    }
}
