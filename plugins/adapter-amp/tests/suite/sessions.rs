//! Properties of a thread before it is read, and the files that hold threads.

use std::fs;

use acreta_sdk::adapter::testing::{ReadResult, START, put, sessions};
use acreta_sdk::adapter::{Adapter, Session};
use adapter_amp::Amp;

use crate::{CUT, EMPTY, HANDED_OFF, LABELS, fixture};

fn session(name: &str) -> Session {
    let mut found = sessions::<Amp>(&fixture(name));
    assert_eq!(found.len(), 1, "{name}");
    found.remove(0)
}

fn attribute<'a>(session: &'a Session, key: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| &**value)
}

#[test]
fn a_thread_says_where_and_when_it_was() {
    let session = session(LABELS);
    assert_eq!(format!("{}.json", session.id), LABELS);
    assert_eq!(
        session.project_dir.as_deref(),
        Some("/home/mira/parcel desk")
    );
    assert_eq!(session.started_ms, Some(1_772_300_000_000));
    // The reply at 17:37:00 came last.
    assert_eq!(session.updated_ms, Some(1_772_300_220_000));
    assert_eq!(session.parent, None);
    let expected = [
        ("title", Some("Print labels from the outbox")),
        ("branch", Some("label-printing")),
        ("version", Some("0.0.1772200000-gaaaaaa")),
        ("model", Some("claude-opus-4-6")),
        ("relation", None),
        ("empty", None),
    ];
    for (key, value) in expected {
        assert_eq!(attribute(&session, key), value, "{key}");
    }
}

#[test]
fn a_thread_that_was_handed_off_has_a_parent() {
    let session = session(HANDED_OFF);
    let parent = session.parent.as_deref();
    assert_eq!(
        parent.map(|id| format!("{id}.json")).as_deref(),
        Some(LABELS)
    );
    assert_eq!(attribute(&session, "relation"), Some("fork"));
}

#[test]
fn a_thread_without_a_word_says_so() {
    assert_eq!(attribute(&session(EMPTY), "empty"), Some("true"));
    // The missing part may have had conversation.
    assert_eq!(attribute(&session(CUT), "empty"), None);
}

#[test]
fn only_threads_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let table = [
        ("empty", "", 0),
        ("a list", "[]", 0),
        (
            "no id",
            r#"{"v":1,"created":1772300000000,"messages":[]}"#,
            0,
        ),
        (
            "another id",
            r#"{"v":1,"id":"x","created":1772300000000,"messages":[]}"#,
            0,
        ),
        ("no time", r#"{"v":1,"id":"T-1","messages":[]}"#, 0),
        (
            "nothing but an id and a time",
            r#"{"id":"T-1","created":1}"#,
            0,
        ),
        (
            "an old thread",
            r#"{"id":"T-1","created":1772300000000,"messages":[]}"#,
            1,
        ),
        (
            "a thread",
            r#"{"v":1,"id":"T-1","created":1772300000000,"messages":[]}"#,
            1,
        ),
    ];
    for (name, text, expected) in table {
        let path = folder.path().join("thread.json");
        put(&path, text);
        assert_eq!(sessions::<Amp>(&path).len(), expected, "{name}");
    }
}

#[test]
fn a_rewritten_thread_is_the_same_with_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thread.json");
    let text = fs::read_to_string(fixture(HANDED_OFF)).unwrap();
    put(&path, &text);
    let before = sessions::<Amp>(&path).remove(0);
    let cursor = Amp::read(&before, &START, &mut ReadResult::default()).unwrap();

    put(&path, text.replace("passes.", "fails."));
    let after = sessions::<Amp>(&path).remove(0);
    assert_eq!(after.id, before.id);
    assert_ne!(after.revision, before.revision);
    let refused = Amp::read(&after, &cursor, &mut ReadResult::default());
    assert_eq!(refused.unwrap_err().code, "invalid-cursor");
}
