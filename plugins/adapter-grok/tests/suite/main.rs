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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/grok");
    folder.join(name)
}

/// A session with every kind of record, and damage.
const GROK: &str =
    "%2Fhome%2Fmira%2Fkelp-log/019c2f10-7a31-7c20-9b11-0a1b2c3d4e5f/chat_history.jsonl";
