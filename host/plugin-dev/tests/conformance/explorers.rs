//! The suite of explorers.

use acreta_types::Role;

use crate::searcher::{FILES, explorer};
use crate::support::{TestFolder, check_role};

const VICES: &[&str] = &[
    "no-candidates",
    "empty-memory",
    "damaged-memory",
    "answers-each",
    "only-given",
    "finding-fields/hint",
    "finding-fields/overlap",
    "matched-files/absolute",
    "matched-files/gone",
    "matched-files/up",
    "same-twice",
    "failing-search",
    "asks-no-model",
    "within-limits",
    "keeps-to-memory",
];

#[test]
fn a_good_explorer_passes_and_every_bad_one_is_found_out() {
    let place = TestFolder::new();
    let cases = [place.case("known", FILES)];
    check_role(Role::Explorer, VICES, &cases, &place, explorer);
}
