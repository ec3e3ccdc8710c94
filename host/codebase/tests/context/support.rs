//! A project in a scratch folder, a context for it, and a deterministic random number generator.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use acreta_codebase::{Change, Context, ContextOptions, Request, Response};
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) struct Project {
    pub(crate) root: Utf8PathBuf,
    pub(crate) cache: Utf8PathBuf,
    _scratch: tempfile::TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(scratch.path().canonicalize().unwrap()).unwrap();
        let root = base.join("project");
        std::fs::create_dir(&root).unwrap();
        Self {
            root,
            cache: base.join("cache"),
            _scratch: scratch,
        }
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Self::new();
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = std::fs::File::create(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the disk is the input of these tests"
    )]
    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.root.join(path)).unwrap();
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the disk is the input of these tests"
    )]
    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.root.join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::rename(self.root.join(from), to).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.root, arguments)
    }

    pub(crate) fn commit(&self) {
        if !self.root.join(".git").exists() {
            self.git(&["init", "-q"]);
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "state"]);
    }

    /// Returns a context with the system's clock.
    pub(crate) fn context(&self) -> Context {
        Context::open(self.options()).unwrap()
    }

    pub(crate) fn options(&self) -> ContextOptions {
        ContextOptions::new(self.cache.clone(), system_clock())
    }

    pub(crate) fn explore(&self) -> Response {
        self.context()
            .explore(&self.root, &Request::default(), None)
            .unwrap()
    }

    pub(crate) fn delta(&self) -> Vec<(char, String)> {
        let response = self.context().delta(&self.root, &verbose()).unwrap();
        changes(&response)
    }
}

pub(crate) fn verbose() -> Request {
    Request {
        detail: acreta_codebase::Detail::Verbose,
        ..Request::default()
    }
}

/// Returns the delta in git's form: a rename is a removed and an added file.
pub(crate) fn changes(response: &Response) -> Vec<(char, String)> {
    let mut told = Vec::new();
    for file in &response.delta.as_ref().unwrap().files {
        let path = file.path.clone();
        match file.change {
            Change::Added => told.push(('A', path)),
            Change::Modified => told.push(('M', path)),
            Change::Removed => told.push(('D', path)),
            Change::Unknown => told.push(('?', path)),
            Change::Renamed => {
                told.push(('A', path));
                told.push(('D', file.from.clone().unwrap()));
            }
        }
    }
    told.sort();
    told
}

pub(crate) fn git(folder: &Utf8Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=tester",
            "-c",
            "user.email=tester@localhost",
        ])
        .args(["-c", "commit.gpgsign=false", "-c", "core.quotePath=false"])
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
    String::from_utf8(output.stdout).unwrap()
}

#[expect(
    clippy::disallowed_methods,
    reason = "stamps of files are compared with the clock they come from"
)]
pub(crate) fn system_clock() -> acreta_codebase::Clock {
    Arc::new(SystemTime::now)
}

/// A clock that is `ahead` of the system's and can be advanced.
#[derive(Clone, Default)]
pub(crate) struct Ahead(Arc<Mutex<Duration>>);

impl Ahead {
    pub(crate) fn put_forward(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }

    pub(crate) fn clock(&self) -> acreta_codebase::Clock {
        let (ahead, system) = (self.0.clone(), system_clock());
        Arc::new(move || system() + *ahead.lock().unwrap())
    }
}

/// A deterministic random number generator.
#[cfg(unix)]
pub(crate) struct Chance(pub(crate) u64);

#[cfg(unix)]
impl Chance {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}
