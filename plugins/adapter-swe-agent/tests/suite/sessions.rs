//! Properties of a file before it is read.

use acreta_sdk::adapter::testing::sessions;
use acreta_sdk::adapter::{Adapter, Session};
use adapter_swe_agent::SweAgent;

use crate::support::{fixtures, scratch, session};

fn attr<'a>(session: &'a Session, name: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| &**value)
}

#[test]
fn a_trajectory_is_known_by_its_lists() {
    let known = session(&fixtures().join("rows__rows-32.traj"));
    assert_eq!(known.id, "rows__rows-32-8d42e8c6");
    assert_eq!(known.agent, "swe-agent");
    assert_eq!(known.project_dir.as_deref(), Some("/rows"));
    assert_eq!(attr(&known, "model"), Some("claude-sonnet-4"));
    let all = format!("{known:?}");
    assert!(!all.contains("not-to-be-read"), "{all}");
}

#[test]
fn attempts_at_one_task_are_told_apart() {
    let text = |reply: &str, rest: &str| {
        format!(
            "{{\"history\":[{{\"role\":\"user\",\"content\":\"task\",\"agent\":\"main\"}},\
             {{\"role\":\"assistant\",\"content\":\"{reply}\",\"agent\":\"main\"}}{rest}]}}"
        )
    };
    let more = ",{\"role\":\"user\",\"content\":\"ok\",\"agent\":\"main\"}";
    let scratch = scratch();
    let mut ids = Vec::new();
    for text in [text("one", ""), text("one", more), text("two", "")] {
        scratch.write(&text);
        ids.push(session(&scratch.path()).id);
    }
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[2]);
}

#[test]
fn an_attempt_without_a_reply_is_empty() {
    let scratch = scratch();
    scratch.write(r#"{"history":[{"role":"system","content":"x","agent":"main"}]}"#);
    assert_eq!(attr(&session(&scratch.path()), "empty"), Some("true"));
}

#[test]
fn what_is_not_swe_agents_has_no_session() {
    let table = [
        ("nothing", ""),
        ("text", "# Notes\n"),
        ("a list", "[]"),
        ("a bare object", "{}"),
        ("an empty history", r#"{"history":[],"trajectory":[]}"#),
        (
            "a history of others",
            r#"{"history":[{"message":{"role":"user"}}]}"#,
        ),
        (
            "messages of others",
            r#"{"history":[{"role":"user","content":"hi"}]}"#,
        ),
        (
            "steps of others",
            r#"{"trajectory":[{"action":"message","source":"user","timestamp":"x"}]}"#,
        ),
        (
            "something else first",
            r#"{"id":1,"history":[{"role":"user","content":"hi","agent":"main"}]}"#,
        ),
    ];
    let scratch = scratch();
    for (name, text) in table {
        scratch.write(text);
        assert!(sessions::<SweAgent>(&scratch.path()).is_empty(), "{name}");
    }
}

#[test]
fn the_adapter_asks_for_no_root() {
    let description = SweAgent::describe();
    assert_eq!(description.agent, "swe-agent");
    assert!(description.roots.is_empty());
}
