//! The suite of extractors.

use acreta_plugin_dev::Verdict;
use acreta_types::Role;

use crate::listener::{FILES, extractor};
use crate::support::{TestFolder, check_role, run};

const VICES: &[&str] = &[
    "empty-trace",
    "one-event",
    "hostile-text",
    "own-traces",
    "unreadable-trace",
    "candidate-fields/type",
    "candidate-fields/kind",
    "candidate-fields/title",
    "candidate-fields/body",
    "candidate-fields/hidden",
    "candidate-fields/confidence",
    "candidate-fields/tag",
    "quotes/none",
    "quotes/event",
    "quotes/forged",
    "candidate-ids/twice",
    "candidate-ids/empty",
    "rules-from-people",
    "same-twice/extract",
    "same-twice/summarise",
    "summary/title",
    "summary/description",
    "summary/long",
    "summary/failure",
    "asks-no-model",
    "within-limits",
    "needs-no-files",
];

#[test]
fn a_good_extractor_passes_and_every_bad_one_is_found_out() {
    let place = TestFolder::new();
    let cases = [place.case("two", FILES)];
    check_role(Role::Extractor, VICES, &cases, &place, extractor);
}

#[test]
fn one_that_needs_a_model_is_not_blamed_for_having_none() {
    let place = TestFolder::new();
    let cases = [place.case("two", FILES)];
    let report = run(&extractor("needs-a-model"), &cases, &place);
    assert!(report.is_passed(), "{report}");
    for name in ["own-traces", "summary"] {
        let check = report.checks.iter().find(|check| check.name == name);
        let verdict = &check.unwrap().verdict;
        assert!(matches!(verdict, Verdict::Skipped { .. }), "{report}");
    }
}
