//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::conformance;
use adapter_kiro::Kiro;

use crate::{database, fixture};

#[test]
fn the_adapter_conforms() {
    let own = fixture("");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Kiro>(&own, &own.join(".."), scratch.path());
}

#[test]
fn it_conforms_on_a_database() {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path());
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Kiro>(folder.path(), &fixture(".."), scratch.path());
}
