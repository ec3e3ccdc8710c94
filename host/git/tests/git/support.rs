//! A scratch repository made by the real git, and a deterministic random number generator.

use std::process::{Command, Stdio};

use acreta_git::{ChangedPath, GitRepository, PathChange};
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) struct ScratchRepository {
    pub(crate) root: Utf8PathBuf,
    _folder: tempfile::TempDir,
}

impl ScratchRepository {
    /// Creates an empty folder.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        Self {
            root,
            _folder: folder,
        }
    }

    /// Creates an empty repository.
    pub(crate) fn repository() -> Self {
        let scratch = Self::new();
        scratch.git(&["init", "-q", "-b", "main"]);
        scratch
    }

    #[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.root, arguments)
    }

    pub(crate) fn open(&self) -> GitRepository {
        GitRepository::at(&self.root).unwrap()
    }

    /// Returns the changes since a revision as lines: a letter, and the paths.
    pub(crate) fn changes(&self, revision: &str) -> Vec<String> {
        let repository = self.open();
        let commit = repository.resolve(revision).unwrap();
        lines(repository.changes_since(&commit, "", None).unwrap())
    }
}

pub(crate) fn lines(changes: Vec<ChangedPath>) -> Vec<String> {
    let mut lines: Vec<String> = changes
        .into_iter()
        .map(|changed| match (changed.change, changed.from) {
            (PathChange::Renamed, Some(from)) => format!("R {from} {}", changed.path),
            (PathChange::Added, _) => format!("A {}", changed.path),
            (PathChange::Modified, _) => format!("M {}", changed.path),
            (PathChange::Removed, _) => format!("D {}", changed.path),
            (change, _) => format!("{change:?} {}", changed.path),
        })
        .collect();
    lines.sort();
    lines
}

/// Runs git without user settings.
pub(crate) fn git(folder: &Utf8Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(["-c", "commit.gpgsign=false", "-c", "core.quotePath=false"])
        .args(["-c", "protocol.file.allow=always"])
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A deterministic random number generator.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}
