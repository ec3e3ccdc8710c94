//! Properties that hold for any weights: clear cases here, other answers to the same question in `answers`, symmetry
//! and arbitrary texts in `properties`.

mod answers;
mod properties;
mod surroundings;

use acreta_model::MemoryType;

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
fn titles_and_bodies_together() {
    let nextest = (
        "Run the tests with cargo nextest",
        "Plain `cargo test` is too slow here; use cargo nextest.",
    );
    let nextest_short = (
        "Run tests with cargo nextest",
        "Plain `cargo test` is too slow; use cargo nextest.",
    );
    let squash = (
        "Always squash commits before merging",
        "Squash commits before merging into main.",
    );
    let never_squash = (
        "Never squash commits before merging",
        "Never squash commits before merging into main.",
    );
    let port = ("Port 8080 is taken on the build machine", "");
    let always_nextest =
        "Always run `cargo nextest run` instead of `cargo test`, it is three times faster here.";
    let always_nextest_colon =
        "Always run `cargo nextest run` instead of `cargo test`: three times faster here.";
    let cases = [
        (
            "a part of it",
            port,
            ("port 8080 is taken", ""),
            Relation::Same,
        ),
        (
            "one sentence more",
            (
                "Restart the broker after a deploy",
                "The broker keeps old routes.",
            ),
            (
                "Restart the broker after a deploy",
                "The broker keeps old routes. Drain it by `brokerctl drain` first.",
            ),
            Relation::Update,
        ),
        ("fewer small words", nextest, nextest_short, Relation::Same),
        ("more small words", nextest_short, nextest, Relation::Same),
        (
            "always and never",
            squash,
            never_squash,
            Relation::Contradiction,
        ),
        (
            "never and always",
            never_squash,
            squash,
            Relation::Contradiction,
        ),
        (
            "two traits of one command",
            (
                "Docker COPY keeps the file modes of the host",
                "Set modes with COPY --chmod in the Dockerfile.",
            ),
            (
                "Docker COPY follows no links of the host",
                "Links are copied as links by COPY in the Dockerfile.",
            ),
            Relation::Similar,
        ),
        (
            "two places in one tree",
            (
                "Retries are configured in src/retry.rs",
                "The budget is in src/retry.rs.",
            ),
            (
                "The queue lives in src/queue.rs",
                "See `claim_next_job` in src/queue.rs.",
            ),
            Relation::Similar,
        ),
        (
            "a clause joined otherwise",
            (always_nextest, ""),
            (always_nextest_colon, ""),
            Relation::Same,
        ),
        (
            "a clause joined otherwise, in the body",
            ("Use nextest", always_nextest),
            ("Use nextest", always_nextest_colon),
            Relation::Same,
        ),
    ];
    for memory_type in [MemoryType::Decision, MemoryType::Learning] {
        for (name, older, newer, expected) in cases {
            let older = Statement::new(memory_type, "convention", older.0, older.1);
            let newer = Statement::new(memory_type, "convention", newer.0, newer.1);
            let judgement = relate(&older, &newer, UPDATE_OVERLAP);
            assert_eq!(judgement.relation, expected, "{name}: {judgement:?}");
        }
    }
}

#[test]
fn two_denials_are_none() {
    let cases = [
        (
            "Never merge to main without a review",
            "Merge to main with a review",
            false,
        ),
        (
            "The importer fails without the lock file",
            "The importer works with the lock file",
            false,
        ),
        (
            "Without the lock file, the importer fails",
            "The importer fails without the lock file",
            false,
        ),
        (
            "The importer fails without the lock file",
            "The importer does not fail without the lock file",
            true,
        ),
        (
            "Force pushes to main are forbidden",
            "Force pushes to main are not forbidden",
            true,
        ),
        (
            "Force pushes to main are forbidden",
            "Force pushes to main are not allowed",
            false,
        ),
        (
            "Force pushes to main are forbidden",
            "Force pushes to main are allowed",
            true,
        ),
        (
            "The user prefers early returns to nested ifs",
            "The user prefers early returns over nested ifs",
            false,
        ),
        (
            "Public headers include no private headers",
            "Public headers: no private headers are included",
            false,
        ),
    ];
    for (left, right, expected) in cases {
        for (older, newer) in [(left, right), (right, left)] {
            let found = judge(older, newer) == Relation::Contradiction;
            assert_eq!(found, expected, "{older} / {newer}");
        }
    }
}

#[test]
fn another_type_is_never_joined_but_may_be_contradicted() {
    let line = "Run the linter before every push";
    let learning = Statement::new(MemoryType::Learning, "convention", line, "");
    let rules = [
        (line, Relation::Similar),
        (
            "Never run the linter before a push",
            Relation::Contradiction,
        ),
    ];
    for (other, expected) in rules {
        assert_eq!(
            relate(&decision(other), &learning, UPDATE_OVERLAP).relation,
            expected,
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
