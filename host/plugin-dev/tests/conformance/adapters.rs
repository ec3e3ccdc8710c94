//! The suite of adapters.

use acreta_plugin_dev::Verdict;
use acreta_types::Role;

use crate::fable::{FILES, adapter};
use crate::support::{TestFolder, assert_failed, check_role, run};

const VICES: &[&str] = &[
    "describe",
    "describe-stable",
    "agent-name",
    "root-names/name",
    "root-names/place",
    "root-names/pattern",
    "root-names/nowhere",
    "root-names/twice",
    "root-reasons/empty",
    "root-reasons/hidden",
    "foreign-file",
    "empty-file",
    "binary-file",
    "huge-line",
    "missing-file",
    "finds-sessions",
    "session-fields/agent",
    "session-fields/path",
    "session-fields/twice",
    "session-fields/id",
    "session-fields/revision",
    "sessions-stable",
    "event-fields/twice",
    "event-fields/role",
    "event-fields/kind",
    "tells-something",
    "origins/outside",
    "origins/none",
    "read-stable",
    "cursor-at-end",
    "cursor-forward",
    "grows",
    "shrunken-file",
    "rewritten-file",
    "damaged-line/silent",
    "damaged-line/fatal",
    "damaged-line/ends",
    "damaged-bytes",
    "within-limits",
    "keeps-to-its-roots",
];

#[test]
fn a_good_adapter_passes_and_every_bad_one_is_found_out() {
    let place = TestFolder::new();
    let cases = [place.case("short", FILES)];
    check_role(Role::Adapter, VICES, &cases, &place, adapter);
}

#[test]
fn without_a_case_what_needs_one_is_skipped() {
    let place = TestFolder::new();
    let report = run(&adapter(""), &[], &place);
    assert!(report.is_passed(), "{report}");
    let skipped: Vec<_> = report
        .checks
        .iter()
        .filter(|check| matches!(check.verdict, Verdict::Skipped { .. }))
        .map(|check| check.name)
        .collect();
    assert_eq!(skipped.len(), 14, "{report}");
    assert!(skipped.contains(&"finds-sessions") && skipped.contains(&"grows"));
}

#[test]
fn a_case_without_sessions_is_fine_beside_one_with_some() {
    let place = TestFolder::new();
    let toml = "what = \"not ours\"\nrole = \"adapter\"\ninput = [\"input/x.txt\"]\n";
    let stranger = place.case(
        "stranger",
        &[("case.toml", toml), ("input/x.txt", "nothing\n")],
    );
    let report = run(&adapter(""), &[stranger], &place);
    assert_failed(&report, "finds-sessions", "a stranger alone");
    let stranger = place.case("stranger", &[]);
    let both = [stranger, place.case("short", FILES)];
    let report = run(&adapter(""), &both, &place);
    assert!(report.is_passed(), "{report}");
}

#[test]
fn the_author_s_files_stay_as_they_are() {
    let place = TestFolder::new();
    let cases = [place.case("short", FILES)];
    run(&adapter(""), &cases, &place);
    let file = place.path().join("cases/short/input/projects/one.jsonl");
    assert_eq!(
        std::fs::read_to_string(file).unwrap(),
        crate::fable::SESSION
    );
    let left = place
        .path()
        .join("scratch")
        .read_dir_utf8()
        .unwrap()
        .count();
    assert_eq!(left, 0, "copies are left behind");
}

#[test]
fn an_adapter_without_roots_is_asked_about_files_that_a_person_names() {
    let place = TestFolder::new();
    let cases = [place.case("short", FILES)];
    let report = run(&adapter("no-roots"), &cases, &place);
    assert!(report.is_passed(), "{report}");
}

#[test]
fn that_an_event_is_a_copy_may_show_later() {
    let place = TestFolder::new();
    let cases = [place.case("short", FILES)];
    let report = run(&adapter("late-copies"), &cases, &place);
    assert!(report.is_passed(), "{report}");
}

#[test]
fn the_sdk_calls_the_same_characters_hidden_as_the_host() {
    for character in '\0'..=char::MAX {
        assert_eq!(
            acreta_sdk::conformance::adapter::is_hidden(character),
            acreta_text::is_hidden(character),
            "{character:?}"
        );
    }
}
