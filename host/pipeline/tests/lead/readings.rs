//! Several readings of one session, by rules and by a model, complete and not: nothing that one of them proved is lost
//! by another.

use std::collections::BTreeSet;

use acreta_types::ModelUsage;
use proptest::prelude::*;

use crate::fakes::{ModelQuestion, Project, ScriptedSession};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReaderKind {
    Rules,
    /// A model should have been asked, but no request was answered.
    Failed,
    /// Some requests were answered.
    Partly,
    Model,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SessionGrowth {
    Young,
    Grown,
}

use ReaderKind::{Failed, Model, Partly, Rules};
use SessionGrowth::{Grown, Young};

type TitleAndBody = (&'static str, &'static str);

const BY_RULES: [TitleAndBody; 5] = [
    (
        "Tabs indent the makefiles",
        "Indent makefiles with tabs, nothing else.",
    ),
    (
        "Commits carry a ticket number",
        "Write the ticket number into every commit.",
    ),
    (
        "Staging resets on Sunday night",
        "Leave no data on staging over the weekend.",
    ),
    (
        "Fixtures live beside the parser",
        "Put new fixtures beside the parser they try.",
    ),
    (
        "Snapshots need a review",
        "Review each snapshot before accepting it.",
    ),
];

const BY_MODEL: [TitleAndBody; 4] = [
    (
        "Releases are signed with minisign",
        "Sign releases with minisign instead of GPG.",
    ),
    (
        "Postgres keeps the webhook jobs",
        "Webhook jobs live in Postgres, not in Redis.",
    ),
    (
        "Ask before adding dependencies",
        "No dependency is added without asking first.",
    ),
    (
        "The proxy occupies port 8080",
        "Port 8080 belongs to the proxy on build machines.",
    ),
];

/// Returns the number of events of a state; each statement cites the event with its index.
fn events(state: SessionGrowth) -> u64 {
    match state {
        Young => 3,
        Grown => 6,
    }
}

/// Returns the statements that a reading of a state gives.
fn found(reader: ReaderKind, state: SessionGrowth) -> &'static [TitleAndBody] {
    match (reader, state) {
        (Rules | Failed, Young) => &BY_RULES[..2],
        (Rules | Failed, Grown) => &BY_RULES,
        (Partly, Young) => &BY_MODEL[..1],
        (Partly, Grown) => &BY_MODEL[..2],
        (Model, Young) => &BY_MODEL[..2],
        (Model, Grown) => &BY_MODEL,
    }
}

fn usage(reader: ReaderKind) -> Option<ModelUsage> {
    let (output_tokens, failed) = match reader {
        Rules => return None,
        Failed => (0, 2),
        Partly => (50, 1),
        Model => (90, 0),
    };
    Some(ModelUsage {
        calls: 3,
        output_tokens,
        failed,
        problem: (failed > 0).then(|| "usage limit".to_owned()),
        problem_code: (failed > 0).then(|| "rate-limited".to_owned()),
        ..ModelUsage::default()
    })
}

fn read(project: &Project, reader: ReaderKind, state: SessionGrowth) -> acreta_pipeline::RunReport {
    let says = ScriptedSession {
        events: events(state),
        ..ScriptedSession::new("one", 1_000 + events(state), found(reader, state))
    };
    project.read(&says, usage(reader).as_ref())
}

fn titles(project: &Project) -> BTreeSet<String> {
    project.statements().into_keys().collect()
}

fn set(statements: &[TitleAndBody]) -> BTreeSet<String> {
    let titles = statements.iter().map(|(title, _)| (*title).to_owned());
    titles.collect()
}

#[test]
fn no_reading_takes_anything_back() {
    let rules = set(&BY_RULES[..2]);
    let new_by_rules = set(&BY_RULES[3..]);
    let model = set(&BY_MODEL[..2]);
    let both = |left: &BTreeSet<String>, right: &BTreeSet<String>| -> BTreeSet<String> {
        left.union(right).cloned().collect()
    };
    let part = set(&BY_MODEL[..1]);
    /// Readings in their order, and the memory afterwards.
    type Row<'a> = (&'a [(ReaderKind, SessionGrowth)], BTreeSet<String>);
    let table: [Row<'_>; 15] = [
        (&[(Rules, Young), (Model, Young)], both(&rules, &model)),
        (&[(Model, Young), (Rules, Young)], model.clone()),
        (&[(Model, Young), (Failed, Young)], model.clone()),
        (&[(Model, Young), (Partly, Young)], model.clone()),
        (
            &[(Model, Young), (Rules, Grown)],
            both(&model, &new_by_rules),
        ),
        (
            &[(Model, Young), (Failed, Grown), (Failed, Grown)],
            both(&model, &new_by_rules),
        ),
        (
            &[(Model, Young), (Rules, Grown), (Model, Grown)],
            both(&set(&BY_MODEL), &new_by_rules),
        ),
        (
            &[(Model, Young), (Rules, Grown), (Model, Young)],
            both(&model, &new_by_rules),
        ),
        (&[(Model, Grown), (Rules, Young)], set(&BY_MODEL)),
        (&[(Failed, Young), (Model, Young)], both(&rules, &model)),
        (&[(Rules, Young), (Failed, Young)], rules.clone()),
        (&[(Rules, Young), (Partly, Young)], both(&rules, &part)),
        (
            &[(Rules, Young), (Partly, Young), (Rules, Young)],
            both(&rules, &part),
        ),
        (
            &[(Rules, Young), (Partly, Young), (Model, Young)],
            both(&rules, &model),
        ),
        (&[(Rules, Young), (Rules, Grown)], set(&BY_RULES)),
    ];
    for (readings, expected) in table {
        let project = Project::new();
        for (reader, state) in readings {
            read(&project, *reader, *state);
        }
        assert_eq!(titles(&project), expected, "{readings:?}");
    }
}

