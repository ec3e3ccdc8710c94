//! Properties of a file before it is read.

use acreta_sdk::adapter::testing::{ReadResult, START, read, sessions};
use acreta_sdk::adapter::{Adapter, Session};
use adapter_openhands::OpenHands;

use crate::support::{fixtures, scratch, session};

fn attr<'a>(session: &'a Session, name: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| &**value)
}

#[test]
fn a_trajectory_is_known_by_its_events() {
    let known = session(&fixtures().join("trajectory.json"));
    assert_eq!(known.id, "openhands-20260506-100004-250000");
    assert_eq!(known.agent, "openhands");
    assert_eq!(known.project_dir.as_deref(), Some("/workspace/meter"));
    assert_eq!(known.started_ms, Some(1_778_061_604_250));
    assert_eq!(known.updated_ms, Some(1_778_061_696_250));
    assert_eq!(attr(&known, "model"), Some("claude-sonnet-4"));
    assert_eq!(attr(&known, "empty"), None);
}

#[test]
fn a_trajectory_without_a_word_is_empty() {
    let known = session(&fixtures().join("states-only.json"));
    assert_eq!(attr(&known, "empty"), Some("true"));
}

#[test]
fn an_evaluation_has_a_session_per_task() {
    let found = sessions::<OpenHands>(&fixtures().join("output.jsonl"));
    let known: Vec<_> = found.iter().map(|known| &*known.id).collect();
    let expected = [
        "grid__meter-12",
        "damaged-1443",
        "grid__meter-7",
        "grid__meter-9",
        "grid__meter-9-2",
    ];
    assert_eq!(known, expected);
    assert_eq!(
        attr(&found[0], "title"),
        Some("Report counts an hour twice")
    );
    assert_eq!(attr(&found[2], "model"), Some("gpt-4o"));
    assert_eq!(found[2].started_ms, Some(1_778_230_800_000));
    assert_eq!(attr(&found[3], "empty"), Some("true"));
    let all = format!("{found:?}");
    assert!(!all.contains("not-to-be-read"), "{all}");
}

#[test]
fn a_task_is_found_wherever_it_moved() {
    let line = |id: &str| {
        format!(
            "{{\"instance_id\":\"{id}\",\"instruction\":\"do {id}\",\"git_patch\":\"\",\"history\":[]}}\n"
        )
    };
    let scratch = scratch();
    scratch.write(&format!("{}{}", line("a"), line("b")));
    let found = sessions::<OpenHands>(&scratch.path());
    scratch.write(&format!("{}{}{}", line("c"), line("b"), line("a")));
    for (session, words) in found.iter().zip(["do a", "do b"]) {
        let (told, _) = read::<OpenHands>(session, &START);
        assert_eq!(told.texts(), [("user", "injected", words)]);
    }
    scratch.write(&line("c"));
    let failed = OpenHands::read(&found[0], &START, &mut ReadResult::default());
    assert_eq!(failed.unwrap_err().code, "unreadable");
}

#[test]
fn what_is_not_openhands_has_no_session() {
    let table = [
        ("nothing", ""),
        ("text", "# Notes\n"),
        ("an empty list", "[]"),
        ("a list of others", r#"[{"role":"user","content":"hi"}]"#),
        (
            "an action of others",
            r#"[{"action":"message","source":"bot","timestamp":"x"}]"#,
        ),
        (
            "a trajectory of others",
            r#"{"environment":"main","trajectory":[{"action":"ls","observation":"a"}],"history":[{"role":"user","content":"hi","agent":"main"}],"info":{}}"#,
        ),
        (
            "a history of others",
            r#"{"sessionId":"s","history":[{"message":{"role":"user"}}]}"#,
        ),
        (
            "an output of others",
            r#"{"instruction":"x","history":[{"role":"user","content":"hi"}]}"#,
        ),
        (
            "pi",
            r#"{"type":"session","id":"d7","timestamp":"2025-11-20T23:33:50.805Z","cwd":"/x"}"#,
        ),
    ];
    let scratch = scratch();
    for (name, text) in table {
        scratch.write(text);
        assert!(sessions::<OpenHands>(&scratch.path()).is_empty(), "{name}");
    }
}

#[test]
fn the_adapter_asks_for_no_root() {
    let description = OpenHands::describe();
    assert_eq!(description.agent, "openhands");
    assert!(description.roots.is_empty());
}
