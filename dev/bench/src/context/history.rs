//! Compares acreta with git on one repository: history with changed paths, and differences from a revision after some
//! edits. Each side is a separate process, the two alternate, and the median counts.

use std::ops::ControlFlow;
use std::process::Command;
use std::time::Duration;

use acreta_codebase::Request;
use acreta_git::{GitRepository, HistoryOptions};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;

use crate::Outcome;
use crate::context::figures::ratio;
use crate::context::run::{git, median, milliseconds, part, timed};

const ROUNDS: usize = 9;
/// Number of commits that count for the change frequency of a file.
const COMMITS: u32 = 2_000;

pub(crate) fn bench(repository: &Utf8Path) -> Outcome<()> {
    let scratch = tempfile::tempdir()?;
    let scratch = Utf8PathBuf::try_from(scratch.path().canonicalize()?)?;
    let clone = scratch.join("clone");
    git(
        &scratch,
        &[
            "clone",
            "-q",
            "--shared",
            repository.as_str(),
            clone.as_str(),
        ],
    )?;
    let (mut log, mut history) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        log.push(asked(&clone, &[log_arguments()])?);
        history.push(part(&["history", clone.as_str()])?.0);
    }
    edit(&clone)?;
    let cache = scratch.join("cache");
    part(&["explore", clone.as_str(), cache.as_str()])?;
    let (mut diff, mut since) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        diff.push(asked(&clone, &since_arguments())?);
        since.push(part(&["since", clone.as_str(), cache.as_str()])?.0);
    }
    let (log, history) = (median(log), median(history));
    let (diff, since) = (median(diff), median(since));
    println!(
        "{:<24} {:>10} {:>10} {:>6}",
        "", "git, ms", "acreta, ms", "ratio"
    );
    for (name, theirs, ours) in [
        ("2,000 commits with paths", log, history),
        ("delta --since HEAD~20", diff, since),
    ] {
        println!(
            "{name:<24} {:>10} {:>10} {:>6}",
            milliseconds(theirs),
            milliseconds(ours),
            ratio(ours, theirs)
        );
    }
    println!(
        "{}",
        json!({
            "history_over_git_log": ratio(history, log),
            "since_over_git": ratio(since, diff),
        })
    );
    Ok(())
}

/// Reads history as an artifact does.
pub(crate) fn read(project: &str) -> Outcome<()> {
    let options = HistoryOptions {
        commits: u64::from(COMMITS),
        skip_merges: true,
        within: Some(String::new()),
        paths: Some(60),
        timeout: Duration::from_secs(60),
    };
    let mut changes = 0;
    let repository = GitRepository::at(Utf8Path::new(project))?;
    let end = repository.history(&options, &mut |commit| {
        changes += commit.changes.len();
        ControlFlow::Continue(())
    });
    println!("{changes} {end:?}");
    Ok(())
}

/// Compares with a revision; `delta` without one is measured elsewhere.
pub(crate) fn since(project: &str, cache: &str) -> Outcome<()> {
    let context =
        crate::context::open::open(Utf8Path::new(cache), acreta_codebase::Analysis::Symbols)?;
    let request = Request {
        since: Some("HEAD~20".to_owned()),
        ..Request::default()
    };
    let response = context.delta(Utf8Path::new(project), &request)?;
    println!("{}", response.to_json());
    Ok(())
}

fn log_arguments() -> Vec<String> {
    let text = format!(
        "log -z --no-renames --no-merges --name-only --relative --format=format:%x01 -n {COMMITS} -- ."
    );
    text.split(' ').map(ToOwned::to_owned).collect()
}

/// Arguments of the three equivalent git commands.
fn since_arguments() -> [Vec<String>; 3] {
    [
        "rev-parse --verify --quiet HEAD~20^{commit}",
        "diff -z --name-status --relative -M HEAD~20 -- .",
        "ls-files -z --others --exclude-standard -- .",
    ]
    .map(|text| text.split(' ').map(ToOwned::to_owned).collect())
}

fn asked<'a>(
    folder: &Utf8Path,
    questions: impl IntoIterator<Item = &'a Vec<String>>,
) -> Outcome<Duration> {
    let mut all = Duration::ZERO;
    for arguments in questions {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(arguments);
        all += timed(&mut command)?.0;
    }
    Ok(all)
}

/// Changes every fiftieth file.
fn edit(root: &Utf8Path) -> Outcome<()> {
    let files = git(root, &["ls-files"])?;
    let files = String::from_utf8_lossy(&files).into_owned();
    for path in files.lines().step_by(50) {
        let path = root.join(path);
        if let Ok(text) = std::fs::read_to_string(&path) {
            crate::context::generate::put(&path, &format!("{text}\n# edited\n"))?;
        }
    }
    Ok(())
}
