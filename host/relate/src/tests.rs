//! What must hold whatever the weights are: plain cases, symmetry, and answers for any text.

use acreta_model::MemoryType;
use proptest::prelude::*;

use crate::{Relation, Statement, relate};

const UPDATE_OVERLAP: f64 = 0.72;

fn decision(title: &str) -> Statement {
    Statement::new(MemoryType::Decision, "", title, "")
}

fn judge(older: &str, newer: &str) -> Relation {
    relate(&decision(older), &decision(newer), UPDATE_OVERLAP).relation
}

#[test]
fn a_line_beside_what_memory_holds() {
    let older = "Keep the job queue in SQLite with WAL mode";
    let cases = [
        (
            "same words",
            "keep the job queue in sqlite with wal mode",
            Relation::Same,
        ),
        (
            "a part of it",
            "Keep the job queue in SQLite with WAL",
            Relation::Same,
        ),
        (
            "one word more",
            "Keep the job queue in SQLite with WAL mode enabled",
            Relation::Update,
        ),
        (
            "the opposite",
            "Never keep the job queue in SQLite with WAL mode",
            Relation::Contradiction,
        ),
        (
            "another thing",
            "Keep the sessions in SQLite",
            Relation::Similar,
        ),
        ("unrelated", "Format with two spaces", Relation::Unrelated),
        ("empty", "", Relation::Unrelated),
    ];
    for (name, newer, expected) in cases {
        assert_eq!(judge(older, newer), expected, "{name}");
    }
}

#[test]
fn overlap_is_that_of_the_tokens() {
    let cases = [
        ("keep the job queue in sqlite with wal mode", 1.0),
        ("Keep the job queue in SQLite with WAL", 5.0 / 6.0),
        ("Keep the sessions in SQLite", 2.0 / 7.0),
        ("", 0.0),
    ];
    let older = decision("Keep the job queue in SQLite with WAL mode");
    for (newer, expected) in cases {
        let found = relate(&older, &decision(newer), UPDATE_OVERLAP).overlap;
        assert!((found - expected).abs() < 1e-9, "{newer}: {found}");
    }
}

#[test]
fn opposite_choices_are_seen_and_likeness_is_not() {
    let cases = [
        (
            "Use SQLite, not Redis, for the queue",
            "Use Redis, not SQLite, for the queue",
            true,
        ),
        (
            "Use tabs instead of spaces",
            "Use spaces instead of tabs",
            true,
        ),
        (
            "Always run tests with --release",
            "Never run tests with --release",
            true,
        ),
        (
            "Use pnpm in this repository",
            "Don't use pnpm in this repository",
            true,
        ),
        (
            "Use SQLite, not Redis, for the queue",
            "Use SQLite, not Postgres, for the queue",
            false,
        ),
        (
            "Use tokio for the server",
            "Use tokio for the client",
            false,
        ),
        (
            "Never commit the lock file",
            "Run the tests before a commit",
            false,
        ),
        ("", "", false),
    ];
    for (left, right, expected) in cases {
        for (older, newer) in [(left, right), (right, left)] {
            let found = judge(older, newer) == Relation::Contradiction;
            assert_eq!(found, expected, "{older} / {newer}");
        }
    }
}

#[test]
fn another_alternative_for_the_same_thing_is_a_contradiction() {
    let older = "Use SQLite for the queue";
    let cases = [
        ("Use Postgres for the queue", true),
        ("Use Postgres for the sessions", false),
        ("Use SQLite for the sessions", false),
        ("Use a backoff for the queue", false),
    ];
    for (newer, expected) in cases {
        let found = judge(older, newer) == Relation::Contradiction;
        assert_eq!(found, expected, "{newer}");
    }
}

#[test]
fn another_type_is_never_joined() {
    let line = "Run the linter before every push";
    let learning = Statement::new(MemoryType::Learning, "convention", line, "");
    for other in [line, "Never run the linter before a push"] {
        assert_eq!(
            relate(&decision(other), &learning, UPDATE_OVERLAP).relation,
            Relation::Similar,
            "{other}"
        );
    }
}

#[test]
fn every_judgement_has_a_reason() {
    let older = decision("Use SQLite for the queue");
    let cases = [
        ("Use SQLite for the queue", "the words are the same"),
        (
            "Use Postgres for the queue",
            "an alternative is chosen for the same thing",
        ),
        ("Paint the door red", "they share next to nothing"),
    ];
    for (newer, expected) in cases {
        assert_eq!(
            relate(&older, &decision(newer), UPDATE_OVERLAP).reason,
            expected,
            "{newer}"
        );
    }
}

#[test]
fn relations_lead_back_from_their_names() {
    for name in ["same", "update", "contradiction", "similar", "unrelated"] {
        assert_eq!(Relation::from_name(name).map(Relation::name), Some(name));
    }
    assert_eq!(Relation::from_name("other"), None);
}

/// Prose with the words that steer reading, between words that mean nothing.
fn prose() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(vec![
            "use",
            "never",
            "not",
            "instead",
            "of",
            "for",
            "in",
            "SQLite",
            "Redis",
            "`--flag=1`",
            "src/lib.rs",
            "30s",
            "don't",
            "was",
            "removed",
            "moved",
            "from",
            "off",
            "below",
            "ten",
            ",",
            ".",
            ":",
            "—",
            "``",
            "PR",
            "enable",
            "disable",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
    ];
    prop::collection::vec(word, 0..24).prop_map(|words| words.join(" "))
}

fn kind() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["pitfall", "convention", "insight", "preference"])
}

proptest! {
    #[test]
    fn any_text_is_the_same_as_itself(title in "\\PC*", body in any::<String>(), kind in kind()) {
        let statement = Statement::new(MemoryType::Learning, kind, &title, &body);
        prop_assert_eq!(relate(&statement, &statement, UPDATE_OVERLAP).relation, Relation::Same);
    }

    #[test]
    fn contradiction_holds_both_ways(
        left in (prose(), prose()),
        right in (prose(), prose()),
        kind in kind(),
    ) {
        let left = Statement::new(MemoryType::Learning, kind, &left.0, &left.1);
        let right = Statement::new(MemoryType::Learning, kind, &right.0, &right.1);
        let forth = relate(&left, &right, UPDATE_OVERLAP);
        let back = relate(&right, &left, UPDATE_OVERLAP);
        prop_assert_eq!(
            forth.relation == Relation::Contradiction,
            back.relation == Relation::Contradiction,
            "{:?} / {:?}", forth, back
        );
        prop_assert_eq!(forth.overlap, back.overlap);
    }

    #[test]
    fn types_are_kept_apart(left in prose(), right in prose()) {
        let decision = Statement::new(MemoryType::Decision, "", &left, "");
        let learning = Statement::new(MemoryType::Learning, "pitfall", &right, "");
        let found = relate(&decision, &learning, UPDATE_OVERLAP).relation;
        prop_assert!(matches!(found, Relation::Similar | Relation::Unrelated));
    }

    #[test]
    fn nothing_is_unrelated_to_something(title in "[a-z]{1,9}( [a-z]{1,9}){0,9}") {
        let empty = Statement::new(MemoryType::Decision, "", "", "");
        let some = Statement::new(MemoryType::Decision, "", &title, "");
        prop_assert_eq!(relate(&empty, &some, UPDATE_OVERLAP).relation, Relation::Unrelated);
        prop_assert_eq!(relate(&some, &empty, UPDATE_OVERLAP).relation, Relation::Unrelated);
    }
}
