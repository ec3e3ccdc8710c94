//! Concurrency: threads with their own connections stand for CLI and daemon.

use std::collections::BTreeSet;
use std::sync::Barrier;

use acreta_state::{CatalogOptions, Job, TaskState};

use crate::support::{NOW, TestCatalog, all_jobs, claim, complete, find, project, wanted};

#[test]
fn many_open_a_new_database_at_once() {
    for _ in 0..10 {
        let place = TestCatalog::new();
        let start = Barrier::new(8);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (place, start) = (&place, &start);
                scope.spawn(move || {
                    start.wait();
                    let catalog = place.open();
                    find(&catalog, &format!("s{number}"), "r1", 1);
                });
            }
        });
        assert_eq!(place.open().sessions(&Default::default()).unwrap().len(), 8);
    }
}

#[test]
fn every_job_is_claimed_once() {
    const JOBS: usize = 200;
    let place = TestCatalog::new();
    let catalog = place.open();
    let projects: Vec<_> = (0..7)
        .map(|number| project(&catalog, &format!("/src/{number}")))
        .collect();
    let jobs: Vec<_> = (0..JOBS)
        .map(|number| {
            let id = format!("s{number}");
            find(&catalog, &id, "r1", number as u64);
            wanted(&id, projects[number % projects.len()], "r1")
        })
        .collect();
    catalog.enqueue_all(&jobs, NOW).unwrap();

    let start = Barrier::new(2);
    let work = |seed: u64| -> Vec<(String, u64)> {
        let catalog = place.open_with(CatalogOptions {
            seed,
            ..CatalogOptions::default()
        });
        start.wait();
        let mut done = Vec::new();
        while let Some(lease) = claim(&catalog, NOW) {
            complete(&catalog, &lease);
            done.push((lease.job, lease.token));
        }
        done
    };
    let (left, right) = std::thread::scope(|scope| {
        let threads = [scope.spawn(|| work(1)), scope.spawn(|| work(2))];
        let [left, right] = threads.map(|thread| thread.join().unwrap());
        (left, right)
    });
    for done in [&left, &right] {
        assert!(done.is_sorted_by_key(|(_, token)| *token));
    }
    let all: Vec<_> = left.into_iter().chain(right).collect();
    assert_eq!(all.len(), JOBS);
    let ids: BTreeSet<_> = all.iter().map(|(job, _)| job).collect();
    let tokens: BTreeSet<_> = all.iter().map(|(_, token)| token).collect();
    assert_eq!((ids.len(), tokens.len()), (JOBS, JOBS));
    let completed = |job: &Job| job.state == TaskState::Completed && job.attempt == 1;
    assert!(all_jobs(&catalog).iter().all(completed));
}
