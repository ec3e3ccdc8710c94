//! Frozen runs: the same input gives the same bytes, and nothing else is touched.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Project, component, files, fixture, ran};

/// A folder with all input of a frozen run.
struct Sealed {
    project: Project,
    trace: PathBuf,
}

impl Sealed {
    fn new() -> Self {
        let project = Project::new();
        let trace = project.write(
            "given/trace.jsonl",
            &std::fs::read(fixture("claude/demo-queue-retries.jsonl")).unwrap(),
        );
        project.write("given/policy.wasm", &component("extractor-rules"));
        Self { project, trace }
    }

    fn given(&self, name: &str) -> String {
        self.project
            .outside()
            .join("given")
            .join(name)
            .display()
            .to_string()
    }

    fn lock(&self) {
        let policy = self.given("policy.wasm");
        self.project
            .acreta(&["plugin", "lock", &policy])
            .succeeded();
    }

    fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> = [
            "run",
            self.trace.to_str().unwrap(),
            "--frozen",
            "--no-llm",
            "--json",
        ]
        .map(str::to_owned)
        .to_vec();
        for (option, name) in [
            ("--plugin", "policy.wasm"),
            ("--memory-root", "memory"),
            ("--workspace-root", "workspace"),
            ("--cache-dir", "cache"),
            ("--junit", "workspace/gates.xml"),
        ] {
            arguments.extend([option.to_owned(), self.given(name)]);
        }
        arguments
    }

    fn command(&self, before: &[&str]) -> Command {
        let arguments = self.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let plain = self.project.command(&arguments);
        let Some((program, rest)) = before.split_first() else {
            return plain;
        };
        let mut command = Command::new(program);
        command
            .args(rest)
            .arg(plain.get_program())
            .args(plain.get_args())
            .current_dir(self.project.root())
            .env_clear()
            .env("HOME", self.project.outside());
        command
    }

    fn run(&self, before: &[&str]) -> Output {
        let output = self.command(before).output().unwrap();
        let code = output.status.code().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!([0, 3].contains(&code), "{said}");
        output
    }

    /// Returns everything that was written, with its location removed.
    fn written(&self) -> BTreeMap<String, String> {
        let base = self.project.outside().join("given");
        let place = self.project.outside().display().to_string();
        let mut all = BTreeMap::new();
        for folder in ["memory", "workspace"] {
            for file in files(&base.join(folder)) {
                // It names the process that held it last.
                if file.ends_with("meta/lock") {
                    continue;
                }
                let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
                let name = file.strip_prefix(&base).unwrap().display().to_string();
                all.insert(name, text.replace(&place, "<here>"));
            }
        }
        all
    }
}

#[test]
fn the_same_input_gives_the_same_bytes_anywhere() {
    let (one, other) = (Sealed::new(), Sealed::new());
    for sealed in [&one, &other] {
        sealed.lock();
    }
    let said = [&one, &other].map(|sealed| {
        let output = sealed.run(&[]);
        let place = sealed.project.outside().display().to_string();
        String::from_utf8(output.stdout)
            .unwrap()
            .replace(&place, "<here>")
    });
    assert_eq!(said[0], said[1]);
    let (left, right) = (one.written(), other.written());
    assert!(left.len() > 8, "{:?}", left.keys());
    assert_eq!(left, right);
    assert!(
        left.values().any(|text| text.contains("<testcase")),
        "the gates are told"
    );
    let report: serde_json::Value = serde_json::from_str(&said[0]).unwrap();
    assert_eq!(report["metrics"]["total_ms"], 0, "{report}");
    assert!(!one.project.home().join("state.db").exists());
}

#[test]
fn only_what_is_locked_runs() {
    let sealed = Sealed::new();
    let without_lock = ran(sealed.command(&[]).output().unwrap());
    let without_lock = without_lock.failed(1, "needs the lock file");
    assert!(
        without_lock.stderr.contains("acreta plugin lock"),
        "{}",
        without_lock.stderr
    );
    sealed.project.write("project/acreta.lock", b"");
    let refused = ran(sealed.command(&[]).output().unwrap());
    refused.failed(1, "is not in the lock");
    sealed.lock();
    sealed.run(&[]);
    sealed
        .project
        .write("given/policy.wasm", &component("hostile-extractor"));
    let refused = ran(sealed.command(&[]).output().unwrap());
    refused.failed(1, "differs from the lock");
}

#[test]
fn what_is_locked_and_not_given_is_not_replaced_by_something_else() {
    let sealed = Sealed::new();
    sealed.lock();
    let trace = sealed.trace.to_str().unwrap();
    let (memory, workspace) = (sealed.given("memory"), sealed.given("workspace"));
    let arguments = ["run", trace, "--frozen", "--memory-root", &memory];
    let arguments = [&arguments[..], &["--workspace-root", &workspace]].concat();
    let refused = sealed.project.acreta(&arguments);
    let refused = refused.failed(1, "`acreta.lock` names the extractor `policy`");
    assert!(refused.stderr.contains("--plugin"), "{}", refused.stderr);
    assert!(files(Path::new(&memory)).is_empty(), "memory is unchanged");
    // A lock that names nothing leaves the built-in plugins.
    sealed.project.write("project/acreta.lock", b"");
    sealed.project.acreta(&arguments).succeeded();
}

