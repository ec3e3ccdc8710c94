//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::conformance;
use adapter_kimi::Kimi;

use crate::fixture;

#[test]
fn the_adapter_conforms() {
    let own = fixture("");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Kimi>(&own, &own.join(".."), scratch.path());
}
