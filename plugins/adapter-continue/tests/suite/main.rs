//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod histories;
mod sessions;
mod traces;

use std::path::{Path, PathBuf};

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/continue");
    folder.join(name)
}

/// A session in which an importer is written, and what may go wrong with it.
const IMPORTER: &str = "7d0c6a51-93c2-4f0e-8b7d-2f3a4b5c6d01.json";
/// A session without conversation.
const EMPTY: &str = "a1b2c3d4-0000-4000-8000-0000000000e0.json";
/// A session whose document ends early.
const CUT: &str = "a1b2c3d4-0000-4000-8000-0000000000c7.json";
