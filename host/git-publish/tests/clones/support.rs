//! A remote on disk, a person with a checkout of it, and workers with clones of their own.

use std::process::{Command, Stdio};
use std::time::Duration;

use acreta_git_publish::{Author, Change, Clones, CommitId, MEMORY_BRANCH, Published, Settings};
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) struct Remote {
    pub(crate) root: Utf8PathBuf,
    _folder: tempfile::TempDir,
}

impl Remote {
    /// Creates an empty remote.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::try_from(folder.path().canonicalize().unwrap()).unwrap();
        let remote = Self {
            root,
            _folder: folder,
        };
        git(
            &remote.root,
            &["init", "-q", "--bare", "-b", "main", "remote.git"],
        );
        git(
            &remote.path(),
            &["config", "uploadpack.allowFilter", "true"],
        );
        remote
    }

    /// Creates a remote with three commits of code on its default branch.
    pub(crate) fn with_history() -> Self {
        let remote = Self::empty();
        let person = remote.person("person");
        for number in 0..3 {
            write(
                &person,
                "src/main.rs",
                &format!("fn main() {{ {number} }}\n"),
            );
            write(&person, "README.md", "# Project\n");
            commit(&person, &format!("code {number}"));
        }
        git(&person, &["push", "-q", "origin", "HEAD:refs/heads/main"]);
        remote
    }

    pub(crate) fn path(&self) -> Utf8PathBuf {
        self.root.join("remote.git")
    }

    pub(crate) fn address(&self) -> String {
        self.path().into_string()
    }

    /// Returns an ordinary checkout; of the default branch if there is one.
    pub(crate) fn person(&self, name: &str) -> Utf8PathBuf {
        git(&self.root, &["clone", "-q", &self.address(), name]);
        self.root.join(name)
    }

    /// Returns a machine's clones.
    pub(crate) fn machine(&self, name: &str) -> Clones {
        Clones::open(&self.root.join(name), settings()).unwrap()
    }

    pub(crate) fn clones_folder(&self, name: &str) -> Utf8PathBuf {
        let entries = std::fs::read_dir(self.root.join(name)).unwrap();
        let mut found = entries.map(|entry| entry.unwrap().path());
        let found = found.find(|path| path.join("tree").is_dir()).unwrap();
        Utf8PathBuf::try_from(found).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.path(), arguments)
    }

    /// Returns a file of the memory branch.
    pub(crate) fn file(&self, path: &str) -> String {
        self.git(&["show", &format!("{MEMORY_BRANCH}:{path}")])
    }

    /// Returns the paths of the memory branch.
    pub(crate) fn paths(&self) -> Vec<String> {
        let listed = self.git(&["ls-tree", "-r", "--name-only", "-z", MEMORY_BRANCH]);
        let names = listed.split('\0').filter(|name| !name.is_empty());
        names.map(ToOwned::to_owned).collect()
    }

    /// Returns the subjects of the commits of the memory branch, newest first.
    pub(crate) fn log(&self) -> Vec<String> {
        let log = self.git(&["log", "--format=%s", MEMORY_BRANCH]);
        log.lines().map(ToOwned::to_owned).collect()
    }
}

pub(crate) fn settings() -> Settings {
    Settings {
        folders: true,
        network_timeout: Duration::from_secs(60),
        ..Settings::default()
    }
}

pub(crate) fn change(message: &str) -> Change {
    Change {
        message: message.to_owned(),
        author: Author {
            name: "Worker".to_owned(),
            email: "worker@example.org".to_owned(),
        },
        time_ms: 1_700_000_000_000,
    }
}

/// Publishes one file, again and again while others publish, as workers do.
pub(crate) fn contribute(clones: &Clones, remote: &str, path: &str, seed: u64) -> Contributed {
    let mut chance = Chance(seed);
    for attempts in 1..=60 {
        let mut checkout = clones.checkout(remote, MEMORY_BRANCH).unwrap();
        write(checkout.path(), path, &format!("{path}\n"));
        let published = checkout.publish(&change(&format!("learn {path}")));
        let commit = match published.unwrap() {
            Published::Pushed(commit) => Some(commit),
            Published::Unchanged => None,
            Published::Moved => {
                drop(checkout);
                std::thread::sleep(Duration::from_millis(chance.next() % 100));
                continue;
            }
        };
        return Contributed { commit, attempts };
    }
    panic!("the branch moved in every attempt");
}

/// A file that is on the branch.
pub(crate) struct Contributed {
    /// `None` if the branch had it before.
    pub(crate) commit: Option<CommitId>,
    /// Number of checkouts that it took.
    pub(crate) attempts: u32,
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
pub(crate) fn write(folder: &Utf8Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub(crate) fn read(folder: &Utf8Path, path: &str) -> String {
    std::fs::read_to_string(folder.join(path)).unwrap()
}

pub(crate) fn commit(folder: &Utf8Path, message: &str) {
    git(folder, &["add", "--all", "--force"]);
    git(folder, &["commit", "-q", "-m", message]);
}

/// Runs git without the user's settings.
pub(crate) fn git(folder: &Utf8Path, arguments: &[&str]) -> String {
    git_with(folder, arguments, "")
}

pub(crate) fn git_with(folder: &Utf8Path, arguments: &[&str], stdin: &str) -> String {
    use std::io::Write;
    let mut child = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
        .args(["-c", "protocol.file.allow=always"])
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(stdin.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
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
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}
