//! A repository that names programs in every way git supports: config keys, attributes, hooks, includes, submodules,
//! remotes. No command and no hook of acreta runs any of them, and none runs git.
//!
//! Each program is a trap that writes its name to a file. In one run of the table the real git is on the `PATH`, so
//! that starting it would spring the traps; in the other the `PATH` has only traps.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Project, fixture};

/// Keys that make git run a program, by the operation that triggers it; `TRAP` stands for the program.
const KEYS: &[(&str, &str, &str)] = &[
    ("signature", "gpg.program", "TRAP"),
    ("signature", "gpg.openpgp.program", "TRAP"),
    ("signature", "gpg.x509.program", "TRAP"),
    ("signature", "gpg.ssh.program", "TRAP"),
    ("signature", "gpg.ssh.defaultKeyCommand", "TRAP"),
    ("signature", "gpg.ssh.allowedSignersFile", "/dev/null"),
    ("signature", "log.showSignature", "true"),
    ("signature", "commit.gpgSign", "true"),
    ("signature", "tag.gpgSign", "true"),
    ("clean", "filter.evil.clean", "TRAP"),
    ("clean", "filter.evil.smudge", "TRAP"),
    ("clean", "filter.evil.required", "false"),
    ("clean", "filter.lfs.clean", "TRAP"),
    ("process", "filter.evil.process", "TRAP"),
    ("process", "filter.lfs.process", "TRAP"),
    ("process", "lfs.customtransfer.evil.path", "TRAP"),
    ("diff", "diff.external", "TRAP"),
    ("diff", "diff.evil.command", "TRAP"),
    ("diff", "diff.evil.textconv", "TRAP"),
    ("diff", "diff.evil.cachetextconv", "true"),
    ("diff", "interactive.diffFilter", "TRAP"),
    ("diff", "difftool.evil.cmd", "TRAP"),
    ("diff", "merge.evil.driver", "TRAP"),
    ("diff", "mergetool.evil.cmd", "TRAP"),
    ("diff", "merge.tool", "evil"),
    ("monitor", "core.fsmonitor", "TRAP"),
    ("monitor", "core.fsmonitorHookVersion", "1"),
    ("monitor", "core.untrackedCache", "true"),
    ("monitor", "core.hooksPath", "HOOKS"),
    ("monitor", "core.alternateRefsCommand", "TRAP"),
    ("monitor", "hook.evil.command", "TRAP"),
    ("monitor", "hook.evil.event", "post-index-change"),
    ("remote", "core.sshCommand", "TRAP"),
    ("remote", "core.gitProxy", "TRAP"),
    ("remote", "core.askPass", "TRAP"),
    ("remote", "credential.helper", "!TRAP"),
    ("remote", "credential.https://host.helper", "!TRAP"),
    ("remote", "remote.origin.url", "ext::TRAP %S"),
    ("remote", "remote.origin.vcs", "evil"),
    ("remote", "remote.origin.uploadpack", "TRAP"),
    ("remote", "remote.origin.receivepack", "TRAP"),
    ("remote", "remote.origin.promisor", "true"),
    ("remote", "remote.origin.partialclonefilter", "blob:none"),
    ("remote", "extensions.partialClone", "origin"),
    ("remote", "protocol.ext.allow", "always"),
    ("remote", "uploadpack.packObjectsHook", "TRAP"),
    ("remote", "submodule.library.update", "!TRAP"),
    ("remote", "submodule.library.url", "ext::TRAP"),
    ("remote", "submodule.library.active", "true"),
    ("remote", "submodule.recurse", "true"),
    ("remote", "fetch.recurseSubmodules", "true"),
    ("remote", "imap.tunnel", "TRAP"),
    ("remote", "sendemail.smtpServer", "TRAP"),
    ("remote", "sendemail.toCmd", "TRAP"),
    ("remote", "sendemail.ccCmd", "TRAP"),
    ("remote", "sendemail.headerCmd", "TRAP"),
    ("person", "core.pager", "TRAP"),
    ("person", "pager.log", "TRAP"),
    ("person", "pager.diff", "TRAP"),
    ("person", "pager.ls-files", "TRAP"),
    ("person", "pager.rev-parse", "TRAP"),
    ("person", "pager.rev-list", "TRAP"),
    ("person", "core.editor", "TRAP"),
    ("person", "sequence.editor", "TRAP"),
    ("person", "rebase.instructionFormat", "%GG"),
    ("person", "rebase.autoSquash", "true"),
    ("person", "alias.log", "!TRAP"),
    ("person", "alias.diff", "!TRAP"),
    ("person", "alias.status", "!TRAP"),
    ("person", "alias.ls-files", "!TRAP"),
    ("person", "alias.rev-parse", "!TRAP"),
    ("person", "alias.rev-list", "!TRAP"),
    ("person", "man.viewer", "evil"),
    ("person", "man.evil.cmd", "TRAP"),
    ("person", "man.evil.path", "TRAP"),
    ("person", "help.browser", "evil"),
    ("person", "web.browser", "evil"),
    ("person", "browser.evil.cmd", "TRAP"),
    ("person", "browser.evil.path", "TRAP"),
    ("person", "instaweb.httpd", "TRAP"),
    ("person", "guitool.evil.cmd", "TRAP"),
    ("person", "trailer.evil.command", "TRAP"),
    ("person", "trailer.evil.cmd", "TRAP"),
    ("person", "format.pretty", "%H %G? %GS"),
];

