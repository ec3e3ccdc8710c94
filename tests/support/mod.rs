//! A scratch project and the `acreta` that works in it. Every test has its own home; compiled plugins are shared,
//! because compiling is slow.

mod agent_model;
mod guests;
mod homes;
mod http;
pub(crate) mod imports;
#[cfg(all(unix, feature = "team"))]
pub(crate) mod postgres;
mod provider;
#[cfg(unix)]
pub(crate) mod registry;
mod session;
mod tree;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) use agent_model::AgentModel;
pub(crate) use guests::component;
pub(crate) use homes::{AGENTS, each_text, lay_out};
pub(crate) use http::Daemon;
pub(crate) use provider::{Provider, ProviderRequest};
pub(crate) use session::ClaudeSession;
#[cfg(unix)]
pub(crate) use tree::Tree;
pub(crate) use tree::tree;

pub(crate) struct Project {
    folder: TempDir,
    /// Lines of the user's config.
    config: String,
}

/// Output and exit status of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(
            self.code, 0,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        self
    }

    /// Asserts the exit code, and that stderr contains a message.
    #[track_caller]
    pub(crate) fn failed(self, code: i32, message: &str) -> Self {
        assert_eq!(
            self.code, code,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        assert!(
            self.stderr.contains(message),
            "expected {message:?} in:\n{}",
            self.stderr
        );
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Returns the first value on stdout; the failure comes after it.
    #[track_caller]
    pub(crate) fn json_before_failure(&self) -> Value {
        let mut values = serde_json::Deserializer::from_str(&self.stdout).into_iter();
        values.next().unwrap().unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("project/.git")).unwrap();
        std::fs::create_dir_all(folder.path().join("home")).unwrap();
        Self {
            folder,
            config: String::new(),
        }
    }

    /// Returns the path of the repository.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Returns the test's folder, outside of the project.
    pub(crate) fn outside(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn memory(&self) -> PathBuf {
        self.root().join(".acreta/memory")
    }

    /// Adds lines to the user's config.
    pub(crate) fn configure(&mut self, lines: &str) {
        self.config.push_str(lines);
        self.config.push('\n');
        self.write("home/config.toml", self.config.as_bytes());
    }

    /// Installs a component as a plugin that asks for nothing, unless it is installed.
    #[track_caller]
    pub(crate) fn install(&self, id: &str, component: &[u8]) {
        if self.home().join("plugins").join(id).is_dir() {
            return;
        }
        let role = acreta_plugin_registry::inspect(component).unwrap().role;
        let manifest = format!(
            "id = \"{id}\"\nversion = \"0.1.0\"\nrole = \"{role}\"\ncomponent = \"{id}.wasm\"\ndescription = \"For tests.\"\n"
        );
        self.write(&format!("source/{id}/plugin.toml"), manifest.as_bytes());
        let file = self.write(&format!("source/{id}/{id}.wasm"), component);
        let folder = file.parent().unwrap().to_str().unwrap();
        self.acreta(&["plugin", "install", folder, "--yes", "--grant"])
            .succeeded();
    }

    /// Writes a file relative to the test's folder and returns its path.
    pub(crate) fn write(&self, relative: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_acreta"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("ACRETA_HOME", self.home())
            .env(
                "ACRETA_CACHE_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("acreta-cache"),
            )
            .env("ACRETA_CACHE_KEY", "the tests share one key and one cache")
            // A build without optimisation on a busy machine.
            .env("ACRETA_SESSIONS__WAIT_SECONDS", "600");
        command
    }

    /// Runs git in the repository; it must succeed.
    #[track_caller]
    pub(crate) fn git(&self, arguments: &[&str]) {
        let done = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(arguments)
            .current_dir(self.root())
            .env("HOME", self.outside())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{said}");
    }

    pub(crate) fn acreta(&self, arguments: &[&str]) -> Ran {
        ran(self.command(arguments).output().unwrap())
    }

    /// Runs `acreta` with `script` as its terminal and returns what that shows; `None` if there is no such program.
    pub(crate) fn at_a_terminal(&self, arguments: &str) -> Option<String> {
        let is_there = Command::new("script").arg("--version").output();
        if !is_there.is_ok_and(|output| output.status.success()) {
            acreta_testing::skip(acreta_testing::SCRIPT, "nothing plays a terminal");
            return None;
        }
        let acreta = self.command(&[]);
        let line = format!("{} {arguments}", acreta.get_program().to_str().unwrap());
        let mut script = Command::new("script");
        script
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(self.root())
            .env_clear();
        let known = acreta.get_envs().filter_map(|(name, value)| {
            let name = name.to_str()?;
            let is_given = name == "ACRETA_CACHE_DIR" && arguments.contains("--cache-dir");
            (!is_given).then_some((name, value?))
        });
        let output = script.envs(known).env("TERM", "xterm").output().unwrap();
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs `acreta run TRACE --json`, which must succeed.
    #[track_caller]
    pub(crate) fn run(&self, trace: &Path) -> Value {
        self.acreta(&["run", trace.to_str().unwrap(), "--json"])
            .succeeded()
            .json()
    }

    /// Returns the folder of the newest run.
    pub(crate) fn last_run(&self) -> PathBuf {
        let workspace = self.root().join(".acreta/workspace");
        let mut runs: Vec<PathBuf> = std::fs::read_dir(workspace)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        runs.sort_by_key(|run| std::fs::metadata(run).unwrap().modified().unwrap());
        runs.pop().unwrap()
    }

    /// Returns decisions and learnings: the text of each file, without what depends on the run.
    pub(crate) fn statements(&self) -> Vec<(String, String)> {
        let listed = self
            .acreta(&["memory", "list", "--json"])
            .succeeded()
            .json();
        let mut statements: Vec<(String, String)> = listed["memories"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|memory| memory["type"] != "summary")
            .map(|memory| {
                let path = self.memory().join(memory["path"].as_str().unwrap());
                let text = std::fs::read_to_string(path).unwrap();
                let body = text.splitn(3, "---").nth(2).unwrap().to_owned();
                (memory["title"].as_str().unwrap().to_owned(), body)
            })
            .collect();
        statements.sort();
        statements
    }
}

pub(crate) fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub(crate) fn json_file(path: &Path) -> Value {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{}: {error}: {text}", path.display()))
}

pub(crate) fn fixture(name: &str) -> PathBuf {
    acreta_plugin_build::workspace_root()
        .join("tests/fixtures")
        .join(name)
}

/// Returns a folder beside the repository that may not exist on every machine.
pub(crate) fn shared(relative: &str) -> Option<PathBuf> {
    let path = acreta_plugin_build::workspace_root()
        .join("../shared")
        .join(relative);
    if path.exists() {
        return Some(path);
    }
    acreta_testing::skip(acreta_testing::TRACES, &format!("no ../shared/{relative}"));
    None
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}
