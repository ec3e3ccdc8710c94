//! How often files change, from the history of the repository a project lies in.

use std::collections::HashMap;
use std::ops::ControlFlow;

use acreta_git::HistoryOptions;

use crate::options::History;
use crate::scan::repository::Repository;

/// A commit that changed more files than this says nothing about any of them.
const WIDE_COMMIT: usize = 60;

/// What the newest commit counts. One that lies `HALF` commits back counts half of it.
const NEWEST: u32 = 256;
const HALF: u32 = 1_000;

/// How often a file changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Churn {
    /// Commits that changed it.
    pub(crate) changes: u32,
    /// The same, with the newest counted most.
    pub(crate) heat: u32,
}

/// How often the last commits changed each path beneath the project. A history that breaks off counts
/// as far as it goes.
pub(crate) fn churn(repository: &Repository, history: &History) -> HashMap<String, Churn> {
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