const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Programs that git or acreta might look for on the `PATH`.
const PROGRAMS: &[&str] = &[
    "git",
    "git-lfs",
    "git-remote-ext",
    "git-remote-evil",
    "gpg",
    "gpg2",
    "gpgsm",
    "ssh",
    "ssh-keygen",
    "ssh-askpass",
    "sh",
    "bash",
    "less",
    "more",
    "vi",
    "nano",
    "man",
    "hg",
    "svn",
    "jj",
    "watchman",
    "xdg-open",
];

/// A hostile repository and the traps it names.
struct Trapped {
    project: Project,
    session: PathBuf,
}

impl Trapped {
    /// Plants the keys of one group, or of all; `through` selects the file.
    fn new(group: Option<&str>, through: Through) -> Self {
        let project = Project::new();
        project.git(&["init", "--quiet", "-b", "main"]);
        for number in 0..6 {
            let text = format!("pub fn part_{number}() -> u32 {{ {number} }}\n");
            project.write(&format!("project/src/part_{number}.rs"), text.as_bytes());
        }
        project.write(
            "project/notes.md",
            b"# Notes\n\nThe queue is in `src/gone.rs`.\n",
        );
        project.write("project/src/gone.rs", b"pub fn gone() {}\n");
        project.git(&["add", "--all"]);
        project.git(&["commit", "--quiet", "-m", "first"]);
        project.git(&["rm", "--quiet", "src/gone.rs"]);
        project.git(&["commit", "--quiet", "-m", "second"]);
        let session = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
        let root = project.root();
        let session = session.replace("/home/dev/ledger", root.to_str().unwrap());
        let session = project.write(".claude/projects/ledger/session.jsonl", session.as_bytes());
        let trapped = Self { project, session };
        trapped.sign();
        trapped.attributes();
        trapped.keys(group, through);
        // Other bytes of the same size, and a touch: git has to read them to notice.
        let project = &trapped.project;
        project.write("project/src/part_0.rs", b"pub fn part_0() -> u32 { 9 }\n");
        project.write("project/src/part_1.rs", b"pub fn part_1() -> u32 { 1 }\n");
        project.write("project/src/new.rs", b"pub fn new() {}\n");
        trapped
    }

    /// Creates commits with a signature of each kind that git checks with an external program.
    fn sign(&self) {
        let kinds = ["PGP SIGNATURE", "SIGNED MESSAGE", "SSH SIGNATURE"];
        for (number, kind) in kinds.iter().enumerate() {
            // A commit that changes nothing is skipped when paths are queried.
            let text = format!("pub fn signed_{number}() {{}}\n");
            let path = format!("project/src/signed_{number}.rs");
            self.project.write(&path, text.as_bytes());
            self.project.git(&["add", "--all"]);
            let read = |arguments: &[&str]| {
                let output = Command::new("git")
                    .args(arguments)
                    .current_dir(self.project.root())
                    .output()
                    .unwrap();
                String::from_utf8(output.stdout).unwrap().trim().to_owned()
            };
            let (tree, parent) = (read(&["write-tree"]), read(&["rev-parse", "HEAD"]));
            let signature =
                format!("gpgsig -----BEGIN {kind}-----\n \n abcd\n -----END {kind}-----\n");
            let who = "A <a@example.org> 1700000000 +0000";
            let commit = format!(
                "tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n{signature}\n{kind}\n"
            );
            let file = self.project.write("commit", commit.as_bytes());
            let commit = read(&["hash-object", "-w", "-t", "commit", file.to_str().unwrap()]);
            self.project
                .git(&["update-ref", "refs/heads/main", &commit]);
        }
    }

