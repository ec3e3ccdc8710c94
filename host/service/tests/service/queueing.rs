//! `queue` and `status`: jobs as people see and change them.

use std::collections::BTreeMap;

use acreta_service::learn::queue::{JobChange, QueueRequest, TaskState, change, list, show};
use acreta_service::{Kind, overview::status};

use crate::world::{World, assert_fails};

fn asked(state: Option<TaskState>) -> QueueRequest {
    QueueRequest { state, limit: 100 }
}

#[test]
fn a_fresh_home_has_nothing_to_tell() {
    let world = World::new();
    let status = status::status(&world.context()).unwrap();
    assert_eq!(status.sessions, []);
    assert_eq!(status.jobs.values().sum::<u64>(), 0, "{:?}", status.jobs);
    assert_eq!((status.dead_letters, status.pending), (0, 0));
    assert_eq!(status.oldest_queued_ms, None);
    assert!(status.models_today.is_none() && status.waiting.is_empty());
    assert_eq!(list(&asked(None), &world.context()).unwrap().jobs, []);
}

#[test]
fn a_job_changes_as_its_state_allows() {
    use JobChange::{Cancel, Retry, Skip};
    use TaskState::{Cancelled, Queued};
    // Changes in order, each with the resulting state, or `None` if it is refused.
    let table: [&[(JobChange, Option<TaskState>)]; 5] = [
        &[(Retry, None)],
        &[(Cancel, Some(Cancelled)), (Cancel, None)],
        &[(Cancel, Some(Cancelled)), (Retry, Some(Queued))],
        &[(Skip, Some(Cancelled)), (Skip, None)],
        &[
            (Skip, Some(Cancelled)),
            (Retry, Some(Queued)),
            (Cancel, Some(Cancelled)),
        ],
    ];
    for changes in table {
        let world = World::new();
        let id = world.enqueue("s1");
        let mut state = Queued;
        for (asked, expected) in changes {
            let done = change(&id, *asked, &world.context());
            match expected {
                Some(expected) => state = *expected,
                None => assert_fails(done, Kind::Failure, "cannot be"),
            }
            let job = show(&id, &world.context()).unwrap();
            assert_eq!(job.state, state, "{changes:?}");
        }
        let jobs = status::status(&world.context()).unwrap().jobs;
        let expected: BTreeMap<String, u64> = [(state.to_string(), 1)].into();
        assert_eq!(jobs, expected, "{changes:?}");
    }
}

#[test]
fn jobs_are_listed_by_state_and_found_by_their_beginning() {
    let world = World::new();
    let (first, second) = (world.enqueue("s1"), world.enqueue("s2"));
    change(&second, JobChange::Skip, &world.context()).unwrap();
    let ids = |state: Option<TaskState>| -> Vec<String> {
        let jobs = list(&asked(state), &world.context()).unwrap().jobs;
        jobs.into_iter().map(|job| job.id).collect()
    };
    // Completed jobs are listed on request only.
    assert_eq!(ids(None), std::slice::from_ref(&first));
    assert_eq!(ids(Some(TaskState::Queued)), std::slice::from_ref(&first));
    assert_eq!(
        ids(Some(TaskState::Cancelled)),
        std::slice::from_ref(&second)
    );
    assert_eq!(ids(Some(TaskState::Failed)), Vec::<String>::new());

    let job = show(&first, &world.context()).unwrap();
    assert_eq!((job.agent.as_str(), job.session.as_str()), ("claude", "s1"));
    assert_eq!(job.project, world.path("project"));
    let missing = show("zzzz", &world.context());
    assert_fails(missing, Kind::Missing, "no such job: `zzzz`");
    let shared = first
        .bytes()
        .zip(second.bytes())
        .take_while(|(left, right)| left == right);
    let prefix = &first[..shared.count()];
    if !prefix.is_empty() {
        assert_fails(show(prefix, &world.context()), Kind::Usage, "several jobs");
    }
}
