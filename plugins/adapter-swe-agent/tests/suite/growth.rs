//! A rewritten document: it is read whole, and an old cursor is refused.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, files, read, steps};
use adapter_swe_agent::SweAgent;

use crate::support::{fixtures, scratch, session};

#[test]
fn steps_tell_what_the_whole_tells() {
    let scratch = tempfile::tempdir().unwrap();
    for path in files(&fixtures()) {
        steps::<SweAgent>(&path, scratch.path(), 97);
    }
}

#[test]
fn a_document_that_changed_refuses_the_cursor() {
    let text = |words: &str| {
        format!(
            "{{\"history\":[{{\"role\":\"user\",\"content\":\"{words}\",\"agent\":\"main\"}}]}}"
        )
    };
    let scratch = scratch();
    scratch.write(&text("one"));
    let before = session(&scratch.path());
    let (told, cursor) = read::<SweAgent>(&before, &START);
    assert_eq!(told.texts(), [("user", "injected", "one")]);
    assert!(read::<SweAgent>(&before, &cursor).0.events.is_empty());
    scratch.write(&text("two"));
    assert_ne!(session(&scratch.path()).revision, before.revision);
    let failed = SweAgent::read(&before, &cursor, &mut ReadResult::default());
    assert_eq!(failed.unwrap_err().code, "invalid-cursor");
    scratch.write("[]");
    let (told, _) = read::<SweAgent>(&before, &START);
    assert_eq!(told.messages(), ["not a trajectory any more"]);
}
