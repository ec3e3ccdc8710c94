//! Asking a repository who it is and what is in it. Its config is read as text; what needs git itself
//! runs nothing the repository names, waits for nobody and is given up on after a while.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use acreta_fs::{Directory, EntryKind, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};

use acreta_model::Identity;

use super::{normalised_remote, remote_in_config};

/// The git that is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Git {
    /// A name is looked for where programs lie.
    pub program: Utf8PathBuf,
    pub timeout: Duration,
}

impl Default for Git {
    fn default() -> Self {
        Self {
            program: Utf8PathBuf::from("git"),
            timeout: Duration::from_secs(10),
        }
    }
}

impl Git {
    /// Who the repository of a main checkout is. What cannot be told, be it for want of git, is none.
    pub fn identity(&self, root: &Utf8Path) -> Identity {
        let Some(folder) = git_folder(root) else {
            return Identity::default();
        };
        let config = folder.read("config", CONFIG_BYTES).unwrap_or_default();
        let remote = remote_in_config(&String::from_utf8_lossy(&config));
        // The oldest commit of a shallow clone is no root, only where copying stopped.
        let is_whole = matches!(folder.exists("shallow"), Ok(false));
        Identity {
            root_commit: is_whole.then(|| self.root_commit(root)).flatten(),
            remote: remote.and_then(|url| normalised_remote(&url)),
        }
    }

    /// Every file of a checkout that git knows or would know, relative to its root; `None` without git.
    pub fn files(&self, root: &Utf8Path) -> Option<Vec<String>> {
        let arguments = ["ls-files", "-z", "-c", "-o", "--exclude-standard"];
        self.ask(root, &arguments).map(|output| paths(&output))
    }

    /// Every path that was deleted or moved in the newest commits; `None` without git.
    pub fn deleted_paths(&self, root: &Utf8Path) -> Option<Vec<String>> {
        let newest = format!("-n{COMMITS}");
        let arguments = [
            "log",
            "-z",
            "--no-renames",
            "--diff-filter=D",
            "--name-only",
            "--format=",
            &newest,
        ];
        self.ask(root, &arguments).map(|output| paths(&output))
    }

    /// The commit a checkout is at; `None` without git or before the first commit.
    pub fn head(&self, root: &Utf8Path) -> Option<String> {
        let output = self.ask(root, &["rev-parse", "--verify", "--quiet", "HEAD"])?;
        let commit = output.trim();
        is_commit(commit).then(|| commit.to_owned())
    }

    /// Every path that differs between a commit and the one a checkout is at. The checkout itself is
    /// not looked at: that could run what the repository names. `None` when git does not know.
    pub fn changed_since(&self, root: &Utf8Path, commit: &str) -> Option<Vec<String>> {
        if !is_commit(commit) {
            return None;
        }
        let arguments = [
            "diff",
            "-z",
            "--name-only",
            "--no-renames",
            "--no-ext-diff",
            commit,
            "HEAD",
            "--",
        ];
        self.ask(root, &arguments).map(|output| paths(&output))
    }

    fn root_commit(&self, root: &Utf8Path) -> Option<String> {
        let output = self.ask(root, &["rev-list", "--max-parents=0", "HEAD"])?;
        let commits = output.lines().map(str::trim).filter(|line| is_commit(line));
        commits.min().map(ToOwned::to_owned)
    }

    /// What git answers, when it does so in time, and well.
    fn ask(&self, root: &Utf8Path, arguments: &[&str]) -> Option<String> {
        let deadline = Instant::now() + self.timeout;
        let mut child = self.command(root, arguments).spawn().ok()?;
        let output = self.output(&mut child);
        let Some(output) = output.filter(|_| succeeds(&mut child, deadline)) else {
            // Best effort: it may have ended by itself, and then there is only its status to take.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        };
        Some(output)
    }

    fn command(&self, root: &Utf8Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["--no-pager", "-c", "core.fsmonitor=false"])
            .args(["-c", "core.hooksPath=/dev/null"])
            .args(["-C", root.as_str()])
            .args(arguments)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // What a caller's own git left in the environment is about another repository.
        for variable in ABOUT_A_REPOSITORY {
            command.env_remove(variable);
        }
        if let Some(above) = root.parent() {
            command.env("GIT_CEILING_DIRECTORIES", above);
        }
        command
    }

    /// All that the child writes; `None` when it does not come to an end in time.
    fn output(&self, child: &mut Child) -> Option<String> {
        let stdout = child.stdout.take()?;
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut output = Vec::new();
            let read = stdout.take(OUTPUT_BYTES).read_to_end(&mut output);
            let output = String::from_utf8_lossy(&output).into_owned();
            // Nobody listens any more when it took too long.
            let _ = sender.send(read.is_ok().then_some(output));
        });
        receiver.recv_timeout(self.timeout).ok().flatten()
    }
}

const CONFIG_BYTES: u64 = 1024 * 1024;
/// A million paths.
const OUTPUT_BYTES: u64 = 128 * 1024 * 1024;
/// How far back deleted paths are looked for.
const COMMITS: u64 = 5_000;
const POINTER_BYTES: u64 = 16 * 1024;

const ABOUT_A_REPOSITORY: [&str; 12] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Whether a child that has nothing more to say ends in time, and well.
fn succeeds(child: &mut Child, deadline: Instant) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(1)),
            _ => return false,
        }
    }
}

/// The folder with a checkout's config: its `.git`, or where a `.git` file points.
fn git_folder(root: &Utf8Path) -> Option<Directory> {
    let checkout = Directory::open(root, NoFaults::shared()).ok()?;
    match checkout.metadata(".git").ok()?.kind {
        EntryKind::File => {
            let pointer = checkout.read_to_string(".git", POINTER_BYTES).ok()?;
            let folder = root.join(pointer.strip_prefix("gitdir:")?.trim());
            let folder = Directory::open(&folder, NoFaults::shared()).ok()?;
            match folder.read_to_string("commondir", POINTER_BYTES) {
                Ok(common) => {
                    Directory::open(&folder.path().join(common.trim()), NoFaults::shared()).ok()
                }
                Err(_) => Some(folder),
            }
        }
        _ => Directory::open(&root.join(".git"), NoFaults::shared()).ok(),
    }
}

fn paths(output: &str) -> Vec<String> {
    let paths = output.split('\0').map(|path| path.trim_start_matches('\n'));
    paths
        .filter(|path| !path.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

fn is_commit(line: &str) -> bool {
    matches!(line.len(), 40 | 64) && line.bytes().all(|byte| byte.is_ascii_hexdigit())
}
