//! Options that the caller sets once: cache directory, limits, sensitive patterns and clock.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use acreta_fs::{Faults, NoFaults};
use camino::Utf8PathBuf;

/// Returns the current time. Only the binary reads the clock.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

#[derive(Clone)]
pub struct ContextOptions {
    /// Directory of the artifacts; created if missing.
    pub cache_root: Utf8PathBuf,
    pub limits: Limits,
    pub sensitive: SensitivePatterns,
    pub analysis: Analysis,
    /// The user's global ignore file (`core.excludesFile`), if there is one.
    pub global_ignore: Option<Utf8PathBuf>,
    pub history: History,
    pub now: Clock,
    /// Observes every operation on the cache; tests inject failures.
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

/// Limits on the work done for a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of files in a project; more is an error.
    pub files: u64,
    /// Maximum size of a file that is hashed.
    pub hashed_bytes: u64,
    /// Maximum size of a file that is analysed for symbols and words.
    pub analysed_bytes: u64,
    pub depth: usize,
    /// Maximum number of projects in the cache; the least recently used is evicted first.
    pub projects: usize,
    /// Maximum age of an artifact before everything is reread.
    pub lifetime: Duration,
    /// Number of threads; 0 for the number of cores, at most 8.
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

/// Globs of paths that are listed by name and never opened. A glob without `/` matches the last component of a path.
/// `allow` takes precedence over `deny` and the built-in patterns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SensitivePatterns {
    pub allow: Vec<String>,
    pub deny: Vec<String>,
}

/// Depth of analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// File hashes only: enough for deltas.
    Hashes,
    /// Also symbols, imports, words and git history.
    Symbols,
}

/// Limits on reading the git history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// Number of commits considered for churn.
    pub commits: u32,
    /// Maximum time for reading them.
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
