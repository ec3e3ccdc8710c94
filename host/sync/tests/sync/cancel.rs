//! A cancelled job changes nothing, whatever its state, and its session is not processed until a person asks.

use std::sync::atomic::{AtomicUsize, Ordering};

use acreta_state::{Catalog, JobFilter, TaskState};
use acreta_sync::Watcher;

use crate::library::SessionHome;

/// Cancels the running job at the nth step that ends.
struct Impatient {
    catalog: std::sync::Mutex<Catalog>,
    left: AtomicUsize,
}

impl Watcher for Impatient {
    fn fault_point(&self, point: &str) {
        if point == "step-done" && self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            let catalog = self.catalog.lock().unwrap();
            let job = running(&catalog).remove(0);
            catalog.cancel(&job, 1).unwrap();
        }
    }
}

fn running(catalog: &Catalog) -> Vec<String> {
    let filter = JobFilter {
        state: Some(TaskState::Running),
        ..JobFilter::default()
    };
    let jobs = catalog.jobs(&filter).unwrap();
    jobs.into_iter().map(|job| job.id).collect()
}

#[test]
fn a_job_stops_before_its_next_step_and_stays_cancelled() {
    // From `validate` to `decide`; `write` is the step that commits.
    for step in 1..=6 {
        let library = SessionHome::new();
        library.write(1, 3);
        let watcher = Impatient {
            catalog: std::sync::Mutex::new(library.catalog()),
            left: AtomicUsize::new(step),
        };
        let report = library.sync_watched(&watcher);
        assert_eq!(report.runs[0].state, "cancelled", "step {step}: {report:?}");
        assert!(!library.has_memory(), "step {step}");
        let jobs = library.catalog().jobs(&JobFilter::default()).unwrap();
        assert_eq!(jobs[0].state, TaskState::Cancelled, "step {step}");

        // The session grows, which starts the next sync.
        for events in [3, 4] {
            library.write(1, events);
            let report = library.sync();
            assert_eq!(
                (report.queued, report.ran),
                (0, 0),
                "step {step}: {report:?}"
            );
        }
        library.catalog().retry(&jobs[0].id).unwrap();
        assert_eq!(library.sync().ran, 1, "step {step}");
        assert!(library.has_memory(), "step {step}");
        library.write(1, 5);
        assert_eq!(library.sync().ran, 1, "what was tried again goes on");
    }
}
