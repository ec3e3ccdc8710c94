//! Paths of fixtures, and sessions written by tests.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{Scratch, only_session};
use adapter_openhands::OpenHands;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/openhands")
}

pub(crate) fn session(path: &Path) -> Session {
    only_session::<OpenHands>(path)
}

pub(crate) fn scratch() -> Scratch<OpenHands> {
    Scratch::new("session.json")
}
