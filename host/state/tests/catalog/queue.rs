//! The queue as producers and workers see it.

use acreta_state::{
    CatalogError, CatalogOptions, ClaimFilter, Enqueued, ProjectId, Retry, TaskState,
};

use crate::support::{
    DAY, HOUR, MINUTE, NOW, SECOND, TestCatalog, all_jobs, claim, complete, discovery, enqueue,
    find, ids, job, key, project, session, wanted,
};

#[test]
fn a_session_has_one_job() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let put = |revision: &str| {
        find(&catalog, "a", revision, 1);
        catalog.enqueue(&wanted("a", app, revision), NOW).unwrap()
    };
    let Enqueued::New(first) = put("r1") else {
        panic!("not new");
    };
    let again = Enqueued::AlreadyQueued(first.clone());
    assert_eq!(put("r1"), again);

    // The queued job moves to the later revision.
    assert_eq!(put("r2"), again);
    assert_eq!(job(&catalog, &first).revision, "r2");

    // A running job stays unchanged, and only another revision gets a following job.
    let lease = claim(&catalog, NOW).unwrap();
    assert_eq!(lease.revision, "r2");
    assert_eq!(put("r2"), again);
    let Enqueued::New(second) = put("r3") else {
        panic!("no follower");
    };
    assert_eq!(put("r4"), Enqueued::AlreadyQueued(second.clone()));
    // A late producer asks for the revision that runs.
    let late = catalog.enqueue(&wanted("a", app, "r2"), NOW).unwrap();
    assert_eq!(late, again);
    assert_eq!(job(&catalog, &second).revision, "r4");
    assert_eq!(claim(&catalog, NOW), None, "the project is busy");

    complete(&catalog, &lease);
    let late = catalog.enqueue(&wanted("a", app, "r2"), NOW).unwrap();
    assert_eq!(late, Enqueued::AlreadyRan);
    let lease = claim(&catalog, NOW).unwrap();
    assert_eq!((&lease.job, lease.revision.as_str()), (&second, "r4"));
    complete(&catalog, &lease);
    assert_eq!(put("r4"), Enqueued::AlreadyRan);
    assert!(matches!(put("r5"), Enqueued::New(_)));
    assert_eq!(all_jobs(&catalog).len(), 3);
}

#[test]
fn a_job_follows_its_session_to_another_project() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (app, other) = (
        project(&catalog, "/src/app"),
        project(&catalog, "/src/other"),
    );
    let first = enqueue(&catalog, "a", app, "r1", 1);
    let mut moved = wanted("a", other, "r1");
    moved.mode = "hot".to_owned();
    catalog.enqueue(&moved, NOW).unwrap();
    let job = job(&catalog, &first);
    assert_eq!((job.project, job.mode.as_str()), (other, "hot"));
    assert_eq!(job.project_root, "/src/other");

    // While it runs there, its follower waits although this project is free.
    claim(&catalog, NOW).unwrap();
    enqueue(&catalog, "a", app, "r2", 2);
    assert_eq!(claim(&catalog, NOW), None);
}

#[test]
fn the_queue_is_bounded() {
    let place = TestCatalog::new();
    let catalog = place.open_with(CatalogOptions {
        capacity: 3,
        ..CatalogOptions::default()
    });
    let app = project(&catalog, "/src/app");
    let all: Vec<_> = (0..5)
        .map(|number| {
            let id = format!("s{number}");
            find(&catalog, &id, "r1", number);
            wanted(&id, app, "r1")
        })
        .collect();
    let enqueued = catalog.enqueue_all(&all, NOW).unwrap();
    let full = enqueued.iter().map(|enqueued| *enqueued == Enqueued::Full);
    assert_eq!(full.collect::<Vec<_>>(), [false, false, false, true, true]);

    // Queued jobs can still be updated, and a running one still counts.
    find(&catalog, "s0", "r2", 9);
    let again = catalog.enqueue(&wanted("s0", app, "r2"), NOW).unwrap();
    assert!(matches!(again, Enqueued::AlreadyQueued(_)));
    let lease = claim(&catalog, NOW).unwrap();
    assert_eq!(catalog.enqueue(&all[3], NOW).unwrap(), Enqueued::Full);
    complete(&catalog, &lease);
    assert!(matches!(
        catalog.enqueue(&all[3], NOW).unwrap(),
        Enqueued::New(_)
    ));
    assert_eq!(catalog.enqueue(&all[4], NOW).unwrap(), Enqueued::Full);
}

#[test]
fn what_is_asked_together_is_put_down_together() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    find(&catalog, "a", "r1", 1);
    let with_unknown = [wanted("a", app, "r1"), wanted("unknown", app, "r1")];
    let error = catalog.enqueue_all(&with_unknown, NOW).unwrap_err();
    assert!(
        matches!(error, CatalogError::UnknownSession { .. }),
        "{error:?}"
    );
    assert!(all_jobs(&catalog).is_empty());

    let twice = [wanted("a", app, "r1"), wanted("a", app, "r1")];
    let enqueued = catalog.enqueue_all(&twice, NOW).unwrap();
    let [Enqueued::New(first), Enqueued::AlreadyQueued(second)] = enqueued.as_slice() else {
        panic!("{enqueued:?}");
    };
    assert_eq!(first, second);
}

