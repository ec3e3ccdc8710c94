//! Sessions without a project, and remaining work.

use acreta_state::{
    Archive, ArchiveKind, CatalogError, RecordedDirectory as From, SessionState, TaskState,
    UnassignedSessions,
};
use acreta_types::Attrs;
use camino::Utf8Path;

use crate::support::{
    MINUTE, NOW, TestCatalog, all_jobs, claim, complete, discovery, enqueue, find, key, known,
    project, session,
};

fn placed(id: &str, directory: Option<&str>, attrs: &[(&str, &str)]) -> acreta_types::Session {
    let mut session = session(id, "1", 5);
    session.project_dir = directory.map(str::to_owned);
    let attrs = attrs
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()));
    session.attrs = Attrs(attrs.collect());
    session
}

#[test]
fn unassigned_sessions_are_told_by_place_and_assigned_by_place() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let sessions = [
        placed("a", Some("/src/app"), &[("project_slug", "ignored")]),
        placed("b", Some("/src/app"), &[]),
        placed("c", None, &[("project_slug", "-src-app")]),
        placed("d", None, &[("project_digest", "00ff")]),
        placed("e", None, &[]),
    ];
    for session in sessions {
        let path = format!("/home/u/{}.jsonl", session.id);
        let found = discovery(&path, 10, vec![session]);
        catalog.record("claude", &[found], NOW).unwrap();
    }
    let sessions = catalog.unassigned().unwrap().into_iter();
    let mut places: Vec<From> = sessions.map(|sessions| sessions.place).collect();
    places.sort();
    let expected = [
        From::Directory("/src/app".to_owned()),
        From::Slug("-src-app".to_owned()),
        From::Digest("00ff".to_owned()),
        From::Nowhere,
    ];
    assert_eq!(places, expected);

    let app = project(&catalog, "/src/app");
    for (place, sessions) in expected.iter().zip([2, 1, 1, 1]) {
        let assigned = |adapter: &str, within: Option<&str>| {
            let unassigned = UnassignedSessions {
                adapter: adapter.to_owned(),
                agent: "claude".to_owned(),
                place: place.clone(),
            };
            let within = within.map(Utf8Path::new);
            catalog.assign_place(&unassigned, within, app).unwrap()
        };
        assert_eq!(assigned("another", None), 0, "{place:?}");
        assert_eq!(assigned("claude", Some("/src/app")), 0, "{place:?}");
        assert_eq!(assigned("claude", Some("/home/u")), sessions, "{place:?}");
        assert_eq!(assigned("claude", None), 0, "{place:?}");
    }
    assert!(catalog.unassigned().unwrap().is_empty());
    assert_eq!(known(&catalog, "e").project, Some(app));
}

#[test]
fn an_old_path_leads_to_its_project() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let other = project(&catalog, "/src/other");
    catalog.add_former_path(app, "/old/app".into()).unwrap();
    assert_eq!(catalog.former_paths().unwrap(), [(app, "/old/app".into())]);
    assert_eq!(
        catalog.project_at("/old/app".into()).unwrap().unwrap().id,
        app
    );
    // The last decision of a person wins.
    catalog.add_former_path(other, "/old/app".into()).unwrap();
    assert_eq!(
        catalog.former_paths().unwrap(),
        [(other, "/old/app".into())]
    );
}

#[test]
fn what_is_not_archived_is_left_to_do() {
    let place = TestCatalog::new();
    let catalog = place.open();
    find(&catalog, "a", "1", 5);
    find(&catalog, "b", "1", 9);
    let left = |catalog: &acreta_state::Catalog| -> Vec<String> {
        let sessions = catalog.sessions_to_archive().unwrap();
        sessions.into_iter().map(|known| known.session.id).collect()
    };
    assert_eq!(left(&catalog), ["b", "a"]);
    let archive = Archive {
        digest: "00".to_owned(),
        kind: ArchiveKind::Raw,
        revision: "1".to_owned(),
    };
    catalog.set_archived(&[(key("a"), archive)]).unwrap();
    assert_eq!(left(&catalog), ["b"]);
    assert!(catalog.is_archived_elsewhere("claude", "00").unwrap());
    assert!(!catalog.is_archived_elsewhere("codex", "00").unwrap());
    // The session grew: its copy has an earlier state.
    find(&catalog, "a", "2", 10);
    assert_eq!(left(&catalog), ["a", "b"]);
    // A session that is gone from disk cannot be archived any more.
    catalog
        .forget_files("claude", &["/home/u/b.jsonl"], NOW)
        .unwrap();
    assert_eq!(left(&catalog), ["a"]);
}

#[test]
fn a_forgotten_run_is_made_again() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    enqueue(&catalog, "a", app, "1", 5);
    catalog.assign(&[(key("a"), Some(app))]).unwrap();
    assert_eq!(catalog.live_jobs().unwrap(), 1);
    let lease = claim(&catalog, NOW).unwrap();
    complete(&catalog, &lease);
    assert_eq!(catalog.live_jobs().unwrap(), 0);
    assert_eq!(known(&catalog, "a").state, SessionState::Done);

    catalog.forget_runs(&[key("a")], NOW).unwrap();
    assert_eq!(known(&catalog, "a").state, SessionState::New);
    assert_eq!(known(&catalog, "a").cursor, None);
    let unknown = catalog.forget_runs(&[key("nobody")], NOW).unwrap_err();
    assert!(matches!(unknown, CatalogError::UnknownSession { .. }));
}

#[test]
fn a_dead_workers_jobs_are_free_at_once_and_nobody_elses() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (app, other) = (
        project(&catalog, "/src/app"),
        project(&catalog, "/src/other"),
    );
    enqueue(&catalog, "a", app, "1", 5);
    enqueue(&catalog, "b", other, "1", 4);
    let filter = Default::default();
    let dead = catalog
        .claim("dead", MINUTE, NOW, &filter)
        .unwrap()
        .unwrap();
    let alive = catalog
        .claim("alive", MINUTE, NOW, &filter)
        .unwrap()
        .unwrap();
    assert_eq!(catalog.workers().unwrap(), ["alive", "dead"]);
    assert!(claim(&catalog, NOW).is_none());

    catalog.bury("dead").unwrap();
    let again = claim(&catalog, NOW).unwrap();
    assert_eq!(
        (&again.job, again.attempt),
        (&dead.job, 2),
        "the death was an attempt"
    );
    assert!(!catalog.check(&dead).unwrap());
    assert!(catalog.check(&alive).unwrap());
    let running = all_jobs(&catalog)
        .into_iter()
        .filter(|job| job.state == TaskState::Running);
    assert_eq!(running.count(), 2);
}

#[test]
fn it_is_settled_until_something_changes() {
    let place = TestCatalog::new();
    let catalog = place.open();
    assert_eq!(catalog.settled().unwrap(), None);
    catalog.settle("nothing waits").unwrap();
    let other = place.open();
    assert_eq!(other.settled().unwrap().as_deref(), Some("nothing waits"));
    assert_eq!(catalog.settled().unwrap().as_deref(), Some("nothing waits"));
    find(&other, "a", "1", 5);
    assert_eq!(catalog.settled().unwrap(), None);
    catalog.settle("again").unwrap();
    assert_eq!(other.settled().unwrap().as_deref(), Some("again"));
}
