//! Properties of a session before it is read, and the owners of tasks.

use std::fs;

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, Scratch, only_session, put, sessions};
use adapter_cline::Cline;

use crate::{SESSION, TASK, fixture};

#[test]
fn a_session_says_where_and_when_it_was() {
    let table = [
        (
            SESSION,
            "1767600000000_abcde",
            1_767_600_000_000,
            1_767_600_060_000,
        ),
        (TASK, "1767650000000", 1_767_650_000_000, 1_767_650_010_000),
    ];
    for (name, id, started, updated) in table {
        let session = only_session::<Cline>(&fixture(name));
        assert_eq!(session.id, id);
        assert_eq!(session.project_dir.as_deref(), Some("/home/mira/kelp-log"));
        assert_eq!(session.started_ms, Some(started), "{name}");
        assert_eq!(session.updated_ms, Some(updated), "{name}");
    }
}

#[test]
fn a_copy_alone_knows_its_directory() {
    for (name, file) in [(SESSION, "a.messages.json"), (TASK, "history.json")] {
        let scratch = Scratch::<Cline>::new(file);
        scratch.write(&fs::read_to_string(fixture(name)).unwrap());
        let session = only_session::<Cline>(&scratch.path());
        assert_eq!(
            session.project_dir.as_deref(),
            Some("/home/mira/kelp-log"),
            "{name}"
        );
    }
}

#[test]
fn tasks_of_forks_are_left_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(fixture(TASK)).unwrap();
    let table = [
        ("saoudrizwan.claude-dev", 1),
        ("kilocode.kilo-code", 0),
        ("rooveterinaryinc.roo-cline", 0),
    ];
    for (extension, expected) in table {
        let file = format!("{extension}/tasks/1767650000000/api_conversation_history.json");
        put(&folder.path().join(&file), &text);
        let found = sessions::<Cline>(&folder.path().join(&file));
        assert_eq!(found.len(), expected, "{extension}");
    }
}

#[test]
fn a_rewritten_session_has_another_revision_and_refuses_the_cursor() {
    let start = acreta_sdk::adapter::testing::START;
    for (name, said) in [(SESSION, "decimetres"), (TASK, "fathoms")] {
        let scratch = Scratch::<Cline>::new("history.json");
        let text = fs::read_to_string(fixture(name)).unwrap();
        scratch.write(&text);
        let before = only_session::<Cline>(&scratch.path());
        let cursor = Cline::read(&before, &start, &mut ReadResult::default()).unwrap();
        scratch.write(&text.replace(said, &"x".repeat(said.len())));
        let after = only_session::<Cline>(&scratch.path());
        assert_ne!(after.revision, before.revision, "{name}");
        let refused = Cline::read(&after, &cursor, &mut ReadResult::default());
        assert_eq!(refused.unwrap_err().code, "invalid-cursor", "{name}");
    }
}

#[test]
fn other_documents_are_left_alone() {
    let table = [
        "",
        "[]",
        "[1]",
        "{\"messages\":[]}",
        "{\"sessionId\":\"a\",\"messages\":[]}",
        "[{\"role\":\"user\",\"content\":\"hello\"}]",
        "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}]",
    ];
    for text in table {
        let scratch = Scratch::<Cline>::new("x.messages.json");
        scratch.write(text);
        assert!(sessions::<Cline>(&scratch.path()).is_empty(), "{text}");
    }
}
