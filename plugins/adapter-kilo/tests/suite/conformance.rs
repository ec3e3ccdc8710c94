//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::conformance;
use adapter_kilo::Kilo;

use crate::{database, fixture};

#[test]
fn databases_conform() {
    let (own, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    database(own.path());
    conformance::<Kilo>(own.path(), &fixture(".."), scratch.path());
}

#[test]
fn files_conform() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Kilo>(&fixture("."), &fixture(".."), scratch.path());
}
