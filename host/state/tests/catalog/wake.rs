//! Workers that wait for work, on either database.

use std::time::{Duration, Instant};

use crate::support::{TestCatalog, enqueue, project};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(30);

#[test]
fn a_waiter_hears_of_new_jobs_and_gives_up_in_time() {
    let place = TestCatalog::new();
    let (waiter, other) = (place.open(), place.open());
    let app = project(&other, "/src/app");
    let began = Instant::now();
    assert!(
        waiter.wait_for_work(LONG).unwrap(),
        "the first wait is none"
    );
    assert!(!waiter.wait_for_work(SHORT).unwrap(), "nothing happened");

    // Before it waits.
    enqueue(&other, "a", app, "r1", 1);
    assert!(waiter.wait_for_work(LONG).unwrap());
    assert!(!waiter.wait_for_work(SHORT).unwrap(), "heard once");

    // While it waits.
    let heard = std::thread::scope(|scope| {
        let handle = scope.spawn(|| {
            let waiter = waiter;
            waiter.wait_for_work(LONG).unwrap()
        });
        std::thread::sleep(SHORT);
        enqueue(&other, "b", app, "r1", 1);
        handle.join().unwrap()
    });
    assert!(heard);
    assert!(began.elapsed() < LONG, "no wait went on to its end");
}
