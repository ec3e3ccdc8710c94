//! Jobs as people see them: list, find, cancel, retry, skip.

use acreta_state::{
    Catalog, Enqueued, Job, JobError, JobFilter, Lookup, ProjectId, Retry, SessionState, TaskState,
};

use crate::support::{
    NOW, TestCatalog, claim, complete, enqueue, find, ids, job, key, known, project, wanted,
};

#[test]
fn jobs_are_listed_by_what_is_asked() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let (app, other) = (
        project(&catalog, "/src/app"),
        project(&catalog, "/src/other"),
    );
    enqueue(&catalog, "dead", app, "r1", 9);
    let lease = claim(&catalog, NOW).unwrap();
    catalog.fail(&lease, "no", Retry::Never, NOW).unwrap();
    enqueue(&catalog, "done", app, "r1", 8);
    complete(&catalog, &claim(&catalog, NOW).unwrap());
    enqueue(&catalog, "waits", app, "r1", 7);
    enqueue(&catalog, "else", other, "r1", 6);

    let any = JobFilter::default;
    let cases: [(JobFilter, &[&str]); 8] = [
        (any(), &["dead", "done", "waits", "else"]),
        (
            JobFilter {
                state: Some(TaskState::Queued),
                ..any()
            },
            &["waits", "else"],
        ),
        (
            JobFilter {
                dead: Some(true),
                ..any()
            },
            &["dead"],
        ),
        (
            JobFilter {
                dead: Some(false),
                ..any()
            },
            &["done", "waits", "else"],
        ),
        (
            JobFilter {
                project: Some(other),
                ..any()
            },
            &["else"],
        ),
        (
            JobFilter {
                session: Some(key("done")),
                ..any()
            },
            &["done"],
        ),
        (
            JobFilter {
                agent: Some("codex".to_owned()),
                ..any()
            },
            &[],
        ),
        (
            JobFilter {
                limit: Some(1),
                ..any()
            },
            &["dead"],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(ids(&catalog.jobs(&filter).unwrap()), expected, "{filter:?}");
    }
}

#[test]
fn a_job_is_found_by_the_beginning_of_its_id() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let first = enqueue(&catalog, "a", app, "r1", 1);
    assert_eq!(job(&catalog, &first[..6].to_lowercase()).id, first);
    let second = enqueue(&catalog, "b", app, "r1", 1);
    let common = first
        .bytes()
        .zip(second.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let Lookup::Ambiguous(both) = catalog.job(&first[..common]).unwrap() else {
        panic!("not ambiguous");
    };
    assert_eq!(ids(&both), ["a", "b"]);
    assert_eq!(job(&catalog, &first[..=common]).id, first);
    assert_eq!(catalog.job("ZZZ").unwrap(), Lookup::Missing);
}

/// Creates a job of session `a` in a state.
fn job_in(catalog: &Catalog, app: ProjectId, state: &str) -> String {
    let id = enqueue(catalog, "a", app, "r1", 1);
    if state == "queued" {
        return id;
    }
    let lease = claim(catalog, NOW).unwrap();
    match state {
        "running" => {}
        "completed" => complete(catalog, &lease),
        "failed" => drop(catalog.fail(&lease, "no", Retry::Never, NOW).unwrap()),
        "cancelled" => drop(catalog.cancelled(&lease, NOW).unwrap()),
        other => panic!("{other}"),
    }
    id
}

