//! Change frequency of files, from the git history of a project.

use std::collections::HashMap;
use std::ops::ControlFlow;

use acreta_git::HistoryOptions;

use crate::options::History;
use crate::scan::repository::ProjectRepository;

/// Commits with more changed files are ignored: they say nothing about any single file.
const WIDE_COMMIT: usize = 60;

/// Weight of the newest commit. A commit `HALF` commits back counts half as much.
const NEWEST: u32 = 256;
const HALF: u32 = 1_000;

/// Change frequency of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Churn {
    /// Commits that changed it.
    pub(crate) changes: u32,
    /// Number of changes, weighted by recency.
    pub(crate) heat: u32,
}

/// Returns the change frequency of each path beneath the project in the latest commits. If the history cannot be read
/// to its end, counts the part that was read.
pub(crate) fn churn(repository: &ProjectRepository, history: &History) -> HashMap<String, Churn> {
    let options = HistoryOptions {
        commits: u64::from(history.commits),
        skip_merges: true,
        within: Some(repository.prefix().to_owned()),
        paths: Some(WIDE_COMMIT),
        timeout: history.timeout,
    };
    let mut churn: HashMap<String, Churn> = HashMap::new();
    let mut age = 0;
    repository.git().history(&options, &mut |commit| {
        if !commit.is_cut {
            for (path, _) in commit.changes {
                let known = churn.entry(path).or_default();
                known.changes += 1;
                known.heat += NEWEST * HALF / (HALF + age);
            }
        }
        age += 1;
        ControlFlow::Continue(())
    });
    churn
}
