//! The adapter through its public door: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format, databases as SQL; real sessions are read where they are at hand.

#![cfg(test)]

mod conformance;
mod events;
mod sessions;
mod traces;

use std::path::{Path, PathBuf};

/// A fixture by its name.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/crush");
    folder.join(name)
}

/// The fixture as a database in this folder.
fn database(folder: &Path) -> PathBuf {
    let path = folder.join("crush.db");
    acreta_sdk::adapter::testing::database(&fixture("crush.sql"), &path);
    path
}
