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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/qwen");
    folder.join(name)
}

/// A session with every kind of record, and damage.
const QWEN: &str = "projects/-home-mira-kelp-log/chats/5b1f0c2a-9d3e-4f60-8a71-c2d3e4f50617.jsonl";