    fn attributes(&self) {
        let all = b"*.rs filter=evil diff=evil merge=evil ident\n*.md filter=lfs diff=lfs -text\n";
        self.project.write("project/.gitattributes", all);
        self.project.write("project/.git/info/attributes", all);
        self.project.write(
            "project/.gitmodules",
            b"[submodule \"library\"]\n\tpath = library\n\turl = ext::evil\n\tupdate = !evil\n",
        );
    }

    fn keys(&self, group: Option<&str>, through: Through) {
        let mut config = String::new();
        for (of, key, value) in KEYS {
            if group.is_some_and(|group| group != *of) {
                continue;
            }
            let trap = self.trap(&format!("traps/{key}").replace([':', ' '], "_"), key);
            let hooks = self.project.outside().join("hooks");
            let value = value
                .replace("TRAP", trap.to_str().unwrap())
                .replace("HOOKS", hooks.to_str().unwrap());
            let (section, rest) = key.split_once('.').unwrap();
            let (name, key) = match rest.rsplit_once('.') {
                Some((name, key)) => (format!(" \"{name}\""), key),
                None => (String::new(), rest),
            };
            config.push_str(&format!("[{section}{name}]\n\t{key} = \"{value}\"\n"));
        }
        for hook in HOOKS {
            self.trap(&format!("hooks/{hook}"), &format!("hooksPath/{hook}"));
            self.trap(
                &format!("project/.git/hooks/{hook}"),
                &format!("hooks/{hook}"),
            );
        }
        let base = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n";
        let planted = self.project.write("planted", config.as_bytes());
        let planted = planted.to_str().unwrap();
        let text = match through {
            Through::Config => format!("{base}{config}"),
            Through::Include => format!("{base}[include]\n\tpath = {planted}\n"),
            Through::IncludeIf => {
                format!("{base}[includeIf \"gitdir:/**\"]\n\tpath = {planted}\n")
            }
            Through::Worktree => {
                self.project
                    .write("project/.git/config.worktree", config.as_bytes());
                format!("{base}[extensions]\n\tworktreeConfig = true\n")
            }
        };
        self.project.write("project/.git/config", text.as_bytes());
    }

    /// Creates a program that records that it was run.
    fn trap(&self, path: &str, name: &str) -> PathBuf {
        let marker = self.marker();
        let text = format!(
            "#!/bin/sh\necho '{name}' >> '{}'\nexit 0\n",
            marker.display()
        );
        let path = self.project.write(path, text.as_bytes());
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        path
    }

    fn marker(&self) -> PathBuf {
        self.project.outside().join("sprung")
    }

    /// Returns the traps that were sprung, each once.
    fn sprung(&self) -> Vec<String> {
        let noted = std::fs::read_to_string(self.marker()).unwrap_or_default();
        let mut noted: Vec<String> = noted.lines().map(ToOwned::to_owned).collect();
        noted.sort();
        noted.dedup();
        noted
    }

    /// Returns a folder that contains only traps.
    fn trapped_path(&self) -> PathBuf {
        for program in PROGRAMS {
            self.trap(&format!("bin/{program}"), &format!("PATH/{program}"));
        }
        self.project.outside().join("bin")
    }

    /// Runs every command; returns which trap was sprung by which.
    fn run_all(&self, path: &Path) -> Vec<String> {
        let mut told = Vec::new();
        let mut before = Vec::new();
        for (name, arguments, said) in commands(&self.project, &self.session) {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let mut child = self
                .project
                .command(&arguments)
                .env("PATH", path)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // Some do not read it.
            let _ = child.stdin.take().unwrap().write_all(said.as_bytes());
            let done = child.wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&done.stderr);
            assert!(!errors.contains("panicked"), "{name}: {errors}");
            assert_ne!(
                done.status.code(),
                Some(2),
                "{name} is no command: {errors}"
            );
            let sprung = self.sprung();
            let new = sprung.iter().filter(|trap| !before.contains(*trap));
            told.extend(new.map(|trap| format!("{name} ran {trap}")));
            before = sprung;
        }
        told
    }
}

