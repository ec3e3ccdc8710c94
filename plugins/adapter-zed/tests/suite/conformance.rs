//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::conformance;
use adapter_zed::Zed;

use crate::{database, fixture};

#[test]
fn databases_conform() {
    let (own, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    database(own.path());
    conformance::<Zed>(own.path(), &fixture(".."), scratch.path());
}
