//! Properties of a file before it is read.

use acreta_sdk::adapter::testing::sessions;
use acreta_sdk::adapter::{Adapter, Session};
use adapter_pi::Pi;

use crate::support::{fixtures, scratch, session};

fn attr<'a>(session: &'a Session, name: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| &**value)
}

#[test]
fn a_session_is_known_by_its_header() {
    let folder = fixtures().join("--home-dev-lantern--");
    let name = "2026-03-02T09-00-00-000Z_0b6f4c1e-52c9-4d0a-8a3e-0f7e6b1d2c33.jsonl";
    let known = session(&folder.join(name));
    assert_eq!(known.id, "0b6f4c1e-52c9-4d0a-8a3e-0f7e6b1d2c33");
    assert_eq!(known.agent, "pi");
    assert_eq!(known.project_dir.as_deref(), Some("/home/dev/lantern"));
    assert_eq!(known.parent, None);
    assert_eq!(known.started_ms, Some(1_772_442_000_000));
    assert_eq!(known.updated_ms, Some(1_772_442_126_662));
    assert!(known.revision.starts_with("6387:"), "{}", known.revision);
    assert_eq!(attr(&known, "title"), Some("Content hashes for sync"));
    assert_eq!(attr(&known, "model"), Some("claude-sonnet-4-5"));
    assert_eq!(attr(&known, "empty"), None);
}

#[test]
fn a_fork_knows_its_parent() {
    let newer =
        "--home-dev-lantern--/2026-03-03T10-00-00-000Z_5c2d8e70-1f4b-4f0c-9f57-3a9b2c7d8e11.jsonl";
    let table = [
        (newer, "0b6f4c1e-52c9-4d0a-8a3e-0f7e6b1d2c33"),
        (
            "first-version.jsonl",
            "aa11bb22-0000-4000-8000-000000000001",
        ),
    ];
    for (name, parent) in table {
        let known = session(&fixtures().join(name));
        assert_eq!(known.parent.as_deref(), Some(parent), "{name}");
        assert_eq!(attr(&known, "relation"), Some("fork"), "{name}");
    }
}

#[test]
fn a_session_without_a_word_is_empty() {
    let known = session(&fixtures().join("header-only.jsonl"));
    assert_eq!(attr(&known, "empty"), Some("true"));
}

#[test]
fn the_end_of_a_large_file_is_looked_at() {
    let mut text = String::from(
        r#"{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/x"}"#,
    );
    let entry = |time: &str| {
        let words = "x".repeat(1000);
        format!(
            "\n{{\"type\":\"message\",\"timestamp\":\"{time}\",\"message\":{{\"role\":\"user\",\
             \"content\":\"{words}\"}}}}"
        )
    };
    for _ in 0..2000 {
        text.push_str(&entry("2026-01-02T00:00:00.000Z"));
    }
    text.push_str(&entry("2026-01-03T00:00:00.000Z"));
    text.push_str("\n{\"type\":\"session_info\",\"name\":\"Late name\"}\n");
    let scratch = scratch();
    scratch.write(&text);
    let known = session(&scratch.path());
    assert_eq!(known.updated_ms, Some(1_767_398_400_000));
    assert_eq!(attr(&known, "title"), Some("Late name"));
}

#[test]
fn what_is_not_pis_has_no_session() {
    let table = [
        ("nothing", ""),
        ("text", "# Notes\nhello\n"),
        ("a bare object", "{}\n"),
        (
            "droid",
            r#"{"type":"session_start","id":"a","title":"x","cwd":"/x"}
{"type":"message","id":"b","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}"#,
        ),
        (
            "codex",
            r#"{"timestamp":"2026-06-26T12:24:12.748Z","type":"session_meta","payload":{"id":"1","cwd":"/x"}}"#,
        ),
        (
            "copilot",
            r#"{"type":"session.start","data":{"sessionId":"s"},"id":"e1","timestamp":"2026-01-01T00:00:00.000Z"}"#,
        ),
        (
            "claude",
            r#"{"type":"user","sessionId":"s","cwd":"/x","message":{"role":"user","content":"hi"},"uuid":"a"}"#,
        ),
        (
            "a header without a directory",
            r#"{"type":"session","id":"a","timestamp":"2026-01-01T00:00:00.000Z"}"#,
        ),
    ];
    let scratch = scratch();
    for (name, text) in table {
        scratch.write(text);
        assert!(sessions::<Pi>(&scratch.path()).is_empty(), "{name}");
    }
}

#[test]
fn the_adapter_describes_itself() {
    let description = Pi::describe();
    let roots: Vec<_> = description
        .roots
        .iter()
        .map(|root| (&*root.name, root.candidates.len()))
        .collect();
    assert_eq!(roots, [("pi", 2)]);
    assert!(description.roots[0].candidates[0].starts_with("$PI_CODING_AGENT_DIR"));
}
