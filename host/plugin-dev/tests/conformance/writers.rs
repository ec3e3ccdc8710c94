//! The suite of memory-writers.

use acreta_types::Role;

use crate::scribe::{FILES, writer};
use crate::support::{TestFolder, check_role};

const VICES: &[&str] = &[
    "nothing-to-write",
    "writes",
    "reports-each/missing",
    "reports-each/twice",
    "reports-each/stranger",
    "asked-files/missing",
    "asked-files/more",
    "asked-files/target",
    "asked-files/place",
    "asked-files/taken",
    "front-matter/id",
    "front-matter/keys",
    "decided-words/title",
    "decided-words/kind",
    "decided-words/tags",
    "decided-words/related",
    "decided-words/created",
    "decided-words/body",
    "unknown-keys",
    "same-twice",
    "bad-action/writes",
    "bad-action/trap",
    "within-limits",
    "keeps-to-draft",
];

#[test]
fn a_good_writer_passes_and_every_bad_one_is_found_out() {
    let place = TestFolder::new();
    let cases = [place.case("one", FILES)];
    check_role(Role::MemoryWriter, VICES, &cases, &place, writer);
}
