//! Properties of any text: a text is the same as itself, a contradiction is symmetric, and types are kept apart.

use acreta_model::MemoryType;
use proptest::prelude::*;

use super::UPDATE_OVERLAP;
use crate::{Relation, Statement, relate};

/// Prose with cue words between words without a meaning.
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
