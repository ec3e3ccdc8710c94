//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod events;
mod sessions;
mod traces;

use std::path::{Path, PathBuf};

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/cline");
    folder.join(name)
}

/// A session of the terminal program.
const SESSION: &str = "sessions/1767600000000_abcde/1767600000000_abcde.messages.json";

/// A task of the extension for VS Code.
const TASK: &str = "vscode/tasks/1767650000000/api_conversation_history.json";
