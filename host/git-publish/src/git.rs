//! How git is called: the settings that keep a repository from running anything, the environment, the time limits.
//! Everything else in this crate calls git through [`GitCall`].
//!
//! System and user settings are read, because credential helpers, ssh commands, proxies and certificates are there
//! and belong to the person who runs the worker. A repository cannot change them. What they could do to the content
//! of a repository (hooks, filters, monitors, signatures) is switched off below or never used.

use std::process::Command;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::process::{self, Completed};
use crate::remote::Remote;
use crate::{ClonesError, GitFailure};

/// The name of the remote in every clone. Not `origin`, which users' settings may speak of.
pub(crate) const REMOTE: &str = "acreta";

/// The program and its limits.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    pub(crate) program: String,
    /// An empty folder: for hooks, and as the working folder of calls without a repository.
    pub(crate) empty: Utf8PathBuf,
    /// Limit of a call that uses the network.
    pub(crate) network_timeout: Duration,
    /// Limit of a call that does not.
    pub(crate) local_timeout: Duration,
}

/// One call of git.
pub(crate) struct GitCall<'a> {
    git: &'a Git,
    remote: &'a Remote,
    repository: Option<&'a Utf8Path>,
    folder: Option<&'a Utf8Path>,
    settings: Vec<&'static str>,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    stdin: Vec<u8>,
    timeout: Duration,
}

/// Settings of every call; they take precedence over the files of the user, the system and the clone.
const SETTINGS: &[&str] = &[
    "advice.detachedHead=false",
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "core.excludesFile=/dev/null",
    "core.fsmonitor=false",
    "core.logAllRefUpdates=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.safecrlf=false",
    "core.symlinks=false",
    "core.untrackedCache=false",
    "credential.interactive=false",
    "fetch.prune=false",
    "fetch.recurseSubmodules=false",
    "fetch.showForcedUpdates=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "i18n.commitEncoding=UTF-8",
    "maintenance.auto=false",
    "protocol.version=2",
    "push.followTags=false",
    "push.gpgSign=false",
    "push.recurseSubmodules=no",
    "remote.acreta.partialclonefilter=blob:none",
    "remote.acreta.promisor=true",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
];

/// Settings of the receiving side if the remote is a folder: git then runs `receive-pack` on this machine, under the
/// remote's own config.
const RECEIVER: &[&str] = &[
    "core.alternateRefsCommand=",
    "core.fsmonitor=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "receive.autogc=false",
    "receive.denyCurrentBranch=refuse",
];

/// Variables of a surrounding git that would lead this one elsewhere. Acreta may be started by a hook of git.
const FOREIGN: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DEFAULT_HASH",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_PUSH_OPTION_COUNT",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_WORK_TREE",
];

/// The longest output of a call.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

impl Git {
    pub(crate) fn call<'a>(&'a self, remote: &'a Remote, command: &str) -> GitCall<'a> {
        GitCall {
            git: self,
            remote,
            repository: None,
            folder: None,
            settings: Vec::new(),
            arguments: vec![command.to_owned()],
            environment: Vec::new(),
            stdin: Vec::new(),
            timeout: self.local_timeout,
        }
    }

    /// Returns the command that serves a push into a folder without running anything of that folder.
    pub(crate) fn receiver(&self) -> String {
        let mut command = format!(
            "git -c {}",
            quoted(&format!("core.hooksPath={}", self.empty))
        );
        for setting in RECEIVER {
            command.push_str(&format!(" -c {setting}"));
        }
        command + " receive-pack"
    }
}

impl<'a> GitCall<'a> {
    pub(crate) fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub(crate) fn arguments(mut self, arguments: &[&str]) -> Self {
        let owned = arguments.iter().map(|argument| (*argument).to_owned());
        self.arguments.extend(owned);
        self
    }

    pub(crate) fn setting(mut self, setting: &'static str) -> Self {
        self.settings.push(setting);
        self
    }

