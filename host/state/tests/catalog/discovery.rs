//! Storing the results of discovery: files, their sessions, and which state of a session wins.

use acreta_state::{
    Archive, ArchiveKind, CatalogError, Discovery, FileOutcome, Finding, RecordedSession, Relation,
    SeenFile, SessionChange, TraceCursor,
};
use acreta_types::{Cursor, Session};

use crate::support::{NOW, TestCatalog, discovery, find, key, known, session, stamp};

#[test]
fn files_are_known_again_by_their_stamp() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let failed = Discovery {
        finding: Finding::Failed("line 3 is no JSON".to_owned()),
        ..discovery("/home/u/b.jsonl", 2, vec![])
    };
    let nothing = Discovery {
        finding: Finding::Nothing,
        ..discovery("/home/u/c.jsonl", 3, vec![])
    };
    let found = discovery("/home/u/a.jsonl", 1, vec![session("a", "r1", 1)]);
    let empty = discovery("/home/u/d.jsonl", 4, vec![]);
    catalog
        .record("claude", &[found, failed, nothing, empty], NOW)
        .unwrap();
    let other = discovery("/home/u/a.jsonl", 9, vec![]);
    catalog.record("codex", &[other], NOW).unwrap();

    let seen = catalog.seen_files("claude").unwrap();
    let expected = [
        ("/home/u/a.jsonl", 1, FileOutcome::Sessions),
        ("/home/u/b.jsonl", 2, FileOutcome::Failed),
        ("/home/u/c.jsonl", 3, FileOutcome::Nothing),
        ("/home/u/d.jsonl", 4, FileOutcome::Nothing),
    ];
    assert_eq!(seen.len(), expected.len());
    for (path, size, outcome) in expected {
        let stamp = stamp(size);
        assert_eq!(
            seen[path],
            SeenFile {
                stamp,
                outcome,
                seen_ms: NOW
            },
            "{path}"
        );
    }
    let failed = catalog.failed_files().unwrap();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0].path, "/home/u/b.jsonl");
    assert_eq!(failed[0].message, "line 3 is no JSON");
    assert_eq!(
        (failed[0].adapter.as_str(), failed[0].seen_ms),
        ("claude", NOW)
    );
}

#[test]
fn a_file_that_is_gone_takes_nothing_with_it() {
    let place = TestCatalog::new();
    let catalog = place.open();
    find(&catalog, "a", "r1", 1);
    find(&catalog, "b", "r1", 1);
    let archive = Archive {
        digest: "d1".to_owned(),
        kind: ArchiveKind::Raw,
        revision: "r1".to_owned(),
    };
    catalog
        .set_archived(&[(key("a"), archive.clone())])
        .unwrap();

    let paths = ["/home/u/a.jsonl", "/home/u/never-seen.jsonl"];
    assert_eq!(catalog.forget_files("claude", &paths, NOW + 5).unwrap(), 1);
    let gone = known(&catalog, "a");
    assert_eq!(gone.gone_ms, Some(NOW + 5));
    assert_eq!(gone.archive, Some(archive));
    assert_eq!(known(&catalog, "b").gone_ms, None);
    assert!(
        !catalog
            .seen_files("claude")
            .unwrap()
            .contains_key("/home/u/a.jsonl")
    );

    // The first time is kept.
    assert_eq!(catalog.forget_files("claude", &paths, NOW + 9).unwrap(), 0);
    assert_eq!(known(&catalog, "a").gone_ms, Some(NOW + 5));

    assert_eq!(find(&catalog, "a", "r1", 1), SessionChange::Same);
    let back = known(&catalog, "a");
    assert_eq!((back.gone_ms, back.first_seen_ms), (None, NOW));
    assert_eq!(catalog.seen_files("claude").unwrap().len(), 2);
}

