//! Asking git. It runs nothing the repository names, waits for nobody, and is given up on after a
//! while; what it cannot tell is none.

use std::collections::HashMap;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Instant;

use camino::Utf8Path;

use crate::options::Git;
use crate::response::{Change, Changed};

/// More than the history that is asked for has.
const OUTPUT_BYTES: u64 = 256 * 1024 * 1024;
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

impl Git {
    /// How often the last commits changed each path beneath `project`.
    pub(crate) fn churn(&self, project: &Utf8Path) -> Option<HashMap<String, Churn>> {
        let commits = self.commits.to_string();
        let output = self.run(
            project,
            &[
                "log",
                "-z",
                "--no-renames",
                "--no-merges",
                "--name-only",
                "--relative",
                "--format=format:%x01",
                "-n",
                &commits,
                "--",
                ".",
            ],
        )?;
        let mut churn: HashMap<String, Churn> = HashMap::new();
        let commits = output.split(|byte| *byte == 1).skip(1);
        for (age, commit) in (0..).zip(commits) {
            let paths: Vec<&str> = commit
                .split(|byte| *byte == 0 || *byte == b'\n')
                .filter_map(|path| std::str::from_utf8(path).ok())
                .filter(|path| !path.is_empty())
                .collect();
            if paths.len() <= WIDE_COMMIT {
                for path in paths {
                    let known = churn.entry(path.to_owned()).or_default();
                    known.changes += 1;
                    known.heat += NEWEST * HALF / (HALF + age);
                }
            }
        }
        Some(churn)
    }

    /// What differs between a revision and the work tree; `None` when git does not know it.
    pub(crate) fn changed_since(&self, project: &Utf8Path, since: &str) -> Option<Vec<Changed>> {
        // A revision that looks like an option is none.
        if since.starts_with('-') {
            return None;
        }
        let revision = format!("{since}^{{commit}}");
        let commit = self.run(project, &["rev-parse", "--verify", "--quiet", &revision])?;
        let commit = String::from_utf8(commit).ok()?.trim().to_owned();
        let known = self.run(
            project,
            &[
                "diff",
                "-z",
                "--name-status",
                "--relative",
                "-M",
                &commit,
                "--",
                ".",
            ],
        )?;
        let others = self.run(
            project,
            &[
                "ls-files",
                "-z",
                "--others",
                "--exclude-standard",
                "--",
                ".",
            ],
        )?;
        let mut changed = Vec::new();
        let mut fields = texts(&known).into_iter();
        while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
            let (change, path, from) = match status.as_bytes().first() {
                Some(b'A') => (Change::Added, path, None),
                Some(b'D') => (Change::Removed, path, None),
                Some(b'R') => (
                    Change::Renamed,
                    fields.next().unwrap_or_default(),
                    Some(path),
                ),
                Some(b'C') => (Change::Added, fields.next().unwrap_or_default(), None),
                _ => (Change::Modified, path, None),
            };
            changed.push(Changed { path, change, from });
        }
        changed.extend(texts(&others).into_iter().map(|path| Changed {
            path,
            change: Change::Added,
            from: None,
        }));
        changed.sort();
        changed.dedup();
        Some(changed)
    }

    fn run(&self, project: &Utf8Path, arguments: &[&str]) -> Option<Vec<u8>> {
        let deadline = Instant::now() + self.timeout;
        let mut command = Command::new(&self.program);
        command
            .args(["--no-pager", "-c", "core.fsmonitor=false"])
            .args([
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "core.quotePath=false",
            ])
            .args(["-C", project.as_str()])
            .args(arguments)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // What a caller's own git left in the environment is about another repository.
        for variable in ABOUT_A_REPOSITORY {
            command.env_remove(variable);
        }
        let mut child = command.spawn().ok()?;
        let output = output_until(&mut child, deadline);
        let done = output.filter(|_| succeeds(&mut child, deadline));
        if done.is_none() {
            // Best effort: it may have ended by itself, and then there is only its status to take.
            let _ = child.kill();
            let _ = child.wait();
        }
        done
    }
}

const ABOUT_A_REPOSITORY: [&str; 7] = [
    "GIT_COMMON_DIR",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
];

fn texts(output: &[u8]) -> Vec<String> {
    output
        .split(|byte| *byte == 0)
        .filter(|field| !field.is_empty())
        .map(|field| String::from_utf8_lossy(field).into_owned())
        .collect()
}

/// All that the child writes; `None` when it does not come to an end in time.
fn output_until(child: &mut Child, deadline: Instant) -> Option<Vec<u8>> {
    let stdout = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut output = Vec::new();
        let read = stdout.take(OUTPUT_BYTES).read_to_end(&mut output);
        // Nobody listens any more when it took too long.
        let _ = sender.send(read.is_ok().then_some(output));
    });
    receiver
        .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        .ok()
        .flatten()
}

/// Whether a child that has nothing more to say ends in time, and well.
fn succeeds(child: &mut Child, deadline: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < deadline => {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            _ => return false,
        }
    }
}
