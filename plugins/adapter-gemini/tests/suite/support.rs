//! Fixtures, and one-line sessions.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{ReadResult, START, put, read, sessions};
use adapter_gemini::Gemini;

/// A session in which a rain sensor is added, and what may go wrong with it.
pub(crate) const SENSOR: &str = "orchard/chats/session-2026-05-04T09-10-3f2a1b0c.jsonl";
/// The session of an agent that it started.
pub(crate) const SUBAGENT: &str =
    "meadow/chats/3f2a1b0c-7d5e-4c1a-9b8d-2e6f4a8c0d11/ines-sub-1.jsonl";
/// The digest of a project.
pub(crate) const DIGEST: &str = "3b1c0f6f2c2f8a0e9d4b7a6c5e8f7d6c1a2b3c4d5e6f708192a3b4c5d6e7f809";

pub(crate) fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/gemini/tmp");
    folder.join(name)
}

/// Returns a fixture whose project is known only by its digest.
pub(crate) fn old_fixture(name: &str) -> PathBuf {
    fixture(&format!(
        "{DIGEST}/chats/session-2026-05-04T09-10-{name}.json"
    ))
}

pub(crate) fn session(path: &Path) -> Session {
    let mut found = sessions::<Gemini>(path);
    assert_eq!(found.len(), 1, "{path:?}");
    found.remove(0)
}

pub(crate) fn told(path: &Path) -> ReadResult {
    read::<Gemini>(&session(path), &START).0
}

/// Reads a file of these lines after a header.
pub(crate) fn told_of(lines: &[String]) -> ReadResult {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let head = "{\"sessionId\":\"s\",\"projectHash\":\"h\"}";
    put(&path, format!("{head}\n{}\n", lines.join("\n")));
    told(&path)
}

/// Builds a message of a person.
pub(crate) fn said(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"type\":\"user\",\"content\":\"{text}\"}}")
}

pub(crate) fn attribute<'a>(session: &'a Session, key: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| &**value)
}
