//! Paths of fixtures, and sessions written by tests.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{Scratch, only_session};
use adapter_windsurf::Windsurf;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/windsurf")
}

pub(crate) fn session(path: &Path) -> Session {
    only_session::<Windsurf>(path)
}

pub(crate) fn scratch() -> Scratch<Windsurf> {
    Scratch::new("session.jsonl")
}