#[test]
fn a_session_that_left_its_file_is_gone() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let record = |finding: Finding| {
        let found = Discovery {
            finding,
            ..discovery("/home/u/all.db", 1, vec![])
        };
        catalog.record("claude", &[found], NOW + 1).unwrap();
    };
    let both = vec![session("a", "r1", 1), session("b", "r1", 1)];
    record(discovery("", 1, both).finding);

    record(Finding::Failed("locked".to_owned()));
    assert_eq!(known(&catalog, "b").gone_ms, None);
    record(discovery("", 1, vec![session("a", "r2", 2)]).finding);
    assert_eq!(known(&catalog, "a").gone_ms, None);
    assert_eq!(known(&catalog, "b").gone_ms, Some(NOW + 1));
    record(Finding::Nothing);
    assert_eq!(known(&catalog, "a").gone_ms, Some(NOW + 1));
}

/// State of a session in one file: path, size, revision, last change.
type CopyState = (&'static str, u64, &'static str, u64);

#[test]
fn the_latest_state_of_a_session_counts() {
    let stored: CopyState = ("/home/u/one", 10, "r1", 100);
    let cases: [(&str, CopyState, SessionChange, CopyState); 9] = [
        ("again", stored, SessionChange::Same, stored),
        (
            "grown",
            ("/home/u/one", 20, "r2", 200),
            SessionChange::Changed,
            ("/home/u/one", 20, "r2", 200),
        ),
        // The session's own file wins in every case.
        (
            "rewritten",
            ("/home/u/one", 5, "r0", 50),
            SessionChange::Changed,
            ("/home/u/one", 5, "r0", 50),
        ),
        (
            "exact copy",
            ("/home/u/two", 10, "r1", 100),
            SessionChange::Same,
            stored,
        ),
        (
            "later copy",
            ("/home/u/two", 10, "r2", 101),
            SessionChange::Changed,
            ("/home/u/two", 10, "r2", 101),
        ),
        (
            "larger copy",
            ("/home/u/two", 11, "r2", 100),
            SessionChange::Changed,
            ("/home/u/two", 11, "r2", 100),
        ),
        (
            "earlier copy",
            ("/home/u/two", 99, "r0", 99),
            SessionChange::Older,
            stored,
        ),
        (
            "smaller copy",
            ("/home/u/two", 9, "r0", 100),
            SessionChange::Older,
            stored,
        ),
        (
            "twin",
            ("/home/u/two", 10, "r9", 100),
            SessionChange::Older,
            stored,
        ),
    ];
    for (name, found, change, after) in cases {
        let place = TestCatalog::new();
        let catalog = place.open();
        let record = |(path, size, revision, updated): CopyState| -> RecordedSession {
            let found = discovery(path, size, vec![session("a", revision, updated)]);
            catalog.record("claude", &[found], NOW).unwrap().remove(0)
        };
        assert_eq!(record(stored).change, SessionChange::New);
        let recorded = record(found);
        assert_eq!(
            (recorded.session, recorded.change),
            (key("a"), change),
            "{name}"
        );
        let known = known(&catalog, "a");
        let state = (
            known.file.as_str(),
            known.session.revision.as_str(),
            known.session.updated_ms,
        );
        assert_eq!(state, (after.0, after.2, Some(after.3)), "{name}");
        // The stored size, which later copies are compared with, is the new one too.
        let smaller = ("/home/u/three", after.1 - 1, "r-", after.3);
        assert_eq!(record(smaller).change, SessionChange::Older, "{name}");
    }
}

#[test]
fn a_copy_takes_over_from_a_file_that_is_gone() {
    for (revision, updated_ms, change, file) in [
        ("r1", 100, SessionChange::Same, "/home/u/b.jsonl"),
        ("r2", 100, SessionChange::Changed, "/home/u/b.jsonl"),
        ("r0", 99, SessionChange::Older, "/home/u/a.jsonl"),
    ] {
        let place = TestCatalog::new();
        let catalog = place.open();
        find(&catalog, "a", "r1", 100);
        let archive = Archive {
            digest: "d1".to_owned(),
            kind: ArchiveKind::Raw,
            revision: "r1".to_owned(),
        };
        catalog.set_archived(&[(key("a"), archive)]).unwrap();
        let gone = ["/home/u/a.jsonl"];
        catalog.forget_files("claude", &gone, NOW).unwrap();
        let copy = discovery(
            "/home/u/b.jsonl",
            10,
            vec![session("a", revision, updated_ms)],
        );
        let recorded = catalog.record("claude", &[copy], NOW).unwrap();
        assert_eq!(recorded[0].change, change, "{revision}");
        let known = known(&catalog, "a");
        assert_eq!(known.file, file, "{revision}");
        assert_eq!(
            known.gone_ms.is_some(),
            change == SessionChange::Older,
            "{revision}"
        );
    }
}

