//! Properties of a session before it is read, and the files that hold sessions.

use acreta_sdk::adapter::testing::{put, sessions};
use adapter_gemini::Gemini;

use crate::support::{DIGEST, SENSOR, SUBAGENT, attribute, fixture, old_fixture, session};

#[test]
fn a_session_says_where_and_when_it_was() {
    let session = session(&fixture(SENSOR));
    assert_eq!(session.id, "3f2a1b0c-7d5e-4c1a-9b8d-2e6f4a8c0d11");
    assert_eq!(session.project_dir.as_deref(), Some("/home/ines/orchard"));
    assert_eq!(session.started_ms, Some(1_777_885_800_000));
    assert_eq!(session.updated_ms, Some(1_777_885_900_000));
    assert_eq!(session.parent, None);
    let expected = [
        ("title", Some("Rain sensor for the pump schedule")),
        ("model", Some("gemini-3-pro")),
        ("project_digest", None),
        ("relation", None),
        ("empty", None),
    ];
    for (key, value) in expected {
        assert_eq!(attribute(&session, key), value, "{key}");
    }
}

#[test]
fn a_subagent_has_a_parent_and_a_registered_project() {
    let session = session(&fixture(SUBAGENT));
    assert_eq!(session.id, "ines-sub-1");
    let parent = "3f2a1b0c-7d5e-4c1a-9b8d-2e6f4a8c0d11";
    assert_eq!(session.parent.as_deref(), Some(parent));
    assert_eq!(attribute(&session, "relation"), Some("subagent"));
    assert_eq!(session.project_dir.as_deref(), Some("/home/ines/meadow"));
}

#[test]
fn a_project_without_a_name_is_known_by_its_digest() {
    for name in ["9c8b7a60", "c0c0c0c0", "11ff11ff"] {
        let session = session(&old_fixture(name));
        assert_eq!(session.project_dir, None, "{name}");
        assert_eq!(
            attribute(&session, "project_digest"),
            Some(DIGEST),
            "{name}"
        );
        assert!(session.id.starts_with("9c8b7a60-1111"), "{name}");
    }
}

#[test]
fn a_session_without_a_header_has_the_name_of_its_file() {
    let session = session(&fixture("orchard/chats/session-without-header.jsonl"));
    assert_eq!(session.id, "session-without-header");
    assert_eq!(session.updated_ms, Some(1_777_885_803_000));
}

#[test]
fn a_session_without_a_word_says_so() {
    let empty = session(&fixture(
        "orchard/chats/session-2026-05-04T10-00-e0e0e0e0.jsonl",
    ));
    assert_eq!(attribute(&empty, "empty"), Some("true"));
}

#[test]
fn the_end_of_a_long_file_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let head = "{\"sessionId\":\"s\",\"projectHash\":\"h\",\"startTime\":\"2026-05-04T09:10:00Z\"}";
    let message = format!(
        "{{\"id\":\"m\",\"timestamp\":\"2026-05-04T09:11:00Z\",\"type\":\"gemini\",\
         \"content\":\"{}\",\"model\":\"g\"}}",
        "x".repeat(3_000_000)
    );
    let last = "{\"$set\":{\"lastUpdated\":\"2026-05-04T10:00:00Z\",\"summary\":\"Long\"}}";
    put(&path, format!("{head}\n{message}\n{last}\n"));
    let session = session(&path);
    assert_eq!(session.updated_ms, Some(1_777_888_800_000));
    assert_eq!(attribute(&session, "title"), Some("Long"));
    assert_eq!(attribute(&session, "empty"), None);
}

#[test]
fn only_sessions_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let table = [
        ("nothing", "", 0),
        ("a list", "[]", 0),
        (
            "the list of projects",
            "{\n  \"projects\": {\n    \"/x\": \"x\"\n  }\n}\n",
            0,
        ),
        (
            "another header",
            "{\"sessionId\":\"s\",\"cwd\":\"/x\"}\n",
            0,
        ),
        (
            "another message",
            "{\"id\":\"m\",\"type\":\"message\",\"role\":\"user\"}\n",
            0,
        ),
        (
            "another document",
            "{\n  \"sessionId\": \"s\",\n  \"messages\": []\n}\n",
            0,
        ),
        (
            "a header",
            "{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n",
            1,
        ),
        (
            "a document",
            "{\n  \"sessionId\": \"s\",\n  \"projectHash\": \"h\"\n}\n",
            1,
        ),
        (
            "a document in another order",
            "{\n  \"messages\": [],\n  \"projectHash\": \"h\",\n  \"sessionId\": \"s\"\n}\n",
            1,
        ),
    ];
    for (name, text, expected) in table {
        let path = folder.path().join("session.json");
        put(&path, text);
        assert_eq!(sessions::<Gemini>(&path).len(), expected, "{name}");
    }
}