    pub(crate) fn repository(mut self, repository: &'a Utf8Path) -> Self {
        self.repository = Some(repository);
        self
    }

    pub(crate) fn folder(mut self, folder: &'a Utf8Path) -> Self {
        self.folder = Some(folder);
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    pub(crate) fn stdin(mut self, bytes: Vec<u8>) -> Self {
        self.stdin = bytes;
        self
    }

    pub(crate) fn over_network(mut self) -> Self {
        self.timeout = self.git.network_timeout;
        self
    }

    /// Runs it and returns its output; an exit code other than 0 is an error.
    pub(crate) fn run(self) -> Result<Vec<u8>, ClonesError> {
        let (name, remote) = (self.name(), self.remote);
        let done = self.complete()?;
        match done.exit_code {
            Some(0) => Ok(done.stdout),
            _ => Err(failure(
                name,
                remote,
                GitFailure::Failed {
                    message: message(&done, remote),
                },
            )),
        }
    }

    /// Runs it and returns one object id.
    pub(crate) fn object_id(self) -> Result<String, ClonesError> {
        let (name, remote) = (self.name(), self.remote);
        let output = self.run()?;
        let text = String::from_utf8_lossy(&output).trim().to_owned();
        if crate::id::is_object_id(&text) {
            return Ok(text);
        }
        let reason = "an object id was expected";
        Err(failure(name, remote, GitFailure::Output { reason }))
    }

    /// Runs it, whatever its exit code is.
    pub(crate) fn complete(self) -> Result<Completed, ClonesError> {
        let mut command = self.command();
        let (name, remote) = (self.name(), self.remote);
        process::run(&mut command, self.stdin, self.timeout, MOST_BYTES)
            .map_err(|cause| failure(name, remote, cause))
    }

    fn name(&self) -> String {
        self.arguments.first().cloned().unwrap_or_default()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.git.program);
        command.arg("--no-pager");
        for setting in SETTINGS.iter().chain(&self.settings) {
            command.args(["-c", setting]);
        }
        command
            .args(["-c", &format!("core.hooksPath={}", self.git.empty)])
            // A variable rather than an argument: it may contain a password, and other users see arguments.
            .arg(format!(
                "--config-env=remote.{REMOTE}.url=ACRETA_GIT_REMOTE"
            ))
            .env("ACRETA_GIT_REMOTE", self.remote.address());
        if let Some(repository) = self.repository {
            command.arg(format!("--git-dir={repository}"));
        }
        for name in FOREIGN {
            command.env_remove(name);
        }
        command
            .args(&self.arguments)
            .current_dir(self.folder.unwrap_or(&self.git.empty))
            .env("GIT_ALLOW_PROTOCOL", self.remote.protocols())
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", &self.git.empty)
            .env("GIT_EDITOR", "false")
            // Objects are fetched by name, or not at all.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GCM_INTERACTIVE", "never")
            .env("SSH_ASKPASS_REQUIRE", "never")
            // Messages are compared.
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE");
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }
}

/// Returns the error of a call.
pub(crate) fn failure(command: String, remote: &Remote, cause: GitFailure) -> ClonesError {
    ClonesError::Git {
        command,
        remote: remote.shown().to_owned(),
        cause,
    }
}

/// Returns what git complained about: its last lines, without credentials and control characters.
pub(crate) fn message(done: &Completed, remote: &Remote) -> String {
    let said = remote.without_credentials(done.stderr.trim());
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = &lines[lines.len().saturating_sub(MESSAGE_LINES)..];
    match (last.is_empty(), done.exit_code) {
        (false, _) => acreta_text::visible(&last.join("; ")),
        (true, Some(code)) => format!("exit code {code}"),
        (true, None) => "a signal ended it".to_owned(),
    }
}

const MESSAGE_LINES: usize = 6;

/// Quotes a text for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
