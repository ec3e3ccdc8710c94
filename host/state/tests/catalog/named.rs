//! Files that a person named never represent an agent's session.

use acreta_state::{Archive, ArchiveKind, SessionState};
use acreta_state::{
    Catalog, Discovery, Finding, KnownSession, NamedRun, NewReading, ProjectId, Retry,
    SessionChange, TraceCursor,
};
use acreta_types::{Cursor, Reading};

use crate::support::{
    NOW, TestCatalog, begin, claim, discovery, find, key, known, project, session, wanted,
};

pub(crate) const COPY: &str = "/tmp/copy.jsonl";

fn cursor(offset: u64) -> TraceCursor {
    TraceCursor {
        cursor: Cursor {
            offset,
            state: Vec::new(),
        },
        trace_bytes: offset,
        trace_events: 1,
        trace_digest: [7; 32],
    }
}

/// Runs a named file that holds session `a` in a project.
pub(crate) fn run(
    catalog: &Catalog,
    path: &str,
    revision: &str,
    project: ProjectId,
) -> KnownSession {
    let named = NamedRun {
        adapter: "claude".to_owned(),
        path: path.into(),
        session: session("a", revision, 900),
        project,
        cursor: Some(cursor(9)),
        reading: NewReading {
            revision: revision.to_owned(),
            reading: Reading::by_rules(),
            could_ask: true,
            run_id: "run-1".to_owned(),
            waits: None,
            yields: false,
        },
    };
    catalog.record_named(&named, NOW).unwrap();
    known(catalog, "a")
}

#[test]
fn a_copy_changes_nothing_of_a_session_that_is_known() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (own, other) = (
        project(&catalog, "/src/own"),
        project(&catalog, "/src/other"),
    );
    find(&catalog, "a", "r1", 1);
    catalog.assign(&[(key("a"), Some(own))]).unwrap();
    let before = known(&catalog, "a");
    assert_eq!(before.state, SessionState::New);

    assert_eq!(run(&catalog, COPY, "r9", other), before);
    assert!(!catalog.seen_files("claude").unwrap().contains_key(COPY));
    // Not even a file in the same state: the session's own project has nothing of it.
    assert_eq!(run(&catalog, COPY, "r1", other), before);
    catalog.enqueue(&wanted("a", own, "r1"), NOW).unwrap();
    let queued = run(&catalog, COPY, "r1", other);
    assert_eq!(queued.state, SessionState::Queued);

    // In its own project the same state counts as done, and another does not.
    assert_eq!(run(&catalog, COPY, "r9", own).state, SessionState::Queued);
    let done = run(&catalog, COPY, "r1", own);
    assert_eq!(
        (done.state, done.ran_project),
        (SessionState::Done, Some(own))
    );
    assert_eq!((done.file, done.cursor), (before.file.clone(), None));
    assert_eq!(find(&catalog, "a", "r2", 2), SessionChange::Changed);
    assert_eq!(known(&catalog, "a").state, SessionState::New);
    // Its own file may be named as well; reading then continues where that run stopped.
    let own_file = run(&catalog, before.file.as_str(), "r2", own);
    assert_eq!(own_file.cursor, Some(cursor(9)));
    assert_eq!(own_file.state, SessionState::Done);
}

#[test]
fn the_agents_own_file_takes_over_from_a_named_one() {
    for (revision, ran_in_own, state) in [
        ("r1", true, SessionState::Done),
        ("r1", false, SessionState::New),
        ("r0", true, SessionState::New),
    ] {
        let place = TestCatalog::new();
        let catalog = place.open();
        let (own, other) = (
            project(&catalog, "/src/own"),
            project(&catalog, "/src/other"),
        );
        let named = run(&catalog, COPY, "r1", if ran_in_own { own } else { other });
        assert_eq!(named.state, SessionState::Done);
        assert_eq!(named.file, COPY);

        // However old and small the agent's file is.
        find(&catalog, "a", revision, 1);
        let found = known(&catalog, "a");
        assert_eq!(found.file, "/home/u/a.jsonl");
        assert_eq!((found.project, found.cursor), (None, None));
        catalog.assign(&[(key("a"), Some(own))]).unwrap();
        assert_eq!(known(&catalog, "a").state, state, "{revision} {ran_in_own}");
    }
}

#[test]
fn a_copy_counts_once_a_session_is_gone_and_was_never_archived() {
    for is_archived in [false, true] {
        let place = TestCatalog::new();
        let catalog = place.open();
        find(&catalog, "a", "r5", 500);
        if is_archived {
            let archive = Archive {
                digest: "d".to_owned(),
                kind: ArchiveKind::Raw,
                revision: "r5".to_owned(),
            };
            catalog.set_archived(&[(key("a"), archive)]).unwrap();
        }
        let gone = ["/home/u/a.jsonl"];
        catalog.forget_files("claude", &gone, NOW).unwrap();
        let older = discovery("/home/u/older.jsonl", 3, vec![session("a", "r3", 300)]);
        catalog.record("claude", &[older], NOW).unwrap();
        let known = known(&catalog, "a");
        assert_eq!(known.gone_ms.is_some(), is_archived);
    }
}

#[test]
fn a_purged_session_is_passed_over_until_a_person_names_it() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let own = project(&catalog, "/src/own");
    find(&catalog, "a", "r1", 1);
    find(&catalog, "b", "r1", 1);
    catalog.purge_session(&key("a")).unwrap();
    place.assert_no_byte_of("a.jsonl");
    // Its file is still there, and grows.
    for (revision, bytes) in [("r1", 1), ("r2", 2)] {
        let found = vec![session("a", revision, bytes)];
        let again = discovery("/home/u/a.jsonl", bytes, found);
        assert_eq!(catalog.record("claude", &[again], NOW).unwrap(), []);
        assert!(catalog.session(&key("a")).unwrap().is_none());
    }
    assert_eq!(place.count("sessions"), 1);
    run(&catalog, COPY, "r2", own);
    let found = vec![session("a", "r3", 3)];
    let again = discovery("/home/u/a.jsonl", 3, found);
    assert_eq!(catalog.record("claude", &[again], NOW).unwrap().len(), 1);
}

#[test]
fn ids_and_messages_are_stored_without_their_secrets() {
    const SECRET: &str = "ghp_x7Kq2mZ9vT4bR8nW1cY6dF3gH5jL0pSaQeUi";
    let place = TestCatalog::new();
    let catalog = place.open();
    let own = project(&catalog, "/src/own");
    let (one, two) = (format!("1-{SECRET}"), format!("2-{SECRET}"));
    let (first, second) = (key(&one), key(&two));
    assert_ne!(first, second);
    assert_eq!(first, key(&first.id), "replaced once");
    find(&catalog, &first.id, "r1", 1);
    let failed = Discovery {
        finding: Finding::Failed(format!("it broke at {SECRET}")),
        ..discovery("/home/u/broken.jsonl", 1, Vec::new())
    };
    catalog.record("claude", &[failed], NOW).unwrap();
    catalog.enqueue(&wanted(&first.id, own, "r1"), NOW).unwrap();
    let lease = claim(&catalog, NOW).unwrap();
    begin(&catalog, &lease);
    let message = format!("the plugin said {SECRET}");
    catalog.fail(&lease, &message, Retry::Never, NOW).unwrap();
    run(&catalog, &format!("/tmp/{SECRET}.jsonl"), "r1", own);
    drop(catalog);
    place.assert_no_byte_of(SECRET);
}