#[test]
fn a_person_can_change_only_what_can_be_changed() {
    use TaskState::{Cancelled, Completed, Failed, Queued, Running};
    let cancel = |catalog: &Catalog, id: &str| catalog.cancel(id, NOW + 1);
    let retry = |catalog: &Catalog, id: &str| catalog.retry(id);
    let skip = |catalog: &Catalog, id: &str| catalog.skip(id, NOW + 1);
    type Action<'a> = &'a dyn Fn(&Catalog, &str) -> Result<Job, JobError>;
    let cases: [(&str, Action<'_>, [Option<TaskState>; 5]); 3] = [
        (
            "cancel",
            &cancel,
            [Some(Cancelled), Some(Running), None, None, None],
        ),
        (
            "retry",
            &retry,
            [None, None, None, Some(Queued), Some(Queued)],
        ),
        (
            "skip",
            &skip,
            [Some(Cancelled), None, None, Some(Cancelled), None],
        ),
    ];
    for (action, act, outcomes) in cases {
        let states = [Queued, Running, Completed, Failed, Cancelled];
        for (state, expected) in states.into_iter().zip(outcomes) {
            let place = TestCatalog::new();
            let catalog = place.open();
            let app = project(&catalog, "/src/app");
            let id = job_in(&catalog, app, state.name());
            let name = format!("{action} {state}");
            let result = act(&catalog, &id);
            match (result, expected) {
                (Ok(after), Some(expected)) => {
                    assert_eq!(after.state, expected, "{name}");
                    assert_eq!(after, job(&catalog, &id), "{name}");
                    assert_eq!(after.cancel_requested, expected == Running, "{name}");
                }
                (Err(JobError::State { state: named, .. }), None) => {
                    assert_eq!(named, state, "{name}");
                    assert_eq!(job(&catalog, &id).state, state, "{name}");
                }
                (result, _) => panic!("{name}: {result:?}"),
            }
            let error = act(&catalog, "NO-SUCH-JOB").unwrap_err();
            assert!(matches!(error, JobError::Unknown { .. }), "{name}");
        }
    }
}

#[test]
fn a_retried_job_starts_afresh() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = job_in(&catalog, app, "failed");
    assert!(job(&catalog, &id).dead);
    assert_eq!(known(&catalog, "a").state, SessionState::Failed);
    let letter = Enqueued::DeadLetter(id.clone());
    assert_eq!(
        catalog.enqueue(&wanted("a", app, "r1"), NOW).unwrap(),
        letter
    );

    catalog.mark_job_shown(&id).unwrap();
    find(&catalog, "a", "r2", 2);
    let retried = catalog.retry(&id).unwrap();
    assert!(!retried.dead && !retried.shown);
    assert_eq!(
        (retried.attempt, retried.cause, retried.finished_ms),
        (0, None, None)
    );
    assert_eq!((retried.revision.as_str(), retried.updated_ms), ("r2", 2));
    let lease = claim(&catalog, NOW).unwrap();
    assert_eq!((lease.job.as_str(), lease.attempt), (id.as_str(), 1));

    // Another job of the session is queued, so a retry is refused.
    catalog.fail(&lease, "no", Retry::Never, NOW).unwrap();
    let by = enqueue(&catalog, "a", app, "r3", 3);
    let error = catalog.retry(&id).unwrap_err();
    let JobError::Superseded { by: named, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!(named, by);
}

#[test]
fn a_skipped_session_is_not_queued_at_this_revision() {
    for state in ["queued", "failed"] {
        let place = TestCatalog::new();
        let catalog = place.open();
        let app = project(&catalog, "/src/app");
        let id = job_in(&catalog, app, state);
        let skipped = catalog.skip(&id, NOW + 1).unwrap();
        assert!(!skipped.dead);
        assert_eq!(skipped.finished_ms, Some(NOW + 1));
        assert_eq!(known(&catalog, "a").state, SessionState::Done);
        let same = catalog.enqueue(&wanted("a", app, "r1"), NOW).unwrap();
        assert_eq!(same, Enqueued::AlreadyRan, "{state}");
        find(&catalog, "a", "r2", 2);
        let later = catalog.enqueue(&wanted("a", app, "r2"), NOW).unwrap();
        assert!(matches!(later, Enqueued::New(_)), "{state}");
    }
}

#[test]
fn a_cancelled_session_may_be_queued_again() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = job_in(&catalog, app, "queued");
    let cancelled = catalog.cancel(&id, NOW + 1).unwrap();
    assert_eq!(cancelled.finished_ms, Some(NOW + 1));
    assert_eq!(claim(&catalog, NOW), None);
    assert_eq!(known(&catalog, "a").state, SessionState::Cancelled);
    let again = catalog.enqueue(&wanted("a", app, "r1"), NOW).unwrap();
    assert!(matches!(again, Enqueued::New(_)));
}
