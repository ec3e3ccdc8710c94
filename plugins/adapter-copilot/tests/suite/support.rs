//! Session files that last as long as a test, and short forms to compare with.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{ReadResult, START, files, read, sessions};
use adapter_copilot::Copilot;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/copilot")
}

/// Returns the only fixture whose path contains this.
pub(crate) fn fixture(part: &str) -> PathBuf {
    let mut found = files(&fixtures());
    found.retain(|path| path.to_string_lossy().contains(part));
    let [path] = &found[..] else {
        panic!("{part}: {found:?}")
    };
    path.clone()
}

/// Returns the session in a file.
pub(crate) fn session(path: &Path) -> Session {
    let mut found = sessions::<Copilot>(path);
    assert_eq!(found.len(), 1, "{path:?}");
    found.remove(0)
}

pub(crate) fn read_whole(path: &Path) -> ReadResult {
    read::<Copilot>(&session(path), &START).0
}

/// A folder for the files of one test.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        put(&path, bytes);
        path
    }

    pub(crate) fn lines(&self, name: &str, lines: &[String]) -> PathBuf {
        self.write(name, format!("{}\n", lines.join("\n")).as_bytes())
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own file")]
pub(crate) fn put(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

/// Builds a record of the log.
pub(crate) fn record(kind: &str, data: &str) -> String {
    format!(
        r#"{{"type":"{kind}","data":{data},"id":"e","timestamp":"2026-07-01T08:00:00.000Z","parentId":null}}"#
    )
}

pub(crate) fn start() -> String {
    record(
        "session.start",
        r#"{"sessionId":"s1","producer":"copilot-agent"}"#,
    )
}

/// Reads a log with these lines.
pub(crate) fn told(lines: &[String]) -> ReadResult {
    let home = Home::new();
    let mut all = vec![start()];
    all.extend_from_slice(lines);
    read_whole(&home.lines("events.jsonl", &all))
}

/// Returns the value of a session's attribute.
pub(crate) fn attr<'a>(session: &'a Session, name: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| &**value)
}