/// The file that contains the keys.
#[derive(Clone, Copy)]
enum Through {
    Config,
    Include,
    IncludeIf,
    Worktree,
}

/// Returns every command and hook that reads a project: its name, its arguments, and its input.
fn commands(project: &Project, session: &Path) -> Vec<(&'static str, Vec<String>, String)> {
    let root = project.root();
    let said = serde_json::json!({
        "session_id": "1", "cwd": root, "transcript_path": session,
    });
    let hello = serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "Test Agent", "version": "1" },
        },
    });
    let list = serde_json::json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/list" });
    let session = session.to_str().unwrap();
    let title = "The queue lives in `src/gone.rs`";
    let table: Vec<(&'static str, Vec<&str>, String)> = vec![
        (
            "project add",
            vec!["project", "add", root.to_str().unwrap()],
            String::new(),
        ),
        ("context explore", vec!["context", "explore"], String::new()),
        (
            "context explore --query",
            vec!["context", "explore", "--query", "queue"],
            String::new(),
        ),
        ("context delta", vec!["context", "delta"], String::new()),
        (
            "context delta --since HEAD",
            vec!["context", "delta", "--since", "HEAD"],
            String::new(),
        ),
        (
            "context delta --since HEAD~3",
            vec!["context", "delta", "--since", "HEAD~3"],
            String::new(),
        ),
        ("context refresh", vec!["context", "refresh"], String::new()),
        ("context gain", vec!["context", "gain"], String::new()),
        (
            "memory add",
            vec![
                "memory",
                "add",
                title,
                "--body",
                title,
                "--kind",
                "convention",
            ],
            String::new(),
        ),
        ("run", vec!["run", session], String::new()),
        ("maintain", vec!["maintain"], String::new()),
        (
            "maintain --dry-run",
            vec!["maintain", "--dry-run"],
            String::new(),
        ),
        ("sync", vec!["sync"], String::new()),
        ("status", vec!["status"], String::new()),
        ("doctor", vec!["doctor"], String::new()),
        ("init --dry-run", vec!["init", "--dry-run"], String::new()),
        (
            "memory search",
            vec!["memory", "search", "queue"],
            String::new(),
        ),
        ("memory list", vec!["memory", "list"], String::new()),
        ("memory export", vec!["memory", "export"], String::new()),
        ("ask", vec!["ask", "where is the queue?"], String::new()),
        ("runs", vec!["runs", "list"], String::new()),
        ("queue", vec!["queue", "list"], String::new()),
        ("config", vec!["config", "list"], String::new()),
        ("plugin list", vec!["plugin", "list"], String::new()),
        (
            "hook session-start",
            vec!["hook", "session-start", "--agent", "claude"],
            said.to_string(),
        ),
        (
            "hook session-start again",
            vec!["hook", "session-start", "--agent", "claude"],
            said.to_string(),
        ),
        (
            "hook session-end",
            vec!["hook", "session-end", "--agent", "claude"],
            said.to_string(),
        ),
        (
            "sync --in-turn",
            vec!["sync", "--in-turn", "--agent", "claude"],
            String::new(),
        ),
        ("mcp", vec!["mcp"], format!("{hello}\n{list}\n")),
    ];
    table
        .into_iter()
        .map(|(name, arguments, said)| {
            let arguments = arguments.into_iter().map(ToOwned::to_owned).collect();
            (name, arguments, said)
        })
        .collect()
}

/// Returns the `PATH` with the real git.
fn real_path() -> PathBuf {
    PathBuf::from("/usr/local/bin:/usr/bin:/bin")
}

fn check(group: Option<&str>, through: Through) {
    let trapped = Trapped::new(group, through);
    let told = trapped.run_all(&real_path());
    assert_eq!(told, [""; 0], "programs were run");
}

#[test]
fn programs_that_check_signatures_are_not_run() {
    check(Some("signature"), Through::Config);
}

