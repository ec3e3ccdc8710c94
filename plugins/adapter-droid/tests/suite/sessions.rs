//! Properties of a session before it is read.

use acreta_sdk::adapter::testing::{START, Scratch, only_session, read, sessions};
use adapter_droid::Droid;

use crate::{DROID, fixture};

const CHILD: &str = "-home-mira-kelp-log/c0c0c0c0-0000-4000-8000-000000000001.jsonl";

#[test]
fn a_session_says_where_and_when_it_was() {
    let session = only_session::<Droid>(&fixture(DROID));
    assert_eq!(session.id, "9a7b6c5d-4e3f-4a21-8b10-c9d8e7f60504");
    assert_eq!(session.project_dir.as_deref(), Some("/home/mira/kelp-log"));
    assert_eq!(session.started_ms, Some(1_780_560_000_000));
    assert_eq!(session.updated_ms, Some(1_780_560_009_000));
    assert_eq!(session.parent, None);
}

#[test]
fn what_an_agent_asks_its_helper_is_no_persons_word() {
    let session = only_session::<Droid>(&fixture(CHILD));
    let parent = "9a7b6c5d-4e3f-4a21-8b10-c9d8e7f60504";
    assert_eq!(session.parent.as_deref(), Some(parent));
    let (told, _) = read::<Droid>(&session, &START);
    assert_eq!(told.texts(), [("user", "injected", "Search for wind.")]);
}

#[test]
fn a_session_without_its_first_record_is_nobodys() {
    let scratch = Scratch::<Droid>::new("session.jsonl");
    scratch.write("{\"type\":\"message\",\"id\":\"m1\",\"message\":{\"role\":\"user\"}}\n");
    assert!(sessions::<Droid>(&scratch.path()).is_empty());
}
