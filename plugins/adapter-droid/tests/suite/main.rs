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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/droid");
    folder.join(name)
}

/// A session with every kind of record, and damage.
const DROID: &str = "-home-mira-kelp-log/9a7b6c5d-4e3f-4a21-8b10-c9d8e7f60504.jsonl";
