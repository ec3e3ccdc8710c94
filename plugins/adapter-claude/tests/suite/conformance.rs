//! The conformance suite of adapters.

use std::path::Path;

use acreta_sdk::adapter::testing::conformance;
use adapter_claude::Claude;

#[test]
fn the_adapter_conforms() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Claude>(&fixtures.join("claude"), &fixtures, scratch.path());
}
