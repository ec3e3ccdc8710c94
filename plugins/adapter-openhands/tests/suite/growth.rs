//! Files that grow: a trajectory is read whole each time, a task of an evaluation once.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, files, read, sessions, steps};
use adapter_openhands::OpenHands;

use crate::support::{fixtures, scratch, session};

#[test]
fn steps_tell_what_the_whole_tells() {
    let scratch = tempfile::tempdir().unwrap();
    for path in files(&fixtures()) {
        steps::<OpenHands>(&path, scratch.path(), 311);
    }
}

#[test]
fn a_trajectory_that_changed_refuses_the_cursor() {
    let event = |words: &str| {
        format!(
            "[{{\"timestamp\":\"2026-01-01T00:00:00\",\"source\":\"user\",\"action\":\"message\",\
             \"args\":{{\"content\":\"{words}\"}}}}]"
        )
    };
    let scratch = scratch();
    scratch.write(&event("one"));
    let before = session(&scratch.path());
    let (_, cursor) = read::<OpenHands>(&before, &START);
    assert!(read::<OpenHands>(&before, &cursor).0.events.is_empty());
    scratch.write(&event("two"));
    let after = session(&scratch.path());
    assert_eq!(before.id, after.id);
    assert_ne!(before.revision, after.revision);
    let failed = OpenHands::read(&after, &cursor, &mut ReadResult::default());
    assert_eq!(failed.unwrap_err().code, "invalid-cursor");
}

#[test]
fn further_tasks_change_nothing_of_the_first() {
    let line = r#"{"instance_id":"a","instruction":"x","git_patch":"","history":[]}"#;
    let scratch = scratch();
    scratch.write(&format!("{line}\n"));
    let before = sessions::<OpenHands>(&scratch.path());
    let (_, cursor) = read::<OpenHands>(&before[0], &START);
    scratch.write(&format!("{line}\n{}\n", line.replace("\"a\"", "\"b\"")));
    let after = sessions::<OpenHands>(&scratch.path());
    assert_eq!((before.len(), after.len()), (1, 2));
    assert_eq!(before[0].revision, after[0].revision);
    let (told, end) = read::<OpenHands>(&after[0], &cursor);
    assert!(told.events.is_empty());
    assert_eq!(end, cursor);
}