#[test]
fn the_newest_session_goes_first() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let roots = ["/src/a", "/src/b", "/src/c", "/src/d"];
    let projects = roots.map(|root| project(&catalog, root));
    for (number, (id, updated_ms)) in [("old", 1), ("twin-1", 5), ("twin-2", 5), ("new", 9)]
        .into_iter()
        .enumerate()
    {
        enqueue(&catalog, id, projects[number], "r1", updated_ms);
    }
    let order = ["new", "twin-1", "twin-2", "old"];
    assert_eq!(ids(&all_jobs(&catalog)), order);
    for id in order {
        assert_eq!(claim(&catalog, NOW).unwrap().session, key(id));
    }
    assert_eq!(claim(&catalog, NOW), None);
}

#[test]
fn a_worker_takes_only_what_it_asks_for() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (app, other) = (
        project(&catalog, "/src/app"),
        project(&catalog, "/src/other"),
    );
    enqueue(&catalog, "in-app", app, "r1", 9);
    enqueue(&catalog, "in-other", other, "r1", 8);
    let mut codex = session("of-codex", "r1", 7);
    codex.agent = "codex".to_owned();
    let found = discovery("/home/u/codex", 1, vec![codex]);
    catalog.record("codex", &[found], NOW).unwrap();
    let mut of_codex = wanted("of-codex", other, "r1");
    of_codex.session.agent = "codex".to_owned();
    catalog.enqueue(&of_codex, NOW).unwrap();

    let any = ClaimFilter::default;
    let projects = |projects: &[ProjectId]| ClaimFilter {
        projects: Some(projects.to_vec()),
        ..any()
    };
    let agents = |agents: &[&str]| ClaimFilter {
        agents: Some(agents.iter().map(|&agent| agent.to_owned()).collect()),
        ..any()
    };
    let sessions = |ids: &[&str]| ClaimFilter {
        sessions: Some(ids.iter().map(|id| key(id)).collect()),
        ..any()
    };
    let neither = ClaimFilter {
        agents: agents(&["codex"]).agents,
        ..projects(&[app])
    };
    for (filter, expected) in [
        (any(), Some("in-app")),
        (projects(&[app, other]), Some("in-app")),
        (projects(&[other]), Some("in-other")),
        (projects(&[]), None),
        (agents(&["codex", "cursor"]), Some("of-codex")),
        (agents(&["cursor"]), None),
        (sessions(&["x", "in-other"]), Some("in-other")),
        // A session of another agent with that name.
        (sessions(&["of-codex"]), None),
        (neither, None),
    ] {
        let lease = catalog.claim("worker", MINUTE, NOW, &filter).unwrap();
        let id = lease.as_ref().map(|lease| lease.session.id.as_str());
        assert_eq!(id, expected, "{filter:?}");
        if let Some(lease) = lease {
            catalog.release(&lease, NOW).unwrap();
        }
    }
}

#[test]
fn a_failed_attempt_waits_before_the_next() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let mut now = NOW;
    for (attempt, wait) in [(1, 30 * SECOND), (2, 60 * SECOND)] {
        let lease = claim(&catalog, now).unwrap();
        assert_eq!(lease.attempt, attempt);
        let failed = catalog
            .fail(&lease, "no network", Retry::Later, now)
            .unwrap();
        assert_eq!((failed.state, failed.attempt), (TaskState::Queued, attempt));
        assert_eq!(failed.not_before_ms, now + wait);
        assert_eq!(failed.cause.as_deref(), Some("no network"));
        assert_eq!(claim(&catalog, now + wait - 1), None);
        now += wait;
    }
    let lease = claim(&catalog, now).unwrap();
    let failed = catalog
        .fail(&lease, "still none", Retry::Later, now)
        .unwrap();
    assert_eq!(
        (failed.state, failed.dead, failed.attempt),
        (TaskState::Failed, true, 3)
    );
    assert_eq!(failed.cause.as_deref(), Some("still none"));
    assert_eq!(failed.finished_ms, Some(now));
    assert_eq!(failed.id, id);
    assert_eq!(claim(&catalog, now + 365 * DAY), None);
}

#[test]
fn a_clock_set_back_makes_no_wait_endless() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let later = NOW + 400 * DAY;
    enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, later).unwrap();
    let failed = catalog.fail(&lease, "no", Retry::Later, later).unwrap();
    let not_before = failed.not_before_ms;
    assert_eq!(claim(&catalog, not_before - 1), None);
    // Set back by less than a day and an hour the job waits, by more it does not.
    assert_eq!(claim(&catalog, not_before - DAY - HOUR), None);
    assert!(claim(&catalog, not_before - DAY - HOUR - 1).is_some());
}
