//! Properties of a session before it is read, and the files that hold sessions.

use std::fs;

use acreta_sdk::adapter::testing::{Scratch, only_session, sessions};
use adapter_qwen::Qwen;

use crate::{QWEN, fixture};

#[test]
fn a_session_says_where_and_when_it_was() {
    let session = only_session::<Qwen>(&fixture(QWEN));
    assert_eq!(session.id, "5b1f0c2a-9d3e-4f60-8a71-c2d3e4f50617");
    assert_eq!(session.project_dir.as_deref(), Some("/home/mira/kelp-log"));
    assert_eq!(session.started_ms, Some(1_780_387_200_000));
    assert_eq!(session.updated_ms, Some(1_780_387_212_000));
    let known = [("title", "Plot the tides"), ("model", "qwen3-coder")];
    for (key, value) in known {
        let expected = (key.to_owned(), value.to_owned());
        assert!(session.attrs.contains(&expected), "{:?}", session.attrs);
    }
}

#[test]
fn a_rewrite_of_the_same_length_has_another_revision() {
    let scratch = Scratch::<Qwen>::new("session.jsonl");
    let text = fs::read_to_string(fixture(QWEN)).unwrap();
    scratch.write(&text);
    let before = only_session::<Qwen>(&scratch.path());
    scratch.write(&text.replace("the boat", "the ship"));
    let after = only_session::<Qwen>(&scratch.path());
    assert_eq!(after.id, before.id);
    assert_ne!(after.revision, before.revision);
}

#[test]
fn only_sessions_are_taken() {
    let head = r#"{"uuid":"a","sessionId":"s","type":"user""#;
    let table = [
        (String::new(), 0),
        ("{}\n".to_owned(), 0),
        // As Claude Code writes it.
        (format!("{head},\"message\":{{\"content\":\"x\"}}}}\n"), 0),
        (format!("{head},\"message\":{{\"parts\":[]}}}}\n"), 1),
    ];
    for (text, expected) in table {
        let scratch = Scratch::<Qwen>::new("session.jsonl");
        scratch.write(&text);
        assert_eq!(sessions::<Qwen>(&scratch.path()).len(), expected, "{text}");
    }
}
