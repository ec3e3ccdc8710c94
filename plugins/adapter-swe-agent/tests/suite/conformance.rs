//! The conformance suite of adapters.

use std::path::Path;

use acreta_sdk::adapter::testing::conformance;
use adapter_swe_agent::SweAgent;

#[test]
fn the_adapter_conforms() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<SweAgent>(&fixtures.join("swe-agent"), &fixtures, scratch.path());
}
