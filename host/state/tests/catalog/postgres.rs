//! The catalog on a real PostgreSQL: the whole suite once more, and server failures. Without PostgreSQL each of these
//! tests reports that it was skipped.

use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use acreta_state::{Catalog, CatalogError, CatalogOptions, ClaimFilter, Lease, Retry, TaskState};

use crate::server::{ADDRESS, TestSchema, TestServer};
use crate::support::{
    DAY, MINUTE, NOW, all_jobs, claim, complete, enqueue, find, job, key, project, wanted,
};

/// Runs every other test of this binary in a process of its own whose [`crate::support::TestCatalog`] is a schema on a
/// server. Tests of SQLite's file are left out.
#[test]
fn the_suite_holds_over_postgresql() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--skip",
            "sqlite_file::",
            "--skip",
            "flips::",
            "--skip",
            "flood::",
            "--skip",
            "postgres::",
            "--skip",
            "machines::",
        ])
        .env(ADDRESS, server.folder())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    let passed: usize = text
        .lines()
        .find_map(|line| line.strip_prefix("test result: ok. "))
        .and_then(|line| line.split(' ').next()?.parse().ok())
        .unwrap();
    assert!(passed > 80, "only {passed} tests ran over PostgreSQL");
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    drop(schema.open(CatalogOptions::default()));
    let mut client = schema.client();
    for found in [8_i64, 77, -1] {
        client
            .execute("UPDATE schema_version SET version = $1", &[&found])
            .unwrap();
        let error = Catalog::connect(&schema.server(), CatalogOptions::default()).unwrap_err();
        let CatalogError::Newer {
            found: named,
            supported,
            ..
        } = &error
        else {
            panic!("{error:?}");
        };
        assert_eq!((*named, *supported), (found, 7));
        let message = error.to_string();
        assert!(message.contains("`postgres://acreta@"), "{message}");
        assert!(error.hint().unwrap().contains("update"));
        let row = client.query_one("SELECT version FROM schema_version", &[]);
        assert_eq!(row.unwrap().get::<_, i64>(0), found);
    }
}

#[test]
fn whoever_waits_too_long_for_a_writer_is_told_and_readers_do_not_wait() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let catalog = schema.open(CatalogOptions {
        wait: Duration::from_millis(50),
        ..CatalogOptions::default()
    });
    find(&catalog, "a", "r1", 1);
    let mut writer = schema.client();
    writer
        .batch_execute(
            "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 1634431333))",
        )
        .unwrap();
    assert!(catalog.session(&key("a")).unwrap().is_some());
    let error = catalog.put_description("digest", "{}").unwrap_err();
    assert!(matches!(error, CatalogError::Busy { .. }), "{error:?}");
    assert!(error.hint().is_some());

    writer.batch_execute("ROLLBACK").unwrap();
    catalog.put_description("digest", "{}").unwrap();
    let known = catalog.description("digest").unwrap();
    assert_eq!(known.as_deref(), Some("{}"));
}

/// Two machines whose clocks are weeks apart agree on who holds a job and for how long.
#[test]
fn leases_go_by_the_servers_clock() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let by_server = || Catalog::connect(&schema.server(), CatalogOptions::default()).unwrap();
    let (slow, fast) = (by_server(), by_server());
    let app = project(&slow, "/src/app");
    let id = enqueue(&slow, "a", app, "r1", 1);
    let servers_ms = || -> u64 {
        let sql = "SELECT CAST(extract(epoch FROM now()) * 1000 AS BIGINT)";
        let now: i64 = schema.client().query_one(sql, &[]).unwrap().get(0);
        now.try_into().unwrap()
    };
    let (long_ago, far_ahead) = (1_000, servers_ms() + 30 * DAY);

    let before = servers_ms();
    let any = ClaimFilter::default();
    let lease = slow.claim("slow", MINUTE, long_ago, &any).unwrap().unwrap();
    let until = job(&slow, &id).lease_until_ms.unwrap();
    assert!((before + MINUTE..=servers_ms() + MINUTE).contains(&until));
    assert_eq!(fast.claim("fast", MINUTE, far_ahead, &any).unwrap(), None);

    // The wait after a failure also ends by the server's clock.
    let failed = slow.fail(&lease, "no", Retry::Later, long_ago).unwrap();
    assert!(failed.not_before_ms >= before);
    assert_eq!(fast.claim("fast", MINUTE, far_ahead, &any).unwrap(), None);

    // A lease that expires by that clock is free.
    schema
        .client()
        .batch_execute("UPDATE jobs SET not_before_ms = 0")
        .unwrap();
    let lease = slow.claim("slow", 1, long_ago, &any).unwrap().unwrap();
    std::thread::sleep(Duration::from_millis(20));
    let taken = fast.claim("fast", MINUTE, long_ago, &any).unwrap().unwrap();
    assert!(taken.token > lease.token);
    assert!(!slow.check(&lease).unwrap());
}

