//! Properties of a file before it is read.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::sessions;
use adapter_windsurf::Windsurf;

use crate::support::{fixtures, scratch, session};

#[test]
fn a_session_is_known_by_its_steps() {
    let known = session(&fixtures().join("7c3e9a52-0f5d-4a0e-9b1d-6d2f8c41e7aa.jsonl"));
    assert_eq!(known.id, "7c3e9a52-0f5d-4a0e-9b1d-6d2f8c41e7aa");
    assert_eq!(known.agent, "windsurf");
    assert_eq!(known.project_dir.as_deref(), Some("/home/dev/harbor"));
    assert!(known.revision.starts_with("2873:"), "{}", known.revision);
    assert!(known.attrs.is_empty());
}

#[test]
fn a_session_without_a_word_is_empty() {
    let known = session(&fixtures().join("tools-only.jsonl"));
    assert_eq!(known.attrs, [("empty".to_owned(), "true".to_owned())]);
}

#[test]
fn the_revision_changes_with_the_content() {
    let step = r#"{"status":"done","type":"user_input","user_input":{"user_response":"one"}}"#;
    let scratch = scratch();
    scratch.write(step);
    let before = session(&scratch.path()).revision;
    scratch.write(&step.replace("one", "two"));
    assert_ne!(session(&scratch.path()).revision, before);
}

#[test]
fn what_is_not_windsurfs_has_no_session() {
    let table = [
        ("nothing", ""),
        ("text", "# Notes\nhello\n"),
        ("a bare object", "{}\n"),
        (
            "details under another name",
            r#"{"status":"done","type":"user_input","input":{"user_response":"hi"}}"#,
        ),
        (
            "without a status",
            r#"{"type":"user_input","user_input":{"user_response":"hi"}}"#,
        ),
        (
            "pi",
            r#"{"type":"session","id":"d7","timestamp":"2025-11-20T23:33:50.805Z","cwd":"/x"}"#,
        ),
        (
            "claude",
            r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"},"uuid":"a"}"#,
        ),
    ];
    let scratch = scratch();
    for (name, text) in table {
        scratch.write(text);
        assert!(sessions::<Windsurf>(&scratch.path()).is_empty(), "{name}");
    }
}

#[test]
fn the_adapter_describes_itself() {
    let description = Windsurf::describe();
    let [root] = &description.roots[..] else {
        panic!("one root")
    };
    assert_eq!(root.candidates, ["~/.windsurf/transcripts"]);
    assert_eq!(root.patterns, ["**/*.jsonl"]);
}
