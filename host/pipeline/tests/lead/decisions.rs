//! Combined result of several sessions, in whatever order they are run.

use acreta_pipeline::{Note, NoteSource};
use acreta_store::{Status, Trust};

use crate::fakes::{Project, ScriptedSession};

const PORT: (&str, &str) = (
    "Port 8080 is taken on the build machine",
    "Use 8090 for the test server.",
);
const PORT_MORE: (&str, &str) = (
    "Port 8080 is taken on the build machine",
    "Use 8090 for the test server. The proxy holds 8080.",
);
const KEPT: (&str, &str) = (
    "Build artifacts are kept for 15 days",
    "Delete build artifacts after 15 days.",
);
const KEPT_LONGER: (&str, &str) = (
    "Build artifacts are kept for 30 days",
    "Delete build artifacts after 30 days.",
);

#[test]
fn sessions_in_any_order_give_the_same_memory() {
    let sessions = [
        ScriptedSession::new("one", 10, &[PORT, KEPT]),
        ScriptedSession::new("two", 20, &[PORT_MORE]),
        ScriptedSession::new("three", 30, &[KEPT_LONGER]),
    ];
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut expected = None;
    for order in orders {
        let project = Project::new();
        for index in order {
            project.run(&sessions[index]);
        }
        let statements = project.statements();
        assert_eq!(statements.len(), 2, "{order:?}: {statements:?}");
        assert!(
            statements.keys().any(|title| title == KEPT_LONGER.0),
            "{order:?}: {statements:?}"
        );
        assert_eq!(
            expected.get_or_insert(statements.clone()),
            &statements,
            "{order:?}"
        );
    }
}

#[test]
fn a_contradiction_replaces_in_place_and_is_recorded() {
    let project = Project::new();
    project.run(&ScriptedSession::new("one", 10, &[KEPT]));
    let report = project.run(&ScriptedSession::new("two", 20, &[KEPT_LONGER]));
    assert_eq!(report.counts.update, 1);
    let snapshot = project.load();
    let memory = snapshot
        .memories
        .iter()
        .find(|memory| memory.title() == KEPT_LONGER.0)
        .unwrap();
    assert_eq!(memory.state.as_ref().unwrap().supersedes, [KEPT.0]);
    assert_eq!(memory.evidence.as_ref().unwrap().contributions.len(), 2);
}

/// A session grows, is compacted or is rewritten by its agent: it does not unsay what it proved.
#[test]
fn a_session_that_no_longer_says_it_takes_nothing_back() {
    let project = Project::new();
    project.run(&ScriptedSession::new("one", 10, &[PORT, KEPT]));
    let before = project.statements();
    for (events, says) in [(9, &[][..]), (12, &[PORT]), (15, &[("? Not sure", "No.")])] {
        let report = project.run(&ScriptedSession {
            events,
            ..ScriptedSession::new("one", 20 + events, says)
        });
        assert_eq!(report.counts.archived, 0, "{says:?}");
        assert_eq!(project.statements(), before, "{says:?}");
        let related = project.by_title(KEPT.0).evidence.unwrap();
        assert_eq!(related.contributions.len(), 1, "{says:?}");
    }
}

/// Words that only a tool has by now stay the person's.
#[test]
fn a_rewritten_session_does_not_lower_the_trust() {
    let project = Project::new();
    let said = ScriptedSession {
        kind: "pitfall",
        ..ScriptedSession::new("one", 10, &[PORT])
    };
    project.run(&said);
    assert_eq!(project.by_title(PORT.0).trust(), Trust::Grounded);
    project.run(&ScriptedSession {
        role: "tool",
        events: 9,
        at_ms: 40,
        ..said
    });
    let memory = project.by_title(PORT.0);
    assert_eq!(memory.trust(), Trust::Grounded);
    assert_eq!(memory.evidence.unwrap().contributions.len(), 1);
}

/// A later word in the same session counts.
#[test]
fn a_session_that_changes_its_mind_is_followed() {
    let project = Project::new();
    project.run(&ScriptedSession::new("one", 10, &[KEPT]));
    project.run(&ScriptedSession {
        events: 9,
        ..ScriptedSession::new("one", 30, &[KEPT_LONGER])
    });
    let titles: Vec<String> = project.statements().into_keys().collect();
    assert_eq!(titles, [KEPT_LONGER.0]);
}

