//! Far more jobs than usual: memory stays flat, whoever comes too late is told so, and the order holds.

use std::time::Instant;

use acreta_state::{CatalogOptions, Enqueued};

use crate::support::{NOW, TestCatalog, claim, complete, discovery, project, session, wanted};

const BATCH: usize = 1_000;
const CLAIMED: usize = 200;

/// `ACRETA_TEST_JOBS` sets the number of jobs. Memory is compared with that after the first tenth.
#[test]
fn a_flood_of_jobs_stays_in_bounds_and_in_order() {
    let jobs = acreta_testing::count("ACRETA_TEST_JOBS", 10_000);
    let place = TestCatalog::new();
    let catalog = place.open_with(CatalogOptions {
        capacity: jobs as u64,
        ..CatalogOptions::default()
    });
    let app = project(&catalog, "/src/app");
    let started = Instant::now();
    let mut resident = Vec::new();
    let name = |number: usize| format!("s{number:07}");
    let mut full = 0;
    // The last batch finds the queue full.
    for first in (0..jobs + BATCH).step_by(BATCH) {
        let batch = first..first + BATCH;
        let found: Vec<_> = { batch.clone() }
            .map(|number| {
                let session = session(&name(number), "r1", number as u64);
                discovery(
                    &format!("/home/u/{}.jsonl", name(number)),
                    10,
                    vec![session],
                )
            })
            .collect();
        catalog.record("claude", &found, NOW).unwrap();
        let all: Vec<_> = batch
            .map(|number| wanted(&name(number), app, "r1"))
            .collect();
        let enqueued = catalog.enqueue_all(&all, NOW).unwrap();
        full += enqueued
            .iter()
            .filter(|one| **one == Enqueued::Full)
            .count();
        resident.extend(resident_kilobytes());
    }
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(full, BATCH, "a queue that is full says so");
    assert_eq!(catalog.live_jobs().unwrap(), jobs as u64);
    for number in 0..CLAIMED {
        let lease = claim(&catalog, NOW).unwrap();
        assert_eq!(lease.session.id, name(jobs - 1 - number), "newest first");
        complete(&catalog, &lease);
    }
    // The samples are after each batch.
    let tenth = resident.get((jobs / 10 / BATCH).max(1) - 1);
    let (first, last) = tenth.zip(resident.last()).unwrap_or((&0, &0));
    println!(
        "{jobs} jobs, {:.0} a second; resident: {:.1} MB after a tenth of them, {:.1} MB at the end",
        jobs as f64 / seconds,
        *first as f64 / 1024.0,
        *last as f64 / 1024.0,
    );
    assert!(*last < first + 16 * 1024, "{resident:?} KB");
}

/// Returns the resident memory of this process, where the system tells it.
fn resident_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}
