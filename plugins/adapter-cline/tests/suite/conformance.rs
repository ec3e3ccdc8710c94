//! The conformance suite of adapters.

use acreta_sdk::adapter::testing::{conformance, steps};
use adapter_cline::Cline;

use crate::{SESSION, TASK, fixture};

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Cline>(&fixture("."), &fixture(".."), scratch.path());
}

#[test]
fn growth_in_odd_steps_is_survived() {
    let scratch = tempfile::tempdir().unwrap();
    for name in [SESSION, TASK] {
        for step in [97, 700] {
            steps::<Cline>(&fixture(name), scratch.path(), step);
        }
    }
}