/// An edit by hand is never overwritten and never archived: both become proposals.
#[test]
fn a_person_holds_what_a_person_edited() {
    let project = Project::new();
    project.run(&ScriptedSession::new("one", 10, &[PORT]));
    let snapshot = project.load();
    let memory = snapshot
        .memories
        .iter()
        .find(|memory| memory.title() == PORT.0)
        .unwrap();
    let file = project.layout().memory_root().join(&memory.path);
    let edited = memory.text.replace("Use 8090", "Use 8095, not 8090,");
    #[expect(
        clippy::disallowed_methods,
        reason = "a person's editor does not go through the store"
    )]
    std::fs::write(&file, &edited).unwrap();
    let report = project.run(&ScriptedSession::new("two", 20, &[PORT_MORE]));
    assert_eq!((report.counts.update, report.counts.no_op), (0, 1));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
    let after = project.load();
    let held = after
        .memories
        .iter()
        .find(|held| held.id == memory.id)
        .unwrap();
    assert_eq!(held.state.as_ref().unwrap().proposals.len(), 1);
    // Neither session says it any longer: the person's text stays.
    for session in ["one", "two"] {
        project.run(&ScriptedSession {
            events: 9,
            ..ScriptedSession::new(session, 40, &[])
        });
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
}

#[test]
fn tool_output_alone_is_untrusted_and_sets_no_convention() {
    let project = Project::new();
    let mut says = ScriptedSession::new("one", 10, &[PORT]);
    says.role = "tool";
    let report = project.run(&says);
    assert_eq!(report.counts.add, 0, "nothing is worth keeping");
    says.kind = "pitfall";
    project.run(&says);
    let snapshot = project.load();
    let memory = snapshot
        .memories
        .iter()
        .find(|memory| memory.title() == PORT.0)
        .unwrap();
    assert_eq!(memory.trust(), Trust::Untrusted);
}

#[test]
fn explorers_fan_out_by_the_number_of_candidates() {
    let many: [(&str, &str); 12] = [
        ("alpha one", "first body"),
        ("beta two", "second text"),
        ("gamma three", "third words"),
        ("delta four", "fourth line"),
        ("epsilon five", "fifth part"),
        ("zeta six", "sixth piece"),
        ("eta seven", "seventh bit"),
        ("theta eight", "eighth scrap"),
        ("iota nine", "ninth note"),
        ("kappa ten", "tenth item"),
        ("lambda eleven", "eleventh thing"),
        ("mu twelve", "twelfth matter"),
    ];
    for (candidates, expected) in [(0, 0), (1, 1), (4, 1), (5, 2), (12, 2)] {
        let report = Project::new().run(&ScriptedSession::new("one", 10, &many[..candidates]));
        assert_eq!(
            report.metrics.explorer_fan_out, expected,
            "{candidates} candidates"
        );
    }
}

#[test]
fn a_later_word_on_the_same_subject_supersedes() {
    // The earlier statement, and the later one: a preference or a decision may revoke a convention.
    let table = [
        (
            (
                "The test server listens on port 8080",
                "Agreed in the review.",
            ),
            (
                "The test server listens on port 9090 instead of 8080",
                "Agreed in the review.",
            ),
        ),
        (KEPT, KEPT_LONGER),
    ];
    for (older, newer) in table {
        for kind in ["convention", "preference", ""] {
            let project = Project::new();
            project.run(&ScriptedSession::new("one", 10, &[older]));
            project.run(&ScriptedSession {
                kind,
                ..ScriptedSession::new("two", 20, &[newer])
            });
            assert_eq!(in_use(&project), [newer.0], "{kind}");
        }
    }
}

#[test]
fn unrelated_rules_with_the_same_task_stay_apart() {
    const RULES: [&str; 10] = [
        "Run the tests with cargo nextest",
        "Public structs implement Debug",
        "Keep the README under 200 lines",
        "Ports below 3000 are reserved",
        "Show diffs side by side",
        "Store all dates in UTC",
        "Never log request bodies",
        "Migrations are written by hand",
        "Feature flags expire after 90 days",
        "Sign release tags with minisign",
    ];
    let sessions = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"];
    let project = Project::new();
    for ((at_ms, rule), session) in (10..).zip(RULES).zip(sessions) {
        let body = "Then edit NOTES.md and add a line about what we agreed on.";
        project.run(&ScriptedSession::new(session, at_ms, &[(rule, body)]));
    }
    let titles: Vec<String> = project.statements().into_keys().collect();
    let mut expected = RULES.map(ToOwned::to_owned);
    expected.sort();
    assert_eq!(titles, expected);
}

