//! Leases: holders, expiry, and recovery after a worker is gone.

use acreta_state::{
    Catalog, Completion, Heartbeat, Lease, LeaseError, Retry, RunEnd, SessionState, TaskState,
    TraceCursor,
};
use acreta_types::Cursor;
use serde_json::json;

use crate::support::{
    DAY, MINUTE, NOW, SECOND, TestCatalog, begin, claim, complete, enqueue, job, key, known,
    project,
};

fn is_lost<T: std::fmt::Debug>(result: Result<T, LeaseError>, lease: &Lease) -> bool {
    matches!(
        result,
        Err(LeaseError::Lost { job, token }) if job == lease.job && token == lease.token
    )
}

#[test]
fn a_lease_says_what_is_to_be_done() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    assert_eq!(
        lease,
        Lease {
            job: id.clone(),
            token: 1,
            session: key("a"),
            project: app,
            project_root: "/src/app".into(),
            mode: "sync".to_owned(),
            revision: "r1".to_owned(),
            attempt: 1,
            lease_ms: MINUTE,
        }
    );
    let running = job(&catalog, &id);
    assert_eq!(
        (running.state, running.owner.as_deref()),
        (TaskState::Running, Some("worker"))
    );
    assert_eq!(running.started_ms, Some(NOW));
    assert_eq!(running.lease_until_ms, Some(NOW + MINUTE));
    assert_eq!(known(&catalog, "a").state, SessionState::Queued);
}

#[test]
fn completing_changes_job_session_and_run_together() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    let cursor = TraceCursor {
        cursor: Cursor {
            offset: 99,
            state: vec![1, 2],
        },
        trace_bytes: 1_000,
        trace_events: 3,
        trace_digest: [7; 32],
    };
    let completion = Completion {
        cursor: Some(cursor.clone()),
        ..begin(&catalog, &lease)
    };

    // A completion of a run that never began is refused and changes nothing.
    let of_no_run = Completion {
        run_id: "sync-never".to_owned(),
        ..completion.clone()
    };
    let error = catalog.complete(&lease, &of_no_run, NOW).unwrap_err();
    assert!(matches!(error, LeaseError::Catalog(_)), "{error:?}");
    assert_eq!(job(&catalog, &id).state, TaskState::Running);
    assert_eq!(known(&catalog, "a").ran_revision, None);
    assert_eq!(known(&catalog, "a").cursor, None);

    catalog.complete(&lease, &completion, NOW + 7).unwrap();
    let done = job(&catalog, &id);
    assert_eq!(
        (done.state, done.finished_ms),
        (TaskState::Completed, Some(NOW + 7))
    );
    assert_eq!(done.run_id.as_deref(), Some("sync-1"));
    assert_eq!(
        (done.lease_until_ms, done.owner, done.cause),
        (None, None, None)
    );
    let session = known(&catalog, "a");
    assert_eq!(session.ran_revision.as_deref(), Some("r1"));
    assert_eq!(session.cursor, Some(cursor));
    assert_eq!(session.state, SessionState::Done);
    let run = catalog.run("sync-1").unwrap().one().unwrap();
    assert_eq!(
        (run.state, run.counts),
        (TaskState::Completed, Some(json!({"add": 1})))
    );
    assert!(is_lost(catalog.complete(&lease, &completion, NOW), &lease));
}

#[test]
fn a_session_that_grew_meanwhile_needs_no_second_job() {
    for (ran_revision, left) in [("r2", TaskState::Cancelled), ("r1", TaskState::Queued)] {
        let place = TestCatalog::new();
        let catalog = place.open();
        let app = project(&catalog, "/src/app");
        enqueue(&catalog, "a", app, "r1", 1);
        let lease = claim(&catalog, NOW).unwrap();
        let follower = enqueue(&catalog, "a", app, "r2", 2);
        let completion = Completion {
            ran_revision: ran_revision.to_owned(),
            ..begin(&catalog, &lease)
        };
        catalog.complete(&lease, &completion, NOW).unwrap();
        assert_eq!(job(&catalog, &follower).state, left, "{ran_revision}");
    }
}

