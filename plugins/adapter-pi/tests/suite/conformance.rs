//! The conformance suite of adapters.

use std::path::Path;

use acreta_sdk::adapter::testing::conformance;
use adapter_pi::Pi;

#[test]
fn the_adapter_conforms() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Pi>(&fixtures.join("pi"), &fixtures, scratch.path());
}
