//! The conformance suite of adapters, for each store.

use acreta_sdk::adapter::testing::conformance;
use adapter_opencode::OpenCode;

use crate::support::{database, fixtures};

#[test]
fn documents_and_trees_conform() {
    let all = fixtures().join("..");
    for own in ["export", "storage/session"] {
        let scratch = tempfile::tempdir().unwrap();
        conformance::<OpenCode>(&fixtures().join(own), &all, scratch.path());
    }
}

#[test]
fn databases_conform() {
    let (own, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for name in ["opencode", "newer", "go", "few-columns"] {
        database(name, own.path());
    }
    let all = fixtures().join("..");
    conformance::<OpenCode>(own.path(), &all, scratch.path());
}