#[test]
fn work_survives_connections_that_are_cut() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let done = worked_through(&schema, |left| {
        let mut client = schema.client();
        let (mut cuts, mut before) = (0, usize::MAX);
        while let Some(now) = left() {
            // Only after some progress: on a slow machine no worker would finish otherwise.
            if now + 5 <= before {
                before = now;
                let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                           WHERE application_name = 'acreta'";
                cuts += client.query_one(cut, &[]).unwrap().get::<_, i64>(0);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        cuts
    });
    println!("{done} connections were cut");
    assert!(done > 0);
}

#[test]
fn work_survives_a_server_that_restarts_and_one_that_crashes() {
    let Some(mut server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let restarts = worked_through(&schema, |left| {
        let mut restarts = 0;
        for signal in ["INT", "KILL", "QUIT"] {
            std::thread::sleep(Duration::from_millis(100));
            if left().is_some() {
                server.stop(signal);
                server.run();
                restarts += 1;
            }
        }
        restarts
    });
    println!("{restarts} restarts");
    assert!(restarts > 0);
}

/// Four workers drain a queue while `trouble` disturbs the server. Each job is done exactly once, in the first attempt:
/// no claim, run or completion is lost or repeated. `trouble` can ask how many jobs are left while workers run.
fn worked_through<T>(
    schema: &TestSchema,
    trouble: impl FnOnce(&dyn Fn() -> Option<usize>) -> T,
) -> T {
    const JOBS: usize = 200;
    let catalog = schema.open(CatalogOptions::default());
    let wanted: Vec<_> = (0..JOBS)
        .map(|number| {
            let id = format!("s{number}");
            find(&catalog, &id, "r1", number as u64);
            wanted(
                &id,
                project(&catalog, &format!("/src/{}", number % 20)),
                "r1",
            )
        })
        .collect();
    catalog.enqueue_all(&wanted, NOW).unwrap();
    drop(catalog);

    let left = AtomicUsize::new(JOBS);
    let has_failed = AtomicBool::new(false);
    let work = |seed: u64| {
        let _alarm = Alarm(&has_failed);
        let patient = schema.open(CatalogOptions {
            seed,
            wait: Duration::from_secs(60),
            ..CatalogOptions::default()
        });
        while left.load(Ordering::SeqCst) > 0 && !has_failed.load(Ordering::SeqCst) {
            if let Some(lease) = claim(&patient, NOW) {
                complete(&patient, &lease);
                left.fetch_sub(1, Ordering::SeqCst);
            }
        }
    };
    let outcome = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|seed| {
                let work = &work;
                scope.spawn(move || work(seed))
            })
            .collect();
        trouble(&|| {
            let is_working = workers.iter().any(|worker| !worker.is_finished());
            is_working.then(|| left.load(Ordering::SeqCst))
        })
    });
    let catalog = schema.open(CatalogOptions::default());
    let jobs = all_jobs(&catalog);
    assert_eq!(jobs.len(), JOBS);
    for job in &jobs {
        assert_eq!(
            (job.state, job.attempt),
            (TaskState::Completed, 1),
            "{job:?}"
        );
    }
    let runs = catalog.runs(&Default::default()).unwrap();
    assert_eq!(runs.len(), JOBS, "a run for each job");
    assert!(runs.iter().all(|run| run.state == TaskState::Completed));
    outcome
}

/// Tells the other workers of a failure: what one of them holds is never done, so they would wait for it forever.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::SeqCst);
        }
    }
}

