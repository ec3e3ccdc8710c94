//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::{conformance, steps};
use adapter_qwen::Qwen;

use crate::{QWEN, fixture};

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Qwen>(&fixture("."), &fixture(".."), scratch.path());
}

#[test]
fn growth_in_odd_steps_is_survived() {
    let scratch = tempfile::tempdir().unwrap();
    for step in [97, 700] {
        steps::<Qwen>(&fixture(QWEN), scratch.path(), step);
    }
}
