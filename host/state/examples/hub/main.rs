//! Measures claims and completions per second of the queue on PostgreSQL, with 1, 4 and 16 workers, against a bare loop
//! of `FOR UPDATE SKIP LOCKED` on the same server in the same run. Commits are synced to disk, as in production. Then
//! the queries of a catalog with a million sessions.
//!
//! `cargo xtask bench hub [JOBS] [SESSIONS]`; no jobs or no sessions leave out that part.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot go on has failed, and talks to the person who started it"
)]

#[cfg(unix)]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../../tests/catalog/server.rs"]
mod server;

#[cfg(unix)]
mod million;

fn main() {
    #[cfg(unix)]
    hub::main();
    #[cfg(not(unix))]
    println!("skipped: PostgreSQL is started on Unix alone");
}

#[cfg(unix)]
mod hub {
    use std::sync::{Barrier, Mutex};
    use std::time::{Duration, Instant};

    use acreta_fs::Stamp;
    use acreta_state::{
        Catalog, CatalogOptions, Completion, Discovery, Finding, Found, Lease, SessionKey, Wanted,
    };
    use acreta_types::{Attrs, Identity, Session};

    use crate::server::{TestSchema, TestServer};

    pub(crate) const NOW: u64 = 1_780_000_000_000;
    const PROJECTS: usize = 100;
    const ROUNDS: usize = 3;

    /// Times in which all jobs were claimed and completed.
    #[derive(Default)]
    struct Times {
        claim: Duration,
        complete: Duration,
    }

    /// One worker. In each round all workers claim, then all begin a run, then all complete.
    trait Worker {
        fn claim(&mut self);
        fn begin(&mut self) {}
        fn complete(&mut self);
    }

