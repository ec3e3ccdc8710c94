//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; databases are made from SQL in a temporary folder. Real sessions
//! are read if they are available.

#![cfg(test)]

mod conformance;
mod credentials;
mod editor;
mod plain;
mod store;
mod traces;
mod transcript;
mod workspace;

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{ReadResult, START, put, read, render, sessions};
use adapter_cursor::CursorAgent;

/// A fixture, by its path under the folder of fixtures.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/cursor")
        .join(name)
}

/// Creates a database from a fixture.
fn database(path: &Path, name: &str) {
    let script = std::fs::read_to_string(fixture(name)).unwrap();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    // Test data need not survive a crash.
    connection
        .pragma_update(None, "synchronous", "OFF")
        .unwrap();
    connection.execute_batch(&script).unwrap();
}

/// Returns the only session of a file.
fn session(path: &Path) -> Session {
    let mut found = sessions::<CursorAgent>(path);
    assert_eq!(found.len(), 1, "{path:?}: {found:?}");
    found.remove(0)
}

/// Returns the session of this id in a file.
fn session_of(path: &Path, id: &str) -> Session {
    let found = sessions::<CursorAgent>(path);
    let session = found.into_iter().find(|session| session.id == id);
    session.unwrap_or_else(|| panic!("{path:?} has no {id}"))
}

/// Formats the attributes of a session on one line.
fn attributes(session: &Session) -> String {
    let attrs = session
        .attrs
        .iter()
        .map(|(key, value)| format!("{key}={value}"));
    attrs.collect::<Vec<_>>().join(" ")
}

/// Compares a session's events, one per line, and its diagnostics.
fn check(session: &Session, events: &str, diagnostics: &[&str]) -> ReadResult {
    let (told, _) = read::<CursorAgent>(session, &START);
    let expected = events.trim_start_matches('\n');
    assert_eq!(render(&told.events, &[]), expected, "{}", session.id);
    let found: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(record, start, end, message)| format!("{record} {start}..{end} {message}"))
        .collect();
    assert_eq!(found, diagnostics, "{}", session.id);
    told
}

/// Cursor's folders with all its databases.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Self { folder };
        database(&home.global(), "global.sql");
        for (name, script, directory) in [
            ("1a2b", "workspace-2024.sql", "file:///home/mira/old%20shop"),
            ("3c4d", "workspace-now.sql", "file:///home/mira/readme"),
            (
                "5e6f",
                "workspace-prompts.sql",
                "vscode-remote://ssh/home/mira",
            ),
        ] {
            let path = home.workspace(name);
            database(&path, script);
            let beside = path.with_file_name("workspace.json");
            put(&beside, format!("{{\n  \"folder\": \"{directory}\"\n}}"));
        }
        for (name, script) in [
            ("a", "store.sql"),
            ("b", "store-rootless.sql"),
            ("c", "store-new.sql"),
        ] {
            database(&home.store(name), script);
        }
        home
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn global(&self) -> PathBuf {
        self.path().join("User/globalStorage/state.vscdb")
    }

    fn workspace(&self, name: &str) -> PathBuf {
        self.path()
            .join(format!("User/workspaceStorage/{name}/state.vscdb"))
    }

    fn store(&self, name: &str) -> PathBuf {
        let digest = "9d4b3c0f6a1e4d2f8b7c5a6e1f0d2c3b";
        self.path().join(format!("chats/{digest}/{name}/store.db"))
    }
}