/// Claims, and waits in between; counts the waits. Returns the lease and when it was had.
fn claim_or_wait(catalog: &Catalog, poll: Duration, waits: &AtomicUsize) -> (Lease, Instant) {
    loop {
        let filter = ClaimFilter::default();
        if let Some(lease) = catalog.claim("waiter", MINUTE, NOW, &filter).unwrap() {
            return (lease, Instant::now());
        }
        waits.fetch_add(1, Ordering::SeqCst);
        catalog.wait_for_work(poll).unwrap();
    }
}

/// Waits until a waiter began to wait so many times. From the second time on it listens.
fn wait_until(waits: &AtomicUsize, times: usize) {
    let until = Instant::now() + Duration::from_secs(60);
    while waits.load(Ordering::SeqCst) < times {
        assert!(Instant::now() < until, "the waiter does not wait");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A worker that looks every thirty seconds has a job at once when it is enqueued.
#[test]
fn a_waiter_is_woken_when_a_job_is_enqueued() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let catalog = schema.open(CatalogOptions::default());
    let app = project(&catalog, "/src/app");
    let mut delays = Vec::new();
    for round in 0..4 {
        let waiter = schema.open(CatalogOptions::default());
        find(&catalog, &format!("s{round}"), "r1", 1);
        let waits = AtomicUsize::new(0);
        let delay = std::thread::scope(|scope| {
            let handle = scope.spawn(|| {
                let waiter = waiter;
                let (lease, at) = claim_or_wait(&waiter, Duration::from_secs(30), &waits);
                complete(&waiter, &lease);
                at
            });
            wait_until(&waits, 2);
            let job = wanted(&format!("s{round}"), app, "r1");
            catalog.enqueue(&job, NOW).unwrap();
            let enqueued = Instant::now();
            handle.join().unwrap().saturating_duration_since(enqueued)
        });
        assert!(delay < Duration::from_secs(15), "{delay:?}");
        delays.push(delay);
    }
    println!("woken after {delays:?}");
    // On a busy machine some have to wait for a processor.
    let fastest = delays.iter().min().unwrap();
    assert!(*fastest < Duration::from_secs(1), "{delays:?}");
}

/// A notification for another schema of the same database wakes nobody.
#[test]
fn a_wake_up_is_for_one_schema() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let (ours, theirs) = (server.schema(), server.schema());
    let waiter = ours.open(CatalogOptions::default());
    assert!(
        waiter.wait_for_work(Duration::from_secs(30)).unwrap(),
        "listens from now on"
    );
    let other = theirs.open(CatalogOptions::default());
    let app = project(&other, "/src/app");
    enqueue(&other, "a", app, "r1", 1);
    assert!(!waiter.wait_for_work(Duration::from_millis(300)).unwrap());
    // One that came while nobody waited is not lost.
    let catalog = ours.open(CatalogOptions::default());
    let app = project(&catalog, "/src/app");
    enqueue(&catalog, "a", app, "r1", 1);
    assert!(waiter.wait_for_work(Duration::from_secs(30)).unwrap());
    assert!(
        !waiter.wait_for_work(Duration::from_millis(50)).unwrap(),
        "heard once"
    );
}

#[test]
fn a_waiter_whose_connection_is_cut_finds_work_by_polling() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let catalog = schema.open(CatalogOptions::default());
    let app = project(&catalog, "/src/app");
    find(&catalog, "a", "r1", 1);
    let waiter = schema.open(CatalogOptions::default());
    let waits = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let handle = scope.spawn(|| {
            let waiter = waiter;
            claim_or_wait(&waiter, Duration::from_millis(500), &waits).0
        });
        for round in 1..=3 {
            wait_until(&waits, 2 * round);
            let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                       WHERE application_name = 'acreta'";
            schema.client().query_one(cut, &[]).unwrap();
        }
        // Put there directly, without an announcement, as if it were lost.
        let job =
            "INSERT INTO jobs (id, session, project, mode, revision, updated_ms, state, created_ms)
                   SELECT 'silent', s.session, p.project, 'sync', 'r1', 0, 'queued', 0
                   FROM sessions s, team_projects p";
        assert_eq!(schema.client().execute(job, &[]).unwrap(), 1);
        let lease = handle.join().unwrap();
        assert_eq!((lease.job.as_str(), lease.project), ("silent", app));
    });
}