#[test]
fn a_cursor_belongs_to_its_file() {
    let place = TestCatalog::new();
    let catalog = place.open();
    find(&catalog, "a", "r1", 1);
    let cursor = TraceCursor {
        cursor: Cursor {
            offset: 7,
            state: vec![0, 255],
        },
        trace_bytes: 70,
        trace_events: 2,
        trace_digest: [7; 32],
    };
    catalog.set_cursor(&key("a"), Some(&cursor)).unwrap();
    let state = |size, revision: &str, updated_ms| {
        let session = session("a", revision, updated_ms);
        let found = discovery("/home/u/a.jsonl", size, vec![session]);
        catalog.record("claude", &[found], NOW).unwrap();
        known(&catalog, "a").cursor
    };
    assert_eq!(state(10, "r1", 1).as_ref(), Some(&cursor), "as it was");
    assert_eq!(state(11, "r2", 2).as_ref(), Some(&cursor), "grown");
    assert_eq!(state(11, "r3", 2), None, "rewritten");
    catalog.set_cursor(&key("a"), Some(&cursor)).unwrap();
    assert_eq!(state(10, "r4", 2), None, "shorter");
    catalog.set_cursor(&key("a"), Some(&cursor)).unwrap();

    let moved = discovery("/home/u/moved.jsonl", 10, vec![session("a", "r3", 3)]);
    catalog.record("claude", &[moved], NOW).unwrap();
    assert_eq!(known(&catalog, "a").cursor, None);

    catalog.set_cursor(&key("a"), Some(&cursor)).unwrap();
    catalog.set_cursor(&key("a"), None).unwrap();
    assert_eq!(known(&catalog, "a").cursor, None);
}

#[test]
fn a_session_is_kept_as_it_was_told() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let mut told = session("a", "r1", u64::MAX / 2);
    told.parent = Some("p".to_owned());
    told.attrs.push("relation", "fork");
    told.attrs.push("title", "Cut the \"quoted\" tail\u{0} off");
    told.attrs.push("branch", "main");
    let mut sparse = Session {
        project_dir: None,
        started_ms: None,
        updated_ms: None,
        ..session("b", "", 0)
    };
    sparse.attrs.push("relation", "unheard-of");
    let mut subagent = session("c", "r1", 1);
    subagent.attrs.push("relation", "subagent");
    let found = discovery(
        "/home/u/all",
        1,
        vec![told.clone(), sparse.clone(), subagent],
    );
    catalog.record("claude", &[found], NOW).unwrap();

    let known_a = known(&catalog, "a");
    assert_eq!(known_a.session, told);
    assert_eq!(known_a.relation, Relation::Fork);
    assert_eq!(known_a.title.as_deref(), told.attrs.get("title"));
    assert_eq!(
        (known_a.adapter.as_str(), known_a.root.as_str()),
        ("claude", "claude")
    );
    assert_eq!(known(&catalog, "b").session, sparse);
    assert_eq!(known(&catalog, "b").relation, Relation::None);
    assert_eq!(known(&catalog, "c").relation, Relation::Subagent);
}

#[test]
fn what_is_told_of_an_unknown_session_is_refused_whole() {
    let place = TestCatalog::new();
    let catalog = place.open();
    find(&catalog, "a", "r1", 1);
    let archive = Archive {
        digest: "d1".to_owned(),
        kind: ArchiveKind::Trace,
        revision: "r1".to_owned(),
    };
    let both = [(key("a"), archive.clone()), (key("x"), archive)];
    let error = catalog.set_archived(&both).unwrap_err();
    let CatalogError::UnknownSession { session } = error else {
        panic!("{error:?}");
    };
    assert_eq!(session, key("x"));
    assert_eq!(known(&catalog, "a").archive, None);
}
