//! Session files that last as long as a test, and short forms to compare with.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{ReadResult, START, read, sessions};
use adapter_codex::Codex;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/codex")
}

/// Returns the only fixture whose name contains this.
pub(crate) fn fixture(part: &str) -> PathBuf {
    let mut found = acreta_sdk::adapter::testing::files(&fixtures());
    found.retain(|path| path.to_string_lossy().contains(part));
    let [path] = &found[..] else {
        panic!("{part}: {found:?}")
    };
    path.clone()
}

/// Returns the session in a file.
pub(crate) fn session(path: &Path) -> Session {
    let mut found = sessions::<Codex>(path);
    assert_eq!(found.len(), 1, "{path:?}");
    found.remove(0)
}

pub(crate) fn read_whole(path: &Path) -> ReadResult {
    read::<Codex>(&session(path), &START).0
}

/// A folder with a file of these lines.
pub(crate) struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
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

/// Reads a file with these lines.
pub(crate) fn told(lines: &[String]) -> ReadResult {
    let home = Home::new();
    let mut all = vec![meta("")];
    all.extend_from_slice(lines);
    read_whole(&home.lines("rollout.jsonl", &all))
}

pub(crate) const THREAD: &str = "019f0000-0000-7000-8000-000000000001";

/// Builds the description of the thread, with further fields: `,"key":value`.
pub(crate) fn meta(further: &str) -> String {
    wrapped(
        "session_meta",
        &format!(r#"{{"id":"{THREAD}","cwd":"/w"{further}}}"#),
    )
}

pub(crate) fn wrapped(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-06-01T08:00:00.000Z","type":"{kind}","payload":{payload}}}"#)
}

pub(crate) fn item(payload: &str) -> String {
    wrapped("response_item", payload)
}

pub(crate) fn notice(payload: &str) -> String {
    wrapped("event_msg", payload)
}

/// Builds a message of a role, in the stream of items.
pub(crate) fn message(role: &str, text: &str) -> String {
    item(&format!(
        r#"{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":"{text}"}}]}}"#
    ))
}

/// Builds a message of the user in the stream of notices.
pub(crate) fn user_message(text: &str) -> String {
    notice(&format!(r#"{{"type":"user_message","message":"{text}"}}"#))
}

/// Returns the value of a session's attribute.
pub(crate) fn attr<'a>(session: &'a Session, name: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| &**value)
}
