//! Paths of fixtures, and sessions written by tests.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{Scratch, only_session};
use adapter_pi::Pi;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pi")
}

pub(crate) fn session(path: &Path) -> Session {
    only_session::<Pi>(path)
}

pub(crate) fn scratch() -> Scratch<Pi> {
    Scratch::new("session.jsonl")
}