#[test]
fn heartbeats_keep_a_lease_alive() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    let mut now = NOW;
    for _ in 0..10 {
        now += MINUTE - 1;
        assert_eq!(claim(&catalog, now), None);
        assert_eq!(catalog.heartbeat(&lease, now).unwrap(), Heartbeat::Go);
        assert!(catalog.check(&lease).unwrap());
    }
    let second = claim(&catalog, now + MINUTE).unwrap();
    assert_eq!((second.job, second.attempt), (lease.job.clone(), 2));
    assert!(is_lost(catalog.heartbeat(&lease, now), &lease));
}

#[test]
fn a_worker_back_from_the_dead_changes_nothing() {
    type Act = fn(&Catalog, &Lease) -> Result<(), LeaseError>;
    let acts: [(&str, Act); 7] = [
        ("heartbeat", |catalog, lease| {
            catalog.heartbeat(lease, NOW).map(drop)
        }),
        ("fail", |catalog, lease| {
            catalog.fail(lease, "late", Retry::Never, NOW).map(drop)
        }),
        ("release", |catalog, lease| {
            catalog.release(lease, NOW).map(drop)
        }),
        ("postpone", |catalog, lease| {
            catalog.postpone(lease, "late", MINUTE, NOW).map(drop)
        }),
        ("cancelled", |catalog, lease| {
            catalog.cancelled(lease, NOW).map(drop)
        }),
        ("begin", |catalog, lease| {
            catalog.begin_leased_run(lease, "sync-late", "/late".into(), NOW)
        }),
        ("complete", |catalog, lease| {
            let completion = Completion {
                run_id: "sync-1".to_owned(),
                ran_revision: "r1".to_owned(),
                cursor: None,
                counts: json!({}),
                reading: None,
            };
            catalog.complete(lease, &completion, NOW)
        }),
    ];
    // Events in the life of the job while the worker was away.
    type Life = fn(&Catalog);
    let lives: [(&str, Life); 4] = [
        ("taken", |catalog| drop(claim(catalog, NOW + DAY).unwrap())),
        ("completed", |catalog| {
            let lease = claim(catalog, NOW + DAY).unwrap();
            complete(catalog, &lease);
        }),
        ("given back", |catalog| {
            let lease = claim(catalog, NOW + DAY).unwrap();
            catalog.release(&lease, NOW + DAY).unwrap();
        }),
        ("dead", |catalog| {
            let lease = claim(catalog, NOW + DAY).unwrap();
            catalog.fail(&lease, "no", Retry::Never, NOW + DAY).unwrap();
        }),
    ];
    for (life, live) in lives {
        let place = TestCatalog::new();
        let catalog = place.open();
        let app = project(&catalog, "/src/app");
        let id = enqueue(&catalog, "a", app, "r1", 1);
        let zombie = claim(&catalog, NOW).unwrap();
        begin(&catalog, &zombie);
        live(&catalog);
        let (job_then, session_then) = (job(&catalog, &id), known(&catalog, "a"));
        let runs_then = catalog.runs(&Default::default()).unwrap();
        assert!(!catalog.check(&zombie).unwrap(), "{life}");
        for (name, act) in acts {
            assert!(is_lost(act(&catalog, &zombie), &zombie), "{name}, {life}");
        }
        assert_eq!(job(&catalog, &id), job_then, "{life}");
        assert_eq!(known(&catalog, "a"), session_then, "{life}");
        assert_eq!(
            catalog.runs(&Default::default()).unwrap(),
            runs_then,
            "{life}"
        );
    }
}

#[test]
fn a_worker_that_only_overslept_goes_on() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    let late = NOW + DAY;
    assert!(catalog.check(&lease).unwrap());
    assert_eq!(catalog.heartbeat(&lease, late).unwrap(), Heartbeat::Go);
    assert_eq!(claim(&catalog, late), None);
    complete(&catalog, &lease);
}

