//! Reopening: persistence, and ids created by two processes.

use acreta_state::TaskState;

use crate::support::{NOW, TestCatalog, enqueue, job, key, project};

#[test]
fn what_was_written_is_there_after_reopening() {
    let place = TestCatalog::new();
    let catalog = place.open();
    let app = project(&catalog, "/src/app");
    let id = enqueue(&catalog, "a", app, "r1", 1);
    drop(catalog);

    let catalog = place.open();
    assert_eq!(job(&catalog, &id).state, TaskState::Queued);
    assert!(catalog.session(&key("a")).unwrap().is_some());
}

#[test]
fn ids_sort_by_time_and_are_never_given_twice() {
    let place = TestCatalog::new();
    // Two processes that start from the same seed at the same moment.
    let (left, right) = (place.open(), place.open());
    let app = project(&left, "/src/app");
    let mut ids = Vec::new();
    for number in 0..20 {
        let catalog = if number % 2 == 0 { &left } else { &right };
        ids.push(enqueue(catalog, &format!("s{number}"), app, "r1", 1));
    }
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    let of_one: Vec<_> = ids.iter().step_by(2).collect();
    assert!(of_one.is_sorted(), "{of_one:?}");
    assert!(ids[0].as_str() < ulid_of(NOW + 1).as_str());
    assert!(ids[0].as_str() > ulid_of(NOW - 1).as_str());
}

fn ulid_of(time_ms: u64) -> String {
    ulid::Ulid::from_parts(time_ms, 0).to_string()
}