#[test]
fn filters_are_not_run() {
    check(Some("clean"), Through::Config);
    check(Some("process"), Through::Config);
}

#[test]
fn drivers_of_diffs_and_merges_are_not_run() {
    check(Some("diff"), Through::Config);
}

#[test]
fn monitors_and_hooks_are_not_run() {
    check(Some("monitor"), Through::Config);
}

#[test]
fn helpers_of_remotes_and_submodules_are_not_run() {
    check(Some("remote"), Through::Config);
}

#[test]
fn pagers_editors_and_aliases_are_not_run() {
    check(Some("person"), Through::Config);
}

#[test]
fn includes_are_not_followed() {
    check(None, Through::Include);
    check(None, Through::IncludeIf);
    check(None, Through::Worktree);
}

/// Neither git nor any other named program is run, whatever the repository says.
#[test]
fn nothing_on_the_path_is_run() {
    let trapped = Trapped::new(None, Through::Config);
    let path = trapped.trapped_path();
    let told = trapped.run_all(&path);
    assert_eq!(told, [""; 0], "programs were run");
}

/// Checks that the traps work: git itself springs them.
#[test]
fn git_springs_the_traps() {
    let expected: &[(&str, &[&str], &[&str])] = &[
        (
            "signature",
            &["log", "-n3"],
            &["gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program"],
        ),
        ("clean", &["status"], &["filter.evil.clean"]),
        (
            "process",
            &["status"],
            &["filter.evil.process", "filter.lfs.process"],
        ),
        ("diff", &["diff"], &["diff.evil.command"]),
        ("monitor", &["status"], &["core.fsmonitor"]),
        ("remote", &["ls-remote", "origin"], &["remote.origin.url"]),
        ("person", &["-c", "core.pager=x", "var", "GIT_EDITOR"], &[]),
    ];
    for (group, arguments, traps) in expected {
        for through in [Through::Config, Through::Include, Through::Worktree] {
            let trapped = Trapped::new(Some(group), through);
            let done = Command::new("git")
                .args(*arguments)
                .current_dir(trapped.project.root())
                .env("HOME", trapped.project.outside())
                .output();
            assert!(done.is_ok());
            let sprung = trapped.sprung();
            // The name of a remote helper is not in any file of this repository.
            let sprung: Vec<&str> = sprung.iter().map(String::as_str).collect();
            // Git may stop after the first program that does not answer as expected.
            let springs = traps.iter().any(|trap| sprung.contains(trap));
            assert!(
                springs || traps.is_empty() || *group == "remote",
                "{group}: {sprung:?} without any of {traps:?}"
            );
        }
    }
}

/// Checked with strace: no program is started except acreta itself.
#[test]
fn no_program_is_executed_as_strace_sees_it() {
    let trapped = Trapped::new(None, Through::Config);
    let project = &trapped.project;
    let log = project.outside().join("trace");
    let is_there = Command::new("strace")
        .args(["-f", "-e", "trace=execve", "-o"])
        .arg(&log)
        .arg("true")
        .status();
    if !is_there.is_ok_and(|status| status.success()) {
        acreta_testing::skip(acreta_testing::STRACE, "strace cannot be used here");
        return;
    }
    let acreta = env!("CARGO_BIN_EXE_acreta");
    let mut started = 0;
    for (name, arguments, said) in commands(project, &trapped.session) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let plain = project.command(&arguments);
        let mut traced = Command::new("strace");
        traced
            .args(["-f", "-qq", "-e", "trace=execve", "-e", "signal=none", "-o"])
            .arg(&log)
            .arg(acreta)
            .args(&arguments)
            .current_dir(project.root())
            .env_clear();
        for (key, value) in plain.get_envs() {
            traced.env(key, value.unwrap_or_default());
        }
        let mut child = traced
            .env("PATH", real_path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(said.as_bytes());
        child.wait().unwrap();
        let text = std::fs::read_to_string(&log).unwrap();
        for line in text.lines().filter(|line| line.contains("execve(")) {
            started += 1;
            assert!(
                line.contains(&format!("execve(\"{acreta}\"")),
                "{name}: {line}"
            );
        }
    }
    assert!(started >= 20, "strace saw {started} programs start");
    assert_eq!(trapped.sprung(), [""; 0]);
}