#[test]
fn a_job_that_kills_its_workers_is_given_up_and_blocks_nobody() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let deadly = enqueue(&catalog, "deadly", app, "r1", 9);
    enqueue(&catalog, "harmless", app, "r1", 1);
    let mut now = NOW;
    for attempt in 1..=3 {
        let lease = claim(&catalog, now).unwrap();
        assert_eq!((&lease.job, lease.attempt), (&deadly, attempt));
        begin(&catalog, &lease);
        assert_eq!(claim(&catalog, now + MINUTE - 1), None);
        now += MINUTE;
    }
    assert_eq!(claim(&catalog, now).unwrap().session.id, "harmless");
    let dead = job(&catalog, &deadly);
    assert_eq!(
        (dead.state, dead.dead, dead.attempt),
        (TaskState::Failed, true, 3)
    );
    assert_eq!(dead.finished_ms, Some(now));
    let cause = dead.cause.unwrap();
    assert!(
        cause.contains("`worker`") && cause.contains("attempt 3"),
        "{cause}"
    );
    let failed = catalog.unshown_failures().unwrap();
    assert_eq!(
        failed,
        ["sync-1", "sync-2", "sync-3"],
        "its runs failed with it"
    );
}

#[test]
fn a_clock_set_back_makes_no_lease_immortal() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    enqueue(&catalog, "a", app, "r1", 1);
    let first = claim(&catalog, NOW).unwrap();
    // A lease that ends up to twice its length ahead is still valid.
    assert_eq!(claim(&catalog, NOW - MINUTE), None);
    let second = claim(&catalog, NOW - MINUTE - 1).unwrap();
    assert_eq!((&second.job, second.attempt), (&first.job, 2));
    assert!(second.token > first.token);
    assert!(!catalog.check(&first).unwrap());
    // With the clock ahead, the lease simply expires.
    let third = claim(&catalog, NOW + DAY).unwrap();
    assert_eq!(third.attempt, 3);
}

#[test]
fn failing_for_good_is_death_at_once() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    begin(&catalog, &lease);
    let dead = catalog
        .fail(&lease, "unreadable", Retry::Never, NOW + 1)
        .unwrap();
    assert_eq!(
        (dead.state, dead.dead, dead.attempt),
        (TaskState::Failed, true, 1)
    );
    let run = catalog.run("sync-1").unwrap().one().unwrap();
    assert_eq!(
        (run.state, run.error.as_deref()),
        (TaskState::Failed, Some("unreadable"))
    );
    assert_eq!(run.finished_ms, Some(NOW + 1));
    assert!(is_lost(catalog.heartbeat(&lease, NOW), &lease));
}

#[test]
fn a_job_given_back_was_never_tried() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    for _ in 0..5 {
        let lease = claim(&catalog, NOW).unwrap();
        assert_eq!(lease.attempt, 1);
        begin(&catalog, &lease);
        let back = catalog.release(&lease, NOW).unwrap();
        assert_eq!((back.state, back.attempt), (TaskState::Queued, 0));
        assert_eq!((back.owner, back.lease_until_ms), (None, None));
        assert_eq!(back.id, id);
    }
    assert!(catalog.unshown_failures().unwrap().is_empty());
}

#[test]
fn a_job_that_is_postponed_waits_and_was_never_tried() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let mut now = NOW;
    for _ in 0..5 {
        let lease = claim(&catalog, now).unwrap();
        assert_eq!(lease.attempt, 1);
        begin(&catalog, &lease);
        let back = catalog.postpone(&lease, "storage is away", MINUTE, now);
        let back = back.unwrap();
        assert_eq!((back.state, back.attempt), (TaskState::Queued, 0));
        assert_eq!(back.cause.as_deref(), Some("storage is away"));
        assert_eq!(back.id, id);
        assert!(claim(&catalog, now + MINUTE - 1).is_none());
        now += MINUTE;
    }
    let lease = claim(&catalog, now).unwrap();
    catalog.cancel(&id, now).unwrap();
    let back = catalog.postpone(&lease, "storage is away", MINUTE, now);
    assert_eq!(back.unwrap().state, TaskState::Cancelled);
}

#[test]
fn a_running_job_is_cancelled_at_its_next_heartbeat() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    begin(&catalog, &lease);
    assert!(catalog.cancel(&id, NOW).unwrap().cancel_requested);
    assert_eq!(catalog.heartbeat(&lease, NOW).unwrap(), Heartbeat::Cancel);
    let cancelled = catalog.cancelled(&lease, NOW + 1).unwrap();
    assert_eq!(
        (cancelled.state, cancelled.finished_ms),
        (TaskState::Cancelled, Some(NOW + 1))
    );
    let run = catalog.run("sync-1").unwrap().one().unwrap();
    assert_eq!(run.state, TaskState::Cancelled);

    // After a retry the cancellation no longer applies.
    catalog.retry(&id).unwrap();
    let lease = claim(&catalog, NOW).unwrap();
    assert_eq!(catalog.heartbeat(&lease, NOW).unwrap(), Heartbeat::Go);
}

