//! Sessions: lookup, list, counts, purge.

use acreta_state::{
    Archive, ArchiveKind, Catalog, Enqueued, Lookup, ProjectId, Purged, Retry, SessionCount,
    SessionFilter, SessionKey, SessionState, TaskState,
};

use crate::support::{
    NOW, TestCatalog, all_jobs, begin, claim, complete, discovery, enqueue, find, job, key, known,
    project, session, wanted,
};

#[test]
fn a_session_is_found_by_the_beginning_of_its_id() {
    let place = TestCatalog::new();
    let catalog = place.open();
    for id in ["abc", "abcd", "abx", "q_1", "q%1"] {
        find(&catalog, id, "r1", 1);
    }
    let mut twin = session("abx", "r1", 1);
    twin.agent = "codex".to_owned();
    catalog
        .record("codex", &[discovery("/home/u/twin", 1, vec![twin])], NOW)
        .unwrap();

    let cases: [(&str, &[&str]); 8] = [
        ("abcd", &["claude/abcd"]),
        // Exact match, although others start with it.
        ("abc", &["claude/abc"]),
        (
            "ab",
            &["claude/abc", "claude/abcd", "claude/abx", "codex/abx"],
        ),
        ("abx", &["claude/abx", "codex/abx"]),
        ("q%", &["claude/q%1"]),
        ("q_", &["claude/q_1"]),
        ("ABC", &[]),
        ("abcde", &[]),
    ];
    for (prefix, expected) in cases {
        let found = match catalog.find_session(prefix).unwrap() {
            Lookup::Missing => vec![],
            Lookup::One(known) => vec![known.key().to_string()],
            Lookup::Ambiguous(several) => {
                assert!(several.len() > 1);
                several
                    .iter()
                    .map(|known| known.key().to_string())
                    .collect()
            }
        };
        assert_eq!(found, expected, "{prefix}");
    }
    for number in 0..20 {
        find(&catalog, &format!("many-{number}"), "r1", 1);
    }
    let Lookup::Ambiguous(several) = catalog.find_session("many").unwrap() else {
        panic!("not ambiguous");
    };
    assert_eq!(several.len(), 10);
}

/// One session in every state: `w` waits, `n` is new, `q` queued, `r` running, `d` done, `f` failed.
fn one_of_each(catalog: &Catalog) -> ProjectId {
    let app = project(catalog, "/src/app");
    let never = project(catalog, "/src/other");
    for (id, updated_ms) in [("d", 60), ("f", 50), ("r", 40)] {
        enqueue(catalog, id, app, "r1", updated_ms);
    }
    complete(catalog, &claim(catalog, NOW).unwrap());
    let failing = claim(catalog, NOW).unwrap();
    catalog.fail(&failing, "no", Retry::Never, NOW).unwrap();
    assert_eq!(claim(catalog, NOW).unwrap().session, key("r"));
    enqueue(catalog, "q", app, "r1", 30);
    find(catalog, "n", "r1", 20);
    find(catalog, "w", "r1", 10);
    let assigned = ["d", "f", "r", "q", "n"].map(|id| (key(id), Some(app)));
    catalog.assign(&assigned).unwrap();
    catalog.assign(&[(key("w"), Some(never))]).unwrap();
    catalog.unregister("/src/other".into(), NOW).unwrap();
    app
}

#[test]
fn sessions_are_listed_newest_first_by_what_is_asked() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = one_of_each(&catalog);
    let mut other = session("o", "r1", 45);
    other.agent = "codex".to_owned();
    catalog
        .record("codex", &[discovery("/home/u/o", 1, vec![other])], NOW)
        .unwrap();

    let any = SessionFilter::default;
    let state = |state| SessionFilter {
        state: Some(state),
        ..any()
    };
    let cases: [(SessionFilter, &[&str]); 11] = [
        (any(), &["d", "f", "o", "r", "q", "n", "w"]),
        (state(SessionState::Waiting), &["o", "w"]),
        (state(SessionState::New), &["n"]),
        (state(SessionState::Queued), &["r", "q"]),
        (state(SessionState::Done), &["d"]),
        (state(SessionState::Failed), &["f"]),
        (
            SessionFilter {
                agent: Some("codex".to_owned()),
                ..any()
            },
            &["o"],
        ),
        (
            SessionFilter {
                project: Some(app),
                ..any()
            },
            &["d", "f", "r", "q", "n"],
        ),
        (
            SessionFilter {
                since_ms: Some(30),
                until_ms: Some(50),
                ..any()
            },
            &["o", "r", "q"],
        ),
        (
            SessionFilter {
                limit: Some(2),
                ..any()
            },
            &["d", "f"],
        ),
        (
            SessionFilter {
                agent: Some("nobody".to_owned()),
                ..any()
            },
            &[],
        ),
    ];
    for (filter, expected) in cases {
        let listed = catalog.sessions(&filter).unwrap();
        let ids: Vec<_> = listed
            .iter()
            .map(|known| known.session.id.as_str())
            .collect();
        assert_eq!(ids, expected, "{filter:?}");
    }

    // A session that grew is new again, whatever the result of its earlier state.
    for id in ["d", "f"] {
        find(&catalog, id, "r2", 70);
        assert_eq!(known(&catalog, id).state, SessionState::New, "{id}");
    }
}

