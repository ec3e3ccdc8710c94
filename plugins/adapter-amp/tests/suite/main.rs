//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod sessions;
mod threads;
mod traces;

use std::path::{Path, PathBuf};

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/amp");
    folder.join(name)
}

/// A thread in which labels are printed, and what may go wrong with it.
const LABELS: &str = "T-019ca7d2-1b3c-7a44-9f10-2c5e8d7b6a01.json";
/// A thread that was handed off from it.
const HANDED_OFF: &str = "T-019ca7f0-aa01-7b11-8c22-3d44e5f60718.json";
/// A thread without conversation.
const EMPTY: &str = "T-019ca800-0000-7000-8000-00000000e3e3.json";
/// A thread whose document ends early.
const CUT: &str = "T-019ca801-0000-7000-8000-00000000c0c0.json";