#[test]
fn an_empty_or_failed_reply_archives_nothing() {
    let nothing = ScriptedSession::new("one", 1_003, &[]);
    for before in [Rules, Model] {
        for reader in [Failed, Partly, Model] {
            let project = Project::new();
            read(&project, before, Young);
            let report = project.read(&nothing, usage(reader).as_ref());
            assert_eq!(report.counts.archived, 0, "{reader:?} after {before:?}");
            assert_eq!(titles(&project), set(found(before, Young)));
            let reading = report.reading.unwrap();
            assert!(!reading.reading.complete, "{reader:?} after {before:?}");
        }
    }
    // Rules read every event, and what they do not find again stays as well.
    let project = Project::new();
    read(&project, Rules, Young);
    let report = project.read(&nothing, None);
    assert_eq!(report.counts.archived, 0);
    assert!(report.reading.unwrap().reading.complete);
    assert_eq!(titles(&project), set(&BY_RULES[..2]));
    // A model that finds nothing where nothing was found before has read everything.
    let project = Project::new();
    let report = project.read(&nothing, usage(Model).as_ref());
    assert!(report.reading.unwrap().reading.complete);
}

/// Unusable replies, through the interface that plugins use.
#[test]
fn an_unusable_reply_makes_the_reading_incomplete() {
    let asking = |content: &'static str| ModelQuestion {
        content,
        json_schema: Some("{}".to_owned()),
    };
    for (content, is_complete) in [
        ("{\"add\": []}", true),
        ("Here it is: {\"add\": []}", true),
        ("", false),
        ("   \n", false),
        ("I cannot help with that.", false),
        ("{\"add\": [", false),
    ] {
        let project = Project::new();
        let young = usage(Model).unwrap();
        let says = ScriptedSession::new("one", 1_003, found(Model, Young));
        project.read(&says, Some(&young));
        let fewer = ScriptedSession::new("one", 1_003, &BY_MODEL[..1]);
        let report = project.read_asking(&fewer, &young, &asking(content));
        assert_eq!(project.statements().len(), 2, "{content:?}");
        let reading = report.reading.unwrap();
        assert_eq!(reading.reading.complete, is_complete, "{content:?}");
        let code = reading.code.as_deref();
        assert_eq!(
            code,
            (!is_complete).then_some("invalid-reply"),
            "{content:?}"
        );
    }
}

#[test]
fn a_reading_says_who_read_and_what_stays() {
    let project = Project::new();
    let report = read(&project, Failed, Young);
    let reading = report.reading.unwrap();
    let json = serde_json::to_value(&reading).unwrap();
    let expected = serde_json::json!({
        "strength": "rules", "reader": "rules", "complete": false,
        "code": "rate-limited", "reason": "usage limit",
    });
    assert_eq!(json, expected);
    let report = read(&project, Model, Young);
    assert_eq!(report.reading.unwrap().reading.reader, "script/one");
    let before = project.bytes();
    let report = read(&project, Rules, Young);
    let note = report.note.unwrap();
    assert!(
        note.contains("script/one read this session already"),
        "{note}"
    );
    let stays = report.reading.unwrap().yields_to.unwrap();
    assert_eq!(stays.reader, "script/one");
    assert_eq!(project.bytes(), before, "not a byte changes");
}

#[test]
fn the_reading_travels_with_the_repository() {
    let project = Project::new();
    read(&project, Model, Young);
    for memory in project.memories() {
        let contributions = memory.evidence.unwrap().contributions;
        for one in contributions {
            let reading = one.reading.unwrap();
            assert_eq!(reading.reader, "script/one", "{}", memory.id);
            assert!(reading.complete);
        }
    }
}

/// A complete reading that says the same as an incomplete one is remembered as the one that counts.
#[test]
fn a_stronger_reading_with_the_same_words_counts() {
    let project = Project::new();
    for (reader, state) in [(Failed, Young), (Rules, Young), (Failed, Grown)] {
        read(&project, reader, state);
    }
    let bytes = project.bytes();
    read(&project, Failed, Grown);
    assert_eq!(project.bytes(), bytes, "not a byte changes");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn what_a_reading_proved_stays(
        readings in proptest::collection::vec(
            (
                prop_oneof![Just(Rules), Just(Failed), Just(Partly), Just(Model)],
                prop_oneof![Just(Young), Just(Grown)],
            ),
            1..7,
        )
    ) {
        let project = Project::new();
        let mut newest: Option<SessionGrowth> = None;
        for (reader, state) in &readings {
            let before = titles(&project);
            let is_taken = read(&project, *reader, *state).note.is_none();
            let after = titles(&project);
            newest = newest.max(Some(*state));
            prop_assert!(before.is_subset(&after), "{readings:?}: {before:?} {after:?}");
            if *reader == Model {
                prop_assert!(is_taken || newest > Some(*state), "{readings:?}");
                let found = set(found(Model, *state));
                prop_assert!(!is_taken || found.is_subset(&after), "{readings:?}: {after:?}");
            }
            let bytes = project.bytes();
            read(&project, *reader, *state);
            prop_assert!(project.bytes() == bytes, "{readings:?}: read again");
            let summaries = project.memories().into_iter().filter(|memory| {
                memory.memory_type == acreta_types::MemoryType::Summary
            });
            prop_assert_eq!(summaries.count(), 1);
        }
    }
}
