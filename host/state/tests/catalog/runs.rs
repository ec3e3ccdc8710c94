//! Runs: begin, end, find, and keep until a person has seen them.

use acreta_state::{
    Catalog, CatalogError, Lookup, NewRun, Retry, Run, RunEnd, RunFilter, TaskState,
};
use serde_json::json;

use crate::support::{NOW, TestCatalog, begin, claim, enqueue, job, key, project};

fn run(run_id: &str, session: Option<&str>) -> NewRun {
    NewRun {
        run_id: run_id.to_owned(),
        mode: run_id.split('-').next().unwrap().to_owned(),
        project_root: "/src/app".into(),
        folder: format!("/src/app/.acreta/workspace/{run_id}").into(),
        session: session.map(key),
    }
}

fn one(catalog: &Catalog, run_id: &str) -> Run {
    catalog.run(run_id).unwrap().one().unwrap()
}

#[test]
fn a_run_ends_as_it_ended_first() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let counts = json!({"add": 2, "nested": {"no_op": [1]}});
    let ends = [
        (
            RunEnd::Completed(counts.clone()),
            TaskState::Completed,
            Some(counts),
            None,
        ),
        (
            RunEnd::Failed("no disk".to_owned()),
            TaskState::Failed,
            None,
            Some("no disk"),
        ),
        (RunEnd::Cancelled, TaskState::Cancelled, None, None),
    ];
    for (end, state, counts, error) in ends {
        let run_id = format!("sync-{state}");
        catalog.begin_run(&run(&run_id, Some("a")), NOW).unwrap();
        let begun = one(&catalog, &run_id);
        assert_eq!((begun.state, begun.finished_ms), (TaskState::Running, None));
        assert_eq!((begun.started_ms, begun.session), (NOW, Some(key("a"))));
        assert_eq!(
            (begun.mode.as_str(), begun.project_root.as_str()),
            ("sync", "/src/app")
        );

        catalog.finish_run(&run_id, &end, NOW + 1).unwrap();
        let late = RunEnd::Failed("late".to_owned());
        catalog.finish_run(&run_id, &late, NOW + 2).unwrap();
        let ended = one(&catalog, &run_id);
        assert_eq!((ended.state, ended.finished_ms), (state, Some(NOW + 1)));
        assert_eq!((ended.counts, ended.error.as_deref()), (counts, error));
    }
    let error = catalog
        .finish_run("x", &RunEnd::Cancelled, NOW)
        .unwrap_err();
    assert!(
        matches!(error, CatalogError::UnknownRun { .. }),
        "{error:?}"
    );
    let error = catalog
        .begin_run(&run("sync-failed", None), NOW)
        .unwrap_err();
    assert!(matches!(error, CatalogError::RunExists { .. }), "{error:?}");
}

#[test]
fn runs_are_listed_latest_first_by_what_is_asked() {
    let place = TestCatalog::new();
    let catalog = place.open();
    for (number, (run_id, session)) in [
        ("sync-1", Some("a")),
        ("maintain-2", None),
        ("sync-3", Some("b")),
    ]
    .into_iter()
    .enumerate()
    {
        catalog
            .begin_run(&run(run_id, session), NOW + number as u64)
            .unwrap();
    }
    let mut elsewhere = run("sync-4", None);
    elsewhere.project_root = "/src/other".into();
    catalog.begin_run(&elsewhere, NOW + 3).unwrap();
    catalog
        .finish_run("sync-3", &RunEnd::Cancelled, NOW + 9)
        .unwrap();

    let any = RunFilter::default;
    let cases: [(RunFilter, &[&str]); 7] = [
        (any(), &["sync-4", "sync-3", "maintain-2", "sync-1"]),
        (
            RunFilter {
                state: Some(TaskState::Cancelled),
                ..any()
            },
            &["sync-3"],
        ),
        (
            RunFilter {
                mode: Some("maintain".to_owned()),
                ..any()
            },
            &["maintain-2"],
        ),
        (
            RunFilter {
                project_root: Some("/src/other".into()),
                ..any()
            },
            &["sync-4"],
        ),
        (
            RunFilter {
                session: Some(key("a")),
                ..any()
            },
            &["sync-1"],
        ),
        (
            RunFilter {
                since_ms: Some(NOW + 2),
                ..any()
            },
            &["sync-4", "sync-3"],
        ),
        (
            RunFilter {
                limit: Some(1),
                ..any()
            },
            &["sync-4"],
        ),
    ];
    for (filter, expected) in cases {
        let runs = catalog.runs(&filter).unwrap();
        let ids: Vec<_> = runs.iter().map(|run| run.run_id.as_str()).collect();
        assert_eq!(ids, expected, "{filter:?}");
    }
    assert_eq!(one(&catalog, "main").run_id, "maintain-2");
    assert!(matches!(
        catalog.run("sync-").unwrap(),
        Lookup::Ambiguous(_)
    ));
    assert_eq!(catalog.run("hot").unwrap(), Lookup::Missing);
}

#[test]
fn a_failure_is_kept_in_mind_until_it_was_shown() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    begin(&catalog, &lease);
    catalog.fail(&lease, "no", Retry::Never, NOW).unwrap();
    for run_id in ["sync-x", "sync-y"] {
        catalog.begin_run(&run(run_id, None), NOW).unwrap();
        let failed = RunEnd::Failed("no".to_owned());
        catalog.finish_run(run_id, &failed, NOW).unwrap();
    }
    catalog.begin_run(&run("sync-z", None), NOW).unwrap();
    let unshown = || catalog.unshown_failures().unwrap();
    assert_eq!(unshown(), ["sync-1", "sync-x", "sync-y"]);

    catalog.mark_shown("sync-x").unwrap();
    assert!(one(&catalog, "sync-x").shown);
    assert_eq!(unshown(), ["sync-1", "sync-y"]);
    assert!(!job(&catalog, &id).shown);
    catalog.mark_shown("sync-1").unwrap();
    assert!(job(&catalog, &id).shown, "with the run, its job was shown");
    assert_eq!(unshown(), ["sync-y"]);
    let error = catalog.mark_shown("x").unwrap_err();
    assert!(
        matches!(error, CatalogError::UnknownRun { .. }),
        "{error:?}"
    );
}

#[test]
fn showing_a_job_shows_its_run() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    begin(&catalog, &lease);
    catalog.fail(&lease, "no", Retry::Never, NOW).unwrap();
    assert!(catalog.mark_job_shown(&id).unwrap().shown);
    assert!(one(&catalog, "sync-1").shown);
    assert!(catalog.unshown_failures().unwrap().is_empty());
}
