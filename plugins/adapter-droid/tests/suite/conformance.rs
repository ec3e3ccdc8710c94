//! What every adapter has to hold.

use acreta_sdk::adapter::testing::{conformance, damage, steps};
use adapter_droid::Droid;

use crate::{DROID, fixture};

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Droid>(&fixture("."), &fixture(".."), scratch.path());
}

#[test]
fn damage_and_growth_are_survived() {
    let scratch = tempfile::tempdir().unwrap();
    damage::<Droid>(&fixture(DROID), scratch.path());
    for step in [97, 700] {
        steps::<Droid>(&fixture(DROID), scratch.path(), step);
    }
}