    pub(crate) fn main() {
        let number = |at: usize, otherwise: usize| {
            let argument = std::env::args().nth(at);
            argument.map_or(otherwise, |argument| argument.parse().unwrap())
        };
        let (jobs, sessions) = (number(1, 600), number(2, 1_000_000));
        let Some(server) = TestServer::start_with(&["fsync=on"]) else {
            return;
        };
        println!("{jobs} jobs of {PROJECTS} projects, {ROUNDS} rounds each in turn; per second:");
        println!("workers   claims    bare   ratio   completions    bare   ratio");
        let mut rows = Vec::new();
        for workers in [1, 4, 16].into_iter().filter(|_| jobs > 0) {
            let (mut ours, mut bare) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                ours.push(queue(&server.schema(), jobs, workers));
                bare.push(skip_locked(&server.schema(), jobs, workers));
            }
            let rate = |all: &[Times], of: fn(&Times) -> Duration| {
                let mut times: Vec<f64> = all.iter().map(|one| of(one).as_secs_f64()).collect();
                times.sort_by(f64::total_cmp);
                (jobs / workers * workers) as f64 / times[times.len() / 2]
            };
            let row = [
                rate(&ours, |times| times.claim),
                rate(&bare, |times| times.claim),
                rate(&ours, |times| times.complete),
                rate(&bare, |times| times.complete),
            ];
            println!(
                "{workers:7} {:8.0} {:7.0} {:7.2} {:13.0} {:7.0} {:7.2}",
                row[0],
                row[1],
                row[0] / row[1],
                row[2],
                row[3],
                row[2] / row[3],
            );
            rows.push(serde_json::json!({
                "workers": workers,
                "claims_per_s": row[0],
                "bare_claims_per_s": row[1],
                "completions_per_s": row[2],
                "bare_completions_per_s": row[3],
            }));
        }
        let million = (sessions > 0).then(|| crate::million::measure(&server, sessions));
        println!(
            "{}",
            serde_json::json!({"bench": "hub", "jobs": jobs, "rows": rows, "scale": million})
        );
    }

    /// Drains a queue of the catalog.
    fn queue(schema: &TestSchema, jobs: usize, workers: usize) -> Times {
        let catalog = schema.open(CatalogOptions::default());
        fill(&catalog, jobs);
        // As the server's own housekeeping does.
        schema.client().batch_execute("ANALYZE").unwrap();
        measure(jobs, workers, || QueueWorker {
            catalog: schema.open(CatalogOptions::default()),
            lease: None,
        })
    }

    struct QueueWorker {
        catalog: Catalog,
        lease: Option<Lease>,
    }

    impl QueueWorker {
        fn run(&self) -> (&Lease, String) {
            let lease = self.lease.as_ref().unwrap();
            (lease, format!("run-{}", lease.token))
        }
    }

    impl Worker for QueueWorker {
        fn claim(&mut self) {
            // Another worker may be claiming the job that is next.
            while self.lease.is_none() {
                let lease = (self.catalog).claim("worker", 60_000, NOW, &Default::default());
                self.lease = lease.unwrap();
            }
        }

        fn begin(&mut self) {
            let (lease, run_id) = self.run();
            let begun = (self.catalog).begin_leased_run(lease, &run_id, "/run".into(), NOW);
            begun.unwrap();
        }

        fn complete(&mut self) {
            let (lease, run_id) = self.run();
            let completion = Completion {
                run_id,
                ran_revision: lease.revision.clone(),
                cursor: None,
                counts: serde_json::json!({"add": 1}),
                reading: None,
            };
            self.catalog.complete(lease, &completion, NOW).unwrap();
            self.lease = None;
        }
    }

    /// The minimum that a queue must do: take the next unlocked row, and finish it.
    fn skip_locked(schema: &TestSchema, jobs: usize, workers: usize) -> Times {
        schema
            .client()
            .batch_execute(&format!(
                "CREATE TABLE bare (id BIGINT PRIMARY KEY, updated_ms BIGINT NOT NULL, state TEXT NOT NULL);
                 CREATE INDEX bare_queued ON bare (updated_ms DESC, id) WHERE state = 'queued';
                 INSERT INTO bare SELECT n, n, 'queued' FROM generate_series(1, {jobs}) AS n;
                 ANALYZE bare"
            ))
            .unwrap();
        measure(jobs, workers, || {
            let mut client = schema.client();
            let next = "SELECT id FROM bare WHERE state = 'queued' ORDER BY updated_ms DESC, id
                        LIMIT 1 FOR UPDATE SKIP LOCKED";
            BareWorker {
                next: client.prepare(next).unwrap(),
                put: client
                    .prepare("UPDATE bare SET state = $2 WHERE id = $1")
                    .unwrap(),
                client,
                id: 0,
            }
        })
    }

    struct BareWorker {
        client: postgres::Client,
        next: postgres::Statement,
        put: postgres::Statement,
        id: i64,
    }

    impl Worker for BareWorker {
        fn claim(&mut self) {
            let mut transaction = self.client.transaction().unwrap();
            self.id = transaction.query_one(&self.next, &[]).unwrap().get(0);
            transaction
                .execute(&self.put, &[&self.id, &"running"])
                .unwrap();
            transaction.commit().unwrap();
        }

        fn complete(&mut self) {
            let mut transaction = self.client.transaction().unwrap();
            transaction
                .execute(&self.put, &[&self.id, &"completed"])
                .unwrap();
            transaction.commit().unwrap();
        }
    }

    /// Lets workers do jobs in rounds, each step of a round together, and returns the sums of the times of the steps.
    fn measure<W: Worker>(jobs: usize, workers: usize, worker: impl Fn() -> W + Sync) -> Times {
        let together = Barrier::new(workers);
        let times = Mutex::new(Times::default());
        let step = |worker: &mut W, act: fn(&mut W), add: fn(&mut Times, Duration)| {
            together.wait();
            let begun = Instant::now();
            act(worker);
            if together.wait().is_leader() {
                add(&mut times.lock().unwrap(), begun.elapsed());
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let mut worker = worker();
                    for _ in 0..jobs / workers {
                        step(&mut worker, W::claim, |times, took| times.claim += took);
                        step(&mut worker, W::begin, |_, _| ());
                        step(&mut worker, W::complete, |times, took| {
                            times.complete += took
                        });
                    }
                });
            }
        });
        times.into_inner().unwrap()
    }

    fn fill(catalog: &Catalog, jobs: usize) {
        let projects: Vec<_> = (0..PROJECTS)
            .map(|number| {
                let root = format!("/src/{number}");
                let project = catalog.register(root.as_str().into(), &Identity::default(), NOW);
                project.unwrap().id
            })
            .collect();
        let found: Vec<_> = (0..jobs).map(discovery).collect();
        catalog.record("claude", &found, NOW).unwrap();
        let wanted: Vec<_> = (0..jobs)
            .map(|number| Wanted {
                session: SessionKey::new("claude", format!("s{number}")),
                project: projects[number % PROJECTS],
                mode: "sync".to_owned(),
                revision: "r1".to_owned(),
            })
            .collect();
        catalog.enqueue_all(&wanted, NOW).unwrap();
    }

    fn discovery(number: usize) -> Discovery {
        let session = Session {
            id: format!("s{number}"),
            agent: "claude".to_owned(),
            path: format!("/claude/{number}.jsonl"),
            project_dir: None,
            parent: None,
            started_ms: Some(1),
            updated_ms: Some(number as u64),
            revision: "r1".to_owned(),
            attrs: Attrs::default(),
        };
        Discovery {
            path: format!("/home/u/{number}.jsonl").into(),
            stamp: Stamp {
                bytes: 1,
                modified_ns: 1,
                changed_ns: 1,
                inode: 1,
            },
            finding: Finding::Sessions(vec![Found {
                session,
                root: "claude".to_owned(),
            }]),
        }
    }
}
