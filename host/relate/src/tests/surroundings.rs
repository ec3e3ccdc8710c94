//! Rules that share only their surrounding text are never joined.

use acreta_model::MemoryType;

use super::UPDATE_OVERLAP;
use crate::{Relation, Statement, relate};

const RULES: [&str; 21] = [
    "Run the tests with cargo nextest",
    "Public structs implement Debug",
    "Keep the README under 200 lines",
    "Ports below 3000 are reserved",
    "Show diffs side by side",
    "Name the reviewer in the commit",
    "Store all dates in UTC",
    "Never log request bodies",
    "Use British spelling in the docs",
    "Migrations are written by hand",
    "Icons live in packages/icons",
    "Prefer composition over inheritance",
    "Feature flags expire after 90 days",
    "Every endpoint has a rate limit",
    "Do not sleep in tests",
    "Backups are encrypted with age",
    "The CLI prints JSON by default",
    "Sign release tags with minisign",
    "Los commits se escriben en inglés",
    "Keine Geheimnisse in Tests",
    "变量名不要用拼音",
];

const AROUND: [&str; 5] = [
    "",
    "Please also add a line to NOTES.md about it.",
    "Edit NOTES.md and mention it there. Then run the linter and commit.",
    "The user said this while editing NOTES.md. It keeps the project consistent and easy to maintain.",
    "Decided in a session about NOTES.md. Rationale: avoids surprises for whoever reads NOTES.md next.",
];

#[test]
fn unrelated_rules_that_share_their_surroundings_are_not_joined() {
    let mut compared = 0;
    let mut joined = Vec::new();
    for around in AROUND {
        for repeats_itself in [false, true] {
            let statements = RULES.map(|rule| {
                let body = if repeats_itself {
                    format!("{rule}. {around}")
                } else {
                    around.to_owned()
                };
                Statement::new(MemoryType::Learning, "convention", rule, &body)
            });
            for (at, older) in statements.iter().enumerate() {
                for (place, newer) in statements
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| *place != at)
                {
                    compared += 1;
                    let judged = relate(older, newer, UPDATE_OVERLAP);
                    let is_joined = match judged.relation {
                        Relation::Similar | Relation::Unrelated => false,
                        Relation::Same | Relation::Update => true,
                        // Two rules that contradict each other without the surroundings may do so here.
                        Relation::Contradiction => {
                            let [older, newer] = [at, place].map(|rule| bare(RULES[rule]));
                            relate(&older, &newer, UPDATE_OVERLAP).relation != judged.relation
                        }
                    };
                    if is_joined {
                        joined.push((around, RULES[at], RULES[place], judged));
                    }
                }
            }
        }
    }
    assert!(compared >= 200, "{compared} pairs");
    assert!(joined.is_empty(), "{joined:#?}");
}

fn bare(rule: &str) -> Statement {
    Statement::new(MemoryType::Learning, "convention", rule, "")
}

#[test]
fn a_rule_said_again_in_the_same_surroundings_is_still_the_same() {
    let around = AROUND[2];
    let cases = [
        ("Run tests with cargo nextest", Relation::Same),
        ("Run the tests with bazel", Relation::Contradiction),
    ];
    for (rule, expected) in cases {
        let [older, newer] = ["Run the tests with cargo nextest", rule].map(|rule| {
            Statement::new(
                MemoryType::Learning,
                "convention",
                rule,
                &format!("{rule}. {around}"),
            )
        });
        let judged = relate(&older, &newer, UPDATE_OVERLAP);
        assert_eq!(judged.relation, expected, "{rule}: {judged:?}");
    }
}
