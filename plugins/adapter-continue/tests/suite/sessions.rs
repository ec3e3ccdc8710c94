//! Properties of a session before it is read, and the files that hold sessions.

use std::fs;

use acreta_sdk::adapter::testing::{ReadResult, START, put, sessions};
use acreta_sdk::adapter::{Adapter, Session};
use adapter_continue::Continue;

use crate::{CUT, EMPTY, IMPORTER, fixture};

fn session(name: &str) -> Session {
    let mut found = sessions::<Continue>(&fixture(name));
    assert_eq!(found.len(), 1, "{name}");
    found.remove(0)
}

fn attribute<'a>(session: &'a Session, key: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| &**value)
}

#[test]
fn a_session_says_where_and_when_it_was() {
    let table = [
        (
            IMPORTER,
            Some("/home/tomas/club ledger"),
            Some(1_769_000_000_000),
        ),
        (
            EMPTY,
            Some("/home/tomas/club ledger"),
            Some(1_769_000_400_000),
        ),
        (CUT, None, None),
    ];
    for (name, directory, started) in table {
        let session = session(name);
        assert_eq!(format!("{}.json", session.id), name);
        assert_eq!(session.project_dir.as_deref(), directory, "{name}");
        assert_eq!(session.started_ms, started, "{name}");
    }
    let session = session(IMPORTER);
    assert_eq!(
        attribute(&session, "title"),
        Some("Import members from CSV")
    );
    assert_eq!(attribute(&session, "model"), Some("Claude Sonnet"));
}

#[test]
fn a_session_without_a_word_says_so() {
    let table = [(EMPTY, Some("true")), (CUT, None), (IMPORTER, None)];
    for (name, expected) in table {
        assert_eq!(attribute(&session(name), "empty"), expected, "{name}");
    }
}

#[test]
fn only_sessions_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let table = [
        ("nothing", "", 0),
        (
            "the list of sessions",
            r#"[{"sessionId":"a","workspaceDirectory":"/x"}]"#,
            0,
        ),
        (
            "no history",
            r#"{"sessionId":"a","workspaceDirectory":"/x"}"#,
            0,
        ),
        ("no directory", r#"{"sessionId":"a","history":[]}"#, 0),
        ("no id", r#"{"workspaceDirectory":"/x","history":[]}"#, 0),
        (
            "a session",
            r#"{"sessionId":"a","workspaceDirectory":"/x","history":[]}"#,
            1,
        ),
    ];
    for (name, text, expected) in table {
        let path = folder.path().join("session.json");
        put(&path, text);
        assert_eq!(sessions::<Continue>(&path).len(), expected, "{name}");
    }
}

#[test]
fn a_rewritten_session_is_the_same_with_another_revision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.json");
    let text = fs::read_to_string(fixture(IMPORTER)).unwrap();
    put(&path, &text);
    let before = sessions::<Continue>(&path).remove(0);
    let cursor = Continue::read(&before, &START, &mut ReadResult::default()).unwrap();

    put(&path, text.replace("3 passed", "4 passed"));
    let after = sessions::<Continue>(&path).remove(0);
    assert_eq!(after.id, before.id);
    assert_ne!(after.revision, before.revision);
    let refused = Continue::read(&after, &cursor, &mut ReadResult::default());
    assert_eq!(refused.unwrap_err().code, "invalid-cursor");
}
