//! Properties of a log before it is read.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{START, read, sessions};
use adapter_copilot::Copilot;

use crate::support::{Home, attr, fixture, record, session, start};

#[test]
fn a_session_is_known_by_its_records() {
    let known = session(&fixture("6d1f3c52"));
    assert_eq!(known.id, "6d1f3c52-9a70-4b1e-8c55-0f2a7be91d01");
    assert_eq!(known.agent, "copilot");
    assert_eq!(known.parent, None);
    assert_eq!(known.project_dir.as_deref(), Some("/home/dev/harvest"));
    assert_eq!(known.started_ms, Some(1_782_979_200_000));
    assert_eq!(known.updated_ms, Some(1_782_979_221_750));
    assert_eq!(attr(&known, "branch"), Some("nightly-lock"));
    assert_eq!(attr(&known, "version"), Some("1.0.68"));
    assert_eq!(attr(&known, "model"), Some("claude-sonnet-5"));
    assert_eq!(attr(&known, "empty"), None);

    let detached = session(&fixture("8f3b5e74"));
    assert_eq!(detached.parent.as_deref(), Some(&*known.id));
    assert_eq!(attr(&detached, "relation"), Some("subagent"));
    assert_eq!(attr(&detached, "empty"), Some("true"));
}

#[test]
fn without_a_start_the_path_has_the_id() {
    let home = Home::new();
    let lines = [record("user.message", r#"{"content":"hi"}"#)];
    for (name, expected) in [("abc/events.jsonl", "abc"), ("def.jsonl", "def")] {
        assert_eq!(session(&home.lines(name, &lines)).id, expected);
    }
}

#[test]
fn every_change_changes_the_revision() {
    let home = Home::new();
    let with = |text: &str| {
        let prompt = record("user.message", &format!(r#"{{"content":"{text}"}}"#));
        session(&home.lines("a.jsonl", &[start(), prompt])).revision
    };
    assert!(with("one") != with("two") && with("two") != with("three"));
}

#[test]
fn the_end_of_a_large_log_is_looked_at() {
    let home = Home::new();
    let mut lines = vec![start()];
    let reply = format!(r#"{{"content":"{}","model":"m"}}"#, "x".repeat(900));
    lines.extend((0..2000).map(|_| record("assistant.message", &reply)));
    let last = record("session.title_changed", r#"{"title":"Locks"}"#);
    lines.push(last.replace("2026-07-01", "2026-07-02"));
    let known = session(&home.lines("a.jsonl", &lines));
    assert_eq!(known.started_ms, Some(1_782_892_800_000));
    assert_eq!(known.updated_ms, Some(1_782_979_200_000));
    assert_eq!(attr(&known, "title"), Some("Locks"));
}

#[test]
fn what_is_not_copilots_has_no_session() {
    let home = Home::new();
    let table: &[(&str, &str)] = &[
        ("nothing", ""),
        ("text", "# Notes\n"),
        ("a bare object", "{}\n"),
        (
            "claude",
            r#"{"type":"user","sessionId":"s","uuid":"u","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"hi"}}"#,
        ),
        (
            "codex",
            r#"{"timestamp":"2026-06-26T12:24:12.748Z","type":"session_meta","payload":{"id":"1","cwd":"/x"}}"#,
        ),
        (
            "kimi",
            r#"{"type":"turn.prompt","data":{"content":"hi"},"time":1782892800000}"#,
        ),
        (
            "events of a bus",
            r#"{"type":"message.updated","data":{"content":"hi"},"id":"e","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}"#,
        ),
        (
            "pi",
            r#"{"type":"session","id":"d7","timestamp":"2025-11-20T23:33:50.805Z","parentId":null}"#,
        ),
    ];
    for (name, text) in table {
        let path = home.write("a.jsonl", text.as_bytes());
        assert_eq!(sessions::<Copilot>(&path).len(), 0, "{name}");
    }
}

#[test]
fn the_adapter_describes_itself() {
    let description = Copilot::describe();
    assert_eq!(description.agent, "copilot");
    let names: Vec<_> = description.roots.iter().map(|root| &*root.name).collect();
    assert_eq!(names, ["copilot", "copilot-code", "copilot-insiders"]);
    assert_eq!(
        description.roots[0].candidates,
        ["$COPILOT_HOME/session-state", "~/.copilot/session-state"]
    );
    assert_eq!(description.roots[1].candidates, ["<config>/Code/User"]);
}

#[test]
fn a_session_resumed_elsewhere_has_a_part_for_each_place() {
    let at = |kind: &str, directory: &str| {
        let data = format!(r#"{{"sessionId":"s1","context":{{"cwd":"{directory}"}}}}"#);
        record(kind, &data)
    };
    let says = |text: &str| record("user.message", &format!(r#"{{"content":"{text}"}}"#));
    let lines = [
        at("session.start", "/w/alpha"),
        says("in alpha"),
        at("session.resume", "/w/beta"),
        says("in beta"),
        at("session.resume", "/w/alpha/deep"),
        says("in a folder of alpha"),
        at("session.resume", "/w/beta"),
        says("in beta again"),
    ];
    let home = Home::new();
    let told = |lines: &[String]| {
        let path = home.lines("s1/events.jsonl", lines);
        let found = sessions::<Copilot>(&path);
        found
            .into_iter()
            .map(|session| {
                let (told, _) = read::<Copilot>(&session, &START);
                let texts = told.texts().into_iter().map(|text| text.2.to_owned());
                let texts: Vec<String> = texts.collect();
                let place = session.project_dir.clone().unwrap_or_default();
                (session.id, place, texts.join(", "), session.revision)
            })
            .collect::<Vec<_>>()
    };
    let short = told(&lines[..2]);
    assert_eq!(short.len(), 1);
    assert_eq!((&*short[0].0, &*short[0].1), ("s1", "/w/alpha"));
    let [alpha, beta] = &told(&lines)[..] else {
        panic!("two places");
    };
    let expected = ("s1", "/w/alpha", "in alpha, in a folder of alpha");
    assert_eq!((&*alpha.0, &*alpha.1, &*alpha.2), expected);
    let expected = ("s1.2", "/w/beta", "in beta, in beta again");
    assert_eq!((&*beta.0, &*beta.1, &*beta.2), expected);

    // Text in one directory changes nothing in the other.
    let more = [&lines[..], &[says("and more")]].concat();
    let grown = told(&more);
    assert_eq!(grown[0].3, alpha.3);
    assert_ne!(grown[1].3, beta.3);
}
