//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format, databases as SQL; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod events;
mod sessions;
mod traces;

use std::path::{Path, PathBuf};

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/kilo");
    folder.join(name)
}

/// Creates a database from the fixture in this folder.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("kilo.db");
    acreta_sdk::adapter::testing::database(&fixture("kilo.sql"), &path);
    path
}