/// An explorer's opinion decides how texts relate; the host decides who may replace whose words.
#[test]
fn an_explorers_opinion_counts_within_bounds() {
    const HAND: (&str, &str) = (
        "Releases are tagged by hand",
        "Whoever releases tags by hand.",
    );
    const ROBOT: (&str, &str) = (
        "The robot does the release tags",
        "It tags what main builds.",
    );
    let table = [
        // Columns: opinion, role of the later speaker, active memories afterwards.
        (None, "user", vec![HAND.0, ROBOT.0]),
        (Some("contradiction"), "user", vec![ROBOT.0]),
        (Some("contradiction"), "tool", vec![HAND.0, ROBOT.0]),
        (Some("same"), "user", vec![ROBOT.0]),
        // A tool's text adds evidence, but no text.
        (Some("same"), "tool", vec![HAND.0]),
        (Some("unrelated"), "user", vec![HAND.0, ROBOT.0]),
        (Some("whatever"), "user", vec![HAND.0, ROBOT.0]),
        // The newer text would replace the older one, and contains almost nothing of it.
        (Some("update"), "user", vec![HAND.0, ROBOT.0]),
    ];
    for (relation, role, expected) in table {
        let project = Project::new();
        project.run(&ScriptedSession::new("one", 10, &[HAND]));
        project.run(&ScriptedSession {
            relation,
            role,
            // A tool cannot establish conventions.
            kind: if role == "tool" {
                "pitfall"
            } else {
                "convention"
            },
            ..ScriptedSession::new("two", 20, &[ROBOT])
        });
        assert_eq!(in_use(&project), expected, "{relation:?} by {role}");
        // An older session that is read later replaces nothing.
        let project = Project::new();
        project.run(&ScriptedSession::new("one", 30, &[HAND]));
        project.run(&ScriptedSession {
            relation: Some("contradiction"),
            ..ScriptedSession::new("two", 20, &[ROBOT])
        });
        assert_eq!(in_use(&project), [HAND.0, ROBOT.0]);
    }
}

#[test]
fn words_that_are_alike_stay_two_memories_where_an_explorer_says_so() {
    const ORDERS: (&str, &str) = (
        "Use PostgreSQL for orders",
        "Orders live in PostgreSQL, because reports join them with customers and invoices.",
    );
    const MORE: (&str, &str) = (
        "Use PostgreSQL for orders",
        "Orders live in PostgreSQL, because reports join them with customers and invoices. Version 16.",
    );
    for (relation, expected) in [(None, 1), (Some("unrelated"), 2)] {
        let project = Project::new();
        project.run(&ScriptedSession::new("one", 10, &[ORDERS]));
        project.run(&ScriptedSession {
            relation,
            ..ScriptedSession::new("two", 20, &[MORE])
        });
        assert_eq!(in_use(&project).len(), expected, "{relation:?}");
    }
}

#[test]
fn what_a_person_holds_is_not_replaced_on_an_explorers_word() {
    let project = Project::new();
    let mut writable = project.writable(5);
    let note = Note {
        memory_type: acreta_types::MemoryType::Learning,
        kind: "convention".to_owned(),
        title: "Releases are tagged by hand".to_owned(),
        body: "Whoever releases tags by hand.".to_owned(),
        tags: Vec::new(),
        confidence: 0.9,
        at_ms: None,
        quote: "tag by hand".to_owned(),
        place: String::new(),
    };
    writable
        .remember(vec![note], &NoteSource::Person, false)
        .unwrap();
    drop(writable);
    project.run(&ScriptedSession {
        relation: Some("contradiction"),
        ..ScriptedSession::new(
            "two",
            20,
            &[(
                "The robot does the release tags",
                "It tags what main builds.",
            )],
        )
    });
    let titles = in_use(&project);
    assert_eq!(titles.len(), 2, "{titles:?}");
    let snapshot = project.load();
    let held = snapshot
        .memories
        .iter()
        .find(|one| one.title() == "Releases are tagged by hand");
    let proposals = &held.unwrap().state.as_ref().unwrap().proposals;
    assert_eq!(proposals.len(), 1);
    assert_eq!(
        proposals[0].reason,
        "a session says otherwise: The robot does the release tags"
    );
}

#[test]
fn a_file_of_the_person_that_is_also_an_agents_memory_stays_the_persons() {
    let project = Project::new();
    let rule = || Note {
        memory_type: acreta_types::MemoryType::Learning,
        kind: "convention".to_owned(),
        title: "Names of tables are plural".to_owned(),
        body: "Names of tables are plural.".to_owned(),
        tags: Vec::new(),
        confidence: 0.8,
        at_ms: Some(10),
        quote: "Names of tables are plural.".to_owned(),
        place: String::new(),
    };
    let name = || "rules/tables.md".to_owned();
    for source in [NoteSource::File(name()), NoteSource::AgentMemory(name())] {
        let mut writable = project.writable(20);
        writable.remember(vec![rule()], &source, false).unwrap();
    }
    let memories = project.memories();
    assert_eq!(memories.len(), 1);
    assert_eq!(memories[0].trust(), Trust::Grounded);
}

/// Returns titles of active memories, sorted, without summaries.
fn in_use(project: &Project) -> Vec<String> {
    let memories = project.memories().into_iter();
    let mut titles: Vec<String> = memories
        .filter(|memory| memory.memory_type != acreta_types::MemoryType::Summary)
        .filter(|memory| {
            let state = memory.state.as_ref();
            !memory.is_archived() && state.is_none_or(|state| state.status == Status::Active)
        })
        .map(|memory| memory.title().to_owned())
        .collect();
    titles.sort();
    titles
}
