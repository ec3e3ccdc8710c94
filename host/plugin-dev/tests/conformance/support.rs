//! A temporary folder, and the shared parts of all fake plugins: a fault each, and usage figures.

use std::sync::atomic::{AtomicU64, Ordering};

use acreta_fs::{Directory, NoFaults};
use acreta_plugin_dev::{Case, Plugin, Report, Verdict, conformance, promises};
use acreta_types::{
    Call, Denial, Failure, Limits, PluginError, PluginFault, PluginInfo, Role, Usage,
};
use camino::{Utf8Path, Utf8PathBuf};

/// A temporary folder, deleted at the end.
pub(crate) struct TestFolder {
    folder: tempfile::TempDir,
}

impl TestFolder {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.folder.path().canonicalize().unwrap()).unwrap()
    }

    /// Creates a folder for copies and drafts.
    pub(crate) fn scratch(&self) -> Directory {
        Directory::open_or_create(&self.path().join("scratch"), NoFaults::shared()).unwrap()
    }

    /// Writes a file and creates its parent folders.
    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) {
        put(&self.path().join(path), bytes);
    }

    /// Writes these files as a case and opens it.
    pub(crate) fn case(&self, name: &str, files: &[(&str, &str)]) -> Case {
        for (path, text) in files {
            self.put(&format!("cases/{name}/{path}"), text);
        }
        Case::open(&self.path().join("cases").join(name)).unwrap()
    }
}

pub(crate) fn put(path: &Utf8Path, bytes: impl AsRef<[u8]>) {
    use std::io::Write;
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(bytes.as_ref()).unwrap();
}

/// Copies a folder and everything in it.
pub(crate) fn copy(from: &Utf8Path, to: &Utf8Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in from.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(entry.path(), &target);
        } else {
            put(&target, std::fs::read(entry.path()).unwrap());
        }
    }
}

/// The fault of a plugin: `<check>` or `<check>/<how>`; empty for a good one.
pub(crate) struct Vice {
    name: &'static str,
    info: PluginInfo,
    counter: AtomicU64,
}

impl Vice {
    pub(crate) fn new(role: Role, name: &'static str) -> Self {
        Self {
            name,
            info: PluginInfo {
                id: format!("fake-{role}"),
                role,
                wit: "0.1.0".to_owned(),
                digest: "0".repeat(64),
            },
            counter: AtomicU64::new(0),
        }
    }

    pub(crate) fn info(&self) -> &PluginInfo {
        &self.info
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// Returns another number each time.
    pub(crate) fn count(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns a number that changes only in a plugin with this fault.
    pub(crate) fn drift(&self, name: &str) -> String {
        if self.is(name) {
            self.count().to_string()
        } else {
            String::new()
        }
    }

    pub(crate) fn call<T>(&self, result: Result<T, PluginFault>) -> Call<T> {
        let result = if self.is("every-call") {
            Err(trap("unreachable"))
        } else {
            result
        };
        let denied = match self.name {
            "keeps-to-its-roots" | "needs-no-files" | "keeps-to-memory" | "keeps-to-draft" => {
                vec![Denial {
                    operation: "open-at".to_owned(),
                    path: "/etc/passwd".to_owned(),
                    count: 3,
                }]
            }
            _ => Vec::new(),
        };
        let peak = if self.is("within-limits") {
            1 << 40
        } else {
            1 << 20
        };
        Call {
            result: result.map_err(|fault| PluginError {
                plugin: self.info.id.clone(),
                role: self.info.role,
                fault,
            }),
            usage: Usage {
                calls: 1,
                peak_memory_bytes: peak,
                denied,
                ..Usage::default()
            },
        }
    }
}

pub(crate) fn trap(message: &str) -> PluginFault {
    PluginFault::Trap {
        message: message.to_owned(),
    }
}

pub(crate) fn failure(code: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        message: format!("it is {code}"),
        retryable: false,
    }
}

pub(crate) fn fails(code: &str) -> PluginFault {
    PluginFault::Failed(failure(code))
}

pub(crate) fn run(plugin: &Plugin, cases: &[Case], place: &TestFolder) -> Report {
    let limits = Limits::for_role(plugin.role());
    conformance(plugin, cases, &place.scratch(), &limits).unwrap()
}

/// Fails with the whole report unless the check failed, or was not run after a trap.
pub(crate) fn assert_failed(report: &Report, name: &str, vice: &str) {
    let check = report.checks.iter().find(|check| check.name == name);
    match &check.unwrap().verdict {
        Verdict::Failed {
            expected,
            found,
            mend,
        } => assert!(!expected.is_empty() && !found.is_empty() && !mend.is_empty()),
        Verdict::Skipped { reason } if reason.starts_with("not run: the plugin trapped") => {
            assert!(!report.is_passed(), "{report}");
        }
        _ => panic!("`{vice}` passed `{name}`:\n{report}"),
    }
}

/// A good plugin passes every check; each bad one fails the check that its fault is named after, and every check has a
/// plugin that fails it.
pub(crate) fn check_role(
    role: Role,
    vices: &[&'static str],
    cases: &[Case],
    place: &TestFolder,
    plugin: impl Fn(&'static str) -> Plugin,
) {
    let report = run(&plugin(""), cases, place);
    let counts = report.counts();
    assert_eq!((counts.failed, counts.skipped), (0, 0), "{report}");
    assert_eq!(counts.passed, promises(role).len());

    for vice in vices {
        let name = vice.split('/').next().unwrap();
        assert_failed(&run(&plugin(vice), cases, place), name, vice);
    }
    for (name, _) in promises(role) {
        let has_vice = vices
            .iter()
            .any(|vice| vice.split('/').next() == Some(name));
        assert!(has_vice, "nobody fails `{name}`");
    }

    // A plugin that always breaks down is told once for each call, and nothing panics.
    let broken = run(&plugin("every-call"), cases, place);
    let mut trapped = Vec::new();
    for check in &broken.checks {
        match &check.verdict {
            Verdict::Failed { found, .. } => {
                let call = found.strip_suffix(" trapped: unreachable").unwrap();
                assert!(!trapped.contains(&call), "{broken}");
                trapped.push(call);
            }
            Verdict::Skipped { reason } => {
                let call = reason.strip_prefix("not run: the plugin trapped in ");
                let call = call.unwrap().trim_matches('`');
                assert!(trapped.contains(&call), "{broken}");
            }
            Verdict::Passed { .. } => {
                let not_asked = [
                    "within-limits",
                    "needs-no-files",
                    "keeps-to-memory",
                    "keeps-to-draft",
                ];
                assert!(not_asked.contains(&check.name), "{broken}");
            }
        }
    }
    assert!(!trapped.is_empty(), "{broken}");
}