#[test]
fn counts_are_of_everything() {
    let place = TestCatalog::new();
    let catalog = place.open();
    assert_eq!(catalog.counts().unwrap(), Default::default());
    one_of_each(&catalog);
    let counts = catalog.counts().unwrap();
    let count = |state, sessions| SessionCount {
        agent: "claude".to_owned(),
        state,
        sessions,
    };
    assert_eq!(
        counts.sessions,
        [
            count(SessionState::Done, 1),
            count(SessionState::Failed, 1),
            count(SessionState::New, 1),
            count(SessionState::Queued, 2),
            count(SessionState::Waiting, 1),
        ]
    );
    let jobs: Vec<_> = counts.jobs.into_iter().collect();
    assert_eq!(
        jobs,
        [
            (TaskState::Queued, 1),
            (TaskState::Running, 1),
            (TaskState::Completed, 1),
            (TaskState::Failed, 1),
        ]
    );
    assert_eq!(counts.dead_letters, 1);
    assert_eq!(counts.oldest_queued_ms, Some(NOW));
}

#[test]
fn what_is_not_archived_is_counted_by_agent() {
    let place = TestCatalog::new();
    let catalog = place.open();
    for id in ["current", "behind", "never", "gone"] {
        find(&catalog, id, "r2", 1);
    }
    let archive = |revision: &str| Archive {
        digest: format!("digest-{revision}"),
        kind: ArchiveKind::Trace,
        revision: revision.to_owned(),
    };
    let archived = [
        (key("current"), archive("r2")),
        (key("behind"), archive("r1")),
    ];
    catalog.set_archived(&archived).unwrap();
    let gone = ["/home/u/gone.jsonl"];
    catalog.forget_files("claude", &gone, NOW).unwrap();
    let counts = catalog.not_archived().unwrap();
    assert_eq!(
        counts.into_iter().collect::<Vec<_>>(),
        [("claude".to_owned(), 2)]
    );
    assert_eq!(known(&catalog, "behind").archive, Some(archive("r1")));
}

#[test]
fn a_run_without_a_job_leaves_nothing_to_queue() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let same = enqueue(&catalog, "a", app, "r1", 1);
    catalog.mark_ran(&key("a"), "r1", NOW + 1).unwrap();
    let known_a = known(&catalog, "a");
    assert_eq!(known_a.ran_revision.as_deref(), Some("r1"));
    assert_eq!(known_a.state, SessionState::Done);
    let jobs = all_jobs(&catalog);
    assert_eq!(
        (jobs[0].id.as_str(), jobs[0].state),
        (same.as_str(), TaskState::Cancelled)
    );
    assert_eq!(
        catalog.enqueue(&wanted("a", app, "r1"), NOW).unwrap(),
        Enqueued::AlreadyRan
    );

    // A job for an earlier state is obsolete once the latest has run.
    let earlier = enqueue(&catalog, "c", app, "r1", 1);
    find(&catalog, "c", "r2", 2);
    catalog.mark_ran(&key("c"), "r2", NOW + 1).unwrap();
    assert_eq!(job(&catalog, &earlier).state, TaskState::Cancelled);

    // The run was not of the latest revision: the later one still has to be processed.
    enqueue(&catalog, "b", app, "r2", 1);
    catalog.mark_ran(&key("b"), "r1", NOW + 1).unwrap();
    assert_eq!(known(&catalog, "b").state, SessionState::Queued);
}

#[test]
fn a_purged_session_leaves_no_row_and_no_byte() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let mut telling = session("marked-id", "r1", 9);
    telling.attrs.push("title", "marked-title");
    let found = discovery("/home/u/shared.db", 1, vec![telling, session("b", "r1", 1)]);
    catalog.record("claude", &[found], NOW).unwrap();
    catalog
        .enqueue(&wanted("marked-id", app, "r1"), NOW)
        .unwrap();
    enqueue(&catalog, "b", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    let completion = begin(&catalog, &lease);

    let purged = catalog.purge_session(&key("marked-id")).unwrap();
    assert_eq!(
        purged,
        Purged {
            session: true,
            jobs: 1,
            events: 0,
            run_folders: vec!["/src/app/.acreta/workspace/sync-1".into()],
        }
    );
    assert!(catalog.session(&key("marked-id")).unwrap().is_none());
    assert!(catalog.runs(&Default::default()).unwrap().is_empty());
    assert_eq!(all_jobs(&catalog).len(), 1);
    assert!(!catalog.check(&lease).unwrap());
    assert!(catalog.complete(&lease, &completion, NOW).is_err());
    for text in ["marked-id", "marked-title"] {
        place.assert_no_byte_of(text);
    }

    // The row of a file is deleted with the last session it held.
    assert!(
        !catalog
            .seen_files("claude")
            .unwrap()
            .contains_key("/home/u/shared.db")
    );
    assert_eq!(
        catalog.purge_session(&key("marked-id")).unwrap(),
        Purged::default()
    );
    assert_eq!(
        catalog
            .purge_session(&SessionKey::new("codex", "b"))
            .unwrap(),
        Purged::default()
    );
    let files = || place.count("files");
    find(&catalog, "c", "r1", 1);
    let gone = ["/home/u/c.jsonl"];
    catalog.forget_files("claude", &gone, NOW).unwrap();
    assert_eq!(files(), 2);
    assert!(catalog.purge_session(&key("c")).unwrap().session);
    assert_eq!(files(), 1);
}