/// A repository may hold a cache: what lies in it is native code of a stranger.
#[test]
fn native_code_that_lies_in_the_cache_is_not_run() {
    let sealed = Sealed::new();
    sealed.lock();
    let first = sealed.run(&[]);
    let is_code = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "cwasm");
    let cache = sealed.project.outside().join("given/cache");
    let planted: Vec<PathBuf> = files(&cache).into_iter().filter(is_code).collect();
    assert!(planted.len() > 2, "{planted:?}");
    // Valid code for this machine, of another component than the name says.
    for (one, other) in planted.iter().zip(planted.iter().skip(1)) {
        std::fs::copy(other, one).unwrap();
    }
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch files")]
    for written in ["memory", "workspace"] {
        std::fs::remove_dir_all(sealed.given(written)).unwrap();
    }
    let second = sealed.run(&[]);
    let said = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said(&first), said(&second));
    // Code that this process did not compile is not used either, unless it knows the key.
    let compiles = |key: Option<&str>| {
        let mut command = sealed.command(&[]);
        command
            .env("ACRETA_LOG", "info")
            .env_remove("ACRETA_CACHE_KEY");
        command.envs(key.map(|key| ("ACRETA_CACHE_KEY", key)));
        let ran = ran(command.output().unwrap());
        assert!([0, 3].contains(&ran.code), "{}", ran.stderr);
        ran.stderr.matches("compiled").count() > 0
    };
    let key = Some("a secret of the CI, which no repository has");
    assert!(compiles(None));
    assert!(compiles(None), "another process");
    assert!(compiles(key));
    assert!(!compiles(key), "warm");
    let mut command = sealed.command(&[]);
    let short = command.env("ACRETA_CACHE_KEY", "short").output().unwrap();
    ran(short).failed(1, "fewer than 32 characters");
}

#[test]
fn a_candidate_that_is_dropped_ends_in_exit_3_and_a_case() {
    let sealed = Sealed::new();
    sealed.lock();
    let config = sealed
        .project
        .write("given/config.toml", b"[extract]\nmin_confidence = 0.99\n");
    let mut command = sealed.command(&[]);
    let ran = ran(command.env("ACRETA_CONFIG", config).output().unwrap());
    let ran = ran.failed(3, "stopped by gates");
    let report = ran.json();
    assert_eq!(report["counts"]["add"], 1, "the summary alone: {report}");
    let gates = std::fs::read_to_string(sealed.given("workspace/gates.xml")).unwrap();
    assert!(gates.contains("failures=\"1\""), "{gates}");
    assert!(gates.contains("name=\"form\">"), "{gates}");
}

#[test]
fn without_a_network_it_still_passes() {
    let sealed = Sealed::new();
    sealed.lock();
    let alone = Command::new("unshare").args(["-rn", "true"]).output();
    if !alone.is_ok_and(|output| output.status.success()) {
        acreta_testing::skip(acreta_testing::NAMESPACES, "no network namespace");
        return;
    }
    sealed.run(&["unshare", "-rn"]);
}

#[test]
fn nothing_is_touched_but_what_was_given() {
    let sealed = Sealed::new();
    sealed.lock();
    if Command::new("strace").arg("-V").output().is_err() {
        acreta_testing::skip(acreta_testing::STRACE, "strace is not installed");
        return;
    }
    let log = sealed.given("strace.log");
    sealed.run(&[
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=open,openat,creat",
        "-o",
        &log,
    ]);
    let base = sealed.project.outside().display().to_string();
    let mut opened = 0;
    for line in std::fs::read_to_string(&log).unwrap().lines() {
        if line.contains(" = -1 ") || !line.contains('"') {
            continue;
        }
        let path = line.split('"').nth(1).unwrap();
        let is_relative = !path.starts_with('/');
        opened += 1;
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"]
            .iter()
            .any(|flag| line.contains(flag));
        let inside = path.starts_with(&base) || is_relative;
        let own = env!("CARGO_BIN_EXE_acreta");
        let is_system = [
            "/lib",
            "/usr/lib",
            "/etc/ld.so",
            "/proc/self",
            "/proc/",
            "/sys/",
            "/dev/",
        ]
        .iter()
        .any(|start| path.starts_with(start));
        if writes {
            assert!(inside || path.starts_with("/dev/"), "written: {line}");
            let root = Path::new(path);
            assert!(
                !root.starts_with(sealed.project.home()),
                "acreta's own folder: {line}"
            );
        } else {
            assert!(
                inside || is_system || path == own || path == "/",
                "read: {line}"
            );
        }
    }
    assert!(opened > 20, "strace saw it");
}
