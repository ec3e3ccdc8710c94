//! What every adapter has to hold.

use std::path::Path;

use acreta_sdk::adapter::testing::{conformance, damage, files};
use adapter_openhands::OpenHands;

#[test]
fn the_adapter_conforms() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<OpenHands>(&fixtures.join("openhands"), &fixtures, scratch.path());
}

#[test]
fn any_bytes_at_all_are_survived() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/openhands");
    let scratch = tempfile::tempdir().unwrap();
    for path in files(&fixtures) {
        damage::<OpenHands>(&path, scratch.path());
    }
}
