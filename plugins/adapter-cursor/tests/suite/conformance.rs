//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::conformance;
use adapter_cursor::CursorAgent;

use crate::{Home, fixture};

#[test]
fn the_adapter_conforms() {
    let own = fixture("");
    let scratch = tempfile::tempdir().unwrap();
    conformance::<CursorAgent>(&own, &own.join(".."), scratch.path());
}

#[test]
fn it_conforms_on_databases() {
    let home = Home::new();
    let scratch = tempfile::tempdir().unwrap();
    conformance::<CursorAgent>(home.path(), &fixture(".."), scratch.path());
}
