//! Projects: registration, moves, former paths, and sessions that wait for one.

use acreta_state::{Archive, ArchiveKind, Catalog, CatalogError, Project, SessionState, TaskState};
use acreta_types::Identity;
use camino::Utf8Path;

use crate::support::{
    NOW, TestCatalog, claim, discovery, enqueue, find, job, key, known, project, session, wanted,
};

fn identity(root_commit: &str, remote: &str) -> Identity {
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    Identity {
        root_commit: text(root_commit),
        remote: text(remote),
    }
}

fn at(catalog: &Catalog, path: &str) -> Option<Project> {
    catalog.project_at(Utf8Path::new(path)).unwrap()
}

#[test]
fn a_project_is_registered_once() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let noted = catalog
        .note_project("/src/app".into(), &identity("", "git@host:app"), NOW)
        .unwrap();
    assert!(!noted.registered);
    let registered = catalog
        .register("/src/app".into(), &identity("c0ffee", ""), NOW + 1)
        .unwrap();
    let expected = Project {
        registered: true,
        identity: identity("c0ffee", "git@host:app"),
        ..noted
    };
    assert_eq!(registered, expected);
    let noted_again = catalog
        .note_project("/src/app".into(), &Identity::default(), NOW + 2)
        .unwrap();
    assert_eq!(noted_again, expected);

    let first = project(&catalog, "/src/aaa");
    assert_ne!(first, expected.id);
    let roots: Vec<_> = catalog
        .projects()
        .unwrap()
        .into_iter()
        .map(|project| project.root)
        .collect();
    assert_eq!(roots, ["/src/aaa", "/src/app"]);
    assert_eq!(at(&catalog, "/src/app"), Some(expected));
    assert_eq!(at(&catalog, "/src"), None);
}

#[test]
fn unregistering_stops_the_work_on_a_project() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let other = project(&catalog, "/src/other");
    let running = enqueue(&catalog, "a", app, "r1", 9);
    let queued = enqueue(&catalog, "b", app, "r1", 8);
    let elsewhere = enqueue(&catalog, "c", other, "r1", 7);
    assert_eq!(claim(&catalog, NOW).unwrap().job, running);

    let project = catalog.unregister("/src/app".into(), NOW).unwrap().unwrap();
    assert_eq!((project.id, project.registered), (app, false));
    assert!(!at(&catalog, "/src/app").unwrap().registered);
    assert_eq!(job(&catalog, &queued).state, TaskState::Cancelled);
    assert!(job(&catalog, &running).cancel_requested);
    assert_eq!(job(&catalog, &elsewhere).state, TaskState::Queued);
    assert!(!job(&catalog, &elsewhere).cancel_requested);
    assert_eq!(catalog.unregister("/nowhere".into(), NOW).unwrap(), None);
}

#[test]
fn a_project_is_found_at_the_paths_it_had() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/new/app");
    catalog.add_former_path(app, "/src/app".into()).unwrap();
    for path in ["/src/app", "/new/app"] {
        let found = at(&catalog, path).unwrap();
        assert_eq!((found.id, found.root.as_str()), (app, "/new/app"), "{path}");
    }

    // Another checkout at a former path is another project.
    assert_eq!(catalog.former_paths().unwrap(), [(app, "/src/app".into())]);
    let clone = project(&catalog, "/src/app");
    assert_ne!(clone, app);
    assert_eq!(catalog.former_paths().unwrap(), []);
    assert_eq!(at(&catalog, "/src/app").unwrap().id, clone);
}

#[test]
fn sessions_wait_by_place_until_their_project_is_registered() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let told = |id: &str, project_dir: Option<&str>| {
        let mut session = session(id, "r1", 1);
        session.project_dir = project_dir.map(str::to_owned);
        let found = discovery(&format!("/home/u/{id}.jsonl"), 1, vec![session]);
        catalog.record("claude", &[found], NOW).unwrap();
    };
    told("a", Some("/src/app/worktree"));
    told("b", Some("/src/app"));
    told("c", Some("/src/unknown"));
    told("d", None);
    told("ran", Some("/src/unknown"));
    told("lost", Some("/src/unknown"));
    told("saved", Some("/src/unknown"));
    catalog.mark_ran(&key("ran"), "r1", NOW).unwrap();
    let archive = Archive {
        digest: "d".to_owned(),
        kind: ArchiveKind::Raw,
        revision: "r1".to_owned(),
    };
    catalog.set_archived(&[(key("saved"), archive)]).unwrap();
    let gone = ["/home/u/lost.jsonl", "/home/u/saved.jsonl"];
    catalog.forget_files("claude", &gone, NOW).unwrap();
    let app = catalog
        .note_project("/src/app".into(), &Identity::default(), NOW)
        .unwrap()
        .id;
    let both = [(key("a"), Some(app)), (key("b"), Some(app))];
    catalog.assign(&both).unwrap();

    let waiting = || -> Vec<(Option<String>, u64)> {
        catalog
            .waiting()
            .unwrap()
            .into_iter()
            .map(|waiting| {
                (
                    waiting.place.map(|place| place.to_string()),
                    waiting.sessions,
                )
            })
            .collect()
    };
    let unknown = (Some("/src/unknown".to_owned()), 2);
    assert_eq!(
        waiting(),
        [(Some("/src/app".to_owned()), 2), unknown.clone(), (None, 1)]
    );
    project(&catalog, "/src/app");
    assert_eq!(waiting(), [unknown.clone(), (None, 1)]);
    assert_eq!(known(&catalog, "a").state, SessionState::New);

    catalog.assign(&[(key("a"), None)]).unwrap();
    assert_eq!(known(&catalog, "a").project, None);
    assert_eq!(
        waiting(),
        [unknown, (None, 1), (Some("/src/app".to_owned()), 1)]
    );
    catalog.add_former_path(app, "/src/unknown".into()).unwrap();
    assert_eq!(waiting(), [(Some("/src/app".to_owned()), 3), (None, 1)]);
}

#[test]
fn a_project_of_another_database_is_refused() {
    let (place, elsewhere) = (TestCatalog::new(), TestCatalog::new());
    let (catalog, other) = (place.open(), elsewhere.open());
    find(&catalog, "a", "r1", 1);
    let foreign = project(&other, "/src/app");
    let refused = |error: CatalogError| {
        assert!(
            matches!(error, CatalogError::UnknownProject { .. }),
            "{error:?}"
        );
    };
    refused(catalog.assign(&[(key("a"), Some(foreign))]).unwrap_err());
    refused(
        catalog
            .enqueue(&wanted("a", foreign, "r1"), NOW)
            .unwrap_err(),
    );
}
