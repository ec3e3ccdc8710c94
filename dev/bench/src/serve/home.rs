//! A scratch home and project with generated memories, a small codebase and sessions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

pub(crate) struct Home {
    folder: tempfile::TempDir,
    binary: PathBuf,
}

const WORDS: [&str; 48] = [
    "queue", "lease", "token", "retry", "index", "shard", "cache", "parser", "schema", "socket",
    "worker", "config", "deploy", "branch", "commit", "merge", "render", "layout", "event",
    "trace", "budget", "limit", "stream", "buffer", "packet", "secret", "signal", "thread",
    "cursor", "vector", "window", "column", "table", "record", "memory", "folder", "backup",
    "import", "export", "client", "server", "router", "filter", "logger", "metric", "report",
    "policy", "plugin",
];

/// Generates words; equal numbers give equal words.
pub(crate) fn words(number: usize, count: usize) -> String {
    let mut state = number as u64 * 0x9E37_79B9_7F4A_7C15 + 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        WORDS[(state % WORDS.len() as u64) as usize]
    };
    (0..count).map(|_| next()).collect::<Vec<_>>().join(" ")
}

impl Home {
    pub(crate) fn new(binary: &Path, config: &str) -> Outcome<Self> {
        let home = Self {
            folder: tempfile::tempdir()?,
            binary: binary.to_owned(),
        };
        home.write("home/config.toml", config)?;
        for number in 0..200 {
            let name = WORDS[number % WORDS.len()];
            let text = format!("pub fn {name}_{number}() {{}}\n");
            home.write(&format!("project/src/{name}_{number}.rs"), &text)?;
        }
        let git = |arguments: &[&str]| {
            Command::new("git")
                .args(["-c", "user.name=b", "-c", "user.email=b@example.com"])
                .args(arguments)
                .current_dir(home.project())
                .output()
        };
        git(&["init", "-q"])?;
        git(&["add", "-A"])?;
        git(&["commit", "-qm", "all"])?;
        home.acreta(&["project", "add"])?;
        Ok(home)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: &str) -> Outcome<()> {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        #[expect(clippy::disallowed_methods, reason = "a scratch file of the bench")]
        fs::write(path, text)?;
        Ok(())
    }

    /// Writes this many decisions, without sidecars.
    pub(crate) fn remember(&self, count: usize) -> Outcome<()> {
        for number in 0..count {
            let title = words(number, 6);
            let body = words(number + 1_000_000, 40);
            let day = 1 + number % 28;
            let text = format!(
                "---\nid: 01K{number:023}\ntitle: {title}\ncreated: 2026-06-{day:02}T10:00:00Z\n\
                 updated: 2026-06-{day:02}T10:00:00Z\nsource: person\nconfidence: 0.8\ntags: []\nrelated: []\n---\n\n{body}\n"
            );
            let name = format!("202606{day:02}-{}-{number}.md", title.replace(' ', "-"));
            self.write(&format!("project/.acreta/memory/decisions/{name}"), &text)?;
        }
        Ok(())
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(arguments)
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("ACRETA_HOME", self.path("home"))
            .env("ACRETA_CACHE_DIR", self.path("cache"));
        command
    }

    /// Runs a command that must succeed, and returns its output.
    pub(crate) fn acreta(&self, arguments: &[&str]) -> Outcome<String> {
        let output = self.command(arguments).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("acreta {}: {said}", arguments.join(" ")).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}