#[test]
fn a_job_to_be_cancelled_is_not_tried_again() {
    type End = fn(&Catalog, &Lease);
    let ends: [(&str, TaskState, End); 5] = [
        ("failed", TaskState::Cancelled, |catalog, lease| {
            catalog.fail(lease, "no", Retry::Later, NOW).unwrap();
        }),
        ("released", TaskState::Cancelled, |catalog, lease| {
            catalog.release(lease, NOW).unwrap();
        }),
        ("expired", TaskState::Cancelled, |catalog, _| {
            assert_eq!(claim(catalog, NOW + DAY), None);
        }),
        ("failed for good", TaskState::Failed, |catalog, lease| {
            catalog.fail(lease, "no", Retry::Never, NOW).unwrap();
        }),
        // The worker finished before the cancellation reached it.
        ("completed", TaskState::Completed, complete),
    ];
    for (name, expected, end) in ends {
        let place = TestCatalog::new();
        let catalog = place.open();
        let app = project(&catalog, "/src/app");
        let id = enqueue(&catalog, "a", app, "r1", 1);
        let lease = claim(&catalog, NOW).unwrap();
        catalog.cancel(&id, NOW).unwrap();
        end(&catalog, &lease);
        assert_eq!(job(&catalog, &id).state, expected, "{name}");
        assert_eq!(claim(&catalog, NOW + DAY), None, "{name}");
    }
}

#[test]
fn a_follower_goes_on_where_its_job_did_not_succeed() {
    type End = fn(&Catalog, &Lease);
    let ends: [(&str, TaskState, u64, End); 4] = [
        (
            "failed",
            TaskState::Failed,
            30 * SECOND,
            |catalog, lease| {
                catalog.fail(lease, "no", Retry::Later, NOW).unwrap();
            },
        ),
        ("expired", TaskState::Failed, MINUTE, |_, _| {}),
        ("released", TaskState::Cancelled, 0, |catalog, lease| {
            catalog.release(lease, NOW).unwrap();
        }),
        ("cancelled", TaskState::Cancelled, 0, |catalog, lease| {
            catalog.cancelled(lease, NOW).unwrap();
        }),
    ];
    for (name, expected, wait, end) in ends {
        let place = TestCatalog::new();
        let catalog = place.open();
        let app = project(&catalog, "/src/app");
        let first = enqueue(&catalog, "a", app, "r1", 1);
        let lease = claim(&catalog, NOW).unwrap();
        let follower = enqueue(&catalog, "a", app, "r2", 2);
        assert_ne!(first, follower);
        end(&catalog, &lease);
        if wait > 0 {
            assert_eq!(claim(&catalog, NOW + wait - 1), None, "{name}");
        }
        let next = claim(&catalog, NOW + wait).unwrap();
        assert_eq!((next.job, next.attempt), (follower, 1), "{name}");
        let ended = job(&catalog, &first);
        assert_eq!((ended.state, ended.dead), (expected, false), "{name}");
    }
}

#[test]
fn a_run_is_begun_once() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    let lease = claim(&catalog, NOW).unwrap();
    begin(&catalog, &lease);
    assert_eq!(job(&catalog, &id).run_id.as_deref(), Some("sync-1"));
    let again = catalog.begin_leased_run(&lease, "sync-1", "/x".into(), NOW);
    assert!(matches!(again, Err(LeaseError::Catalog(_))), "{again:?}");
    // A run that has ended stays unchanged.
    catalog.fail(&lease, "no", Retry::Later, NOW).unwrap();
    catalog
        .finish_run("sync-1", &RunEnd::Cancelled, NOW)
        .unwrap();
    let run = catalog.run("sync-1").unwrap().one().unwrap();
    assert_eq!(run.state, TaskState::Failed);
}
