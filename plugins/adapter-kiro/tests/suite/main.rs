//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod database;
mod document;
mod journal;
mod traces;

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{ReadResult, START, read, render};
use adapter_kiro::Kiro;

const JOURNAL: &str = "5e0c9a1d-84b7-4f26-9c3e-1d7a60f2b845";
const SUBAGENT: &str = "d2f7b610-9e35-4a8c-b1c4-0f5e83a7c926";
const SAVED: &str = "8b1f5d3e-2a90-47c6-8e14-c95b07d6a3f2";

/// A fixture, by its name.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/kiro")
        .join(name)
}

/// Creates a database from its fixture.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("data.sqlite3");
    let script = std::fs::read_to_string(fixture("data.sql")).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    // Test data need not survive a crash.
    connection
        .pragma_update(None, "synchronous", "OFF")
        .unwrap();
    connection.execute_batch(&script).unwrap();
    path
}

/// Compares a session's events, one per line, and its diagnostics.
fn check(session: &Session, events: &str, diagnostics: &[&str]) -> ReadResult {
    let (told, _) = read::<Kiro>(session, &START);
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
