//! Properties of a file before it is read.

use acreta_sdk::adapter::Session;

use crate::support::{fixture, line, session};

fn attr<'a>(session: &'a Session, name: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| &**value)
}

#[test]
fn a_session_is_known_by_its_records() {
    let main = "b6d2f0c4-8a17-4c35-9e0b-5d3c1f2a4e68";
    let bytes = fixture(&format!("{main}.jsonl"));
    let path = format!("/claude/-home-dev-ledger/{main}.jsonl");
    let known = session(&path, &bytes).unwrap();
    assert_eq!(known.id, main);
    assert_eq!(known.agent, "claude");
    assert_eq!(known.path, path);
    assert_eq!(known.parent, None);
    assert_eq!(known.project_dir.as_deref(), Some("/home/dev/ledger"));
    assert_eq!(known.started_ms, Some(1_772_524_841_300));
    assert_eq!(known.updated_ms, Some(1_772_524_850_900));
    let size = format!("{}:", bytes.len());
    assert!(known.revision.starts_with(&size), "{}", known.revision);
    assert_eq!(attr(&known, "title"), Some("Check migrations"));
    assert_eq!(attr(&known, "branch"), Some("main"));
    assert_eq!(attr(&known, "version"), Some("2.1.119"));
    assert_eq!(attr(&known, "empty"), None);

    let subagent = fixture(&format!("{main}/subagents/agent-a1b2c3d.jsonl"));
    let known = session(
        &format!("/claude/x/{main}/subagents/agent-a1b2c3d.jsonl"),
        &subagent,
    );
    let known = known.unwrap();
    assert_eq!(
        (&*known.id, known.parent.as_deref()),
        ("agent-a1b2c3d", Some(main))
    );
}

#[test]
fn the_id_is_the_name_only_where_the_records_agree() {
    let both = format!(
        "{}\n{}\n",
        line("a", "old").replace("\"s\"", "\"old\""),
        line("b", "new").replace("\"s\"", "\"new\"")
    );
    let table = [
        ("/claude/new.jsonl", "new"),
        ("/claude/old.jsonl", "old"),
        ("/claude/other.jsonl", "new"),
        ("other.full.jsonl", "new"),
    ];
    for (path, expected) in table {
        assert_eq!(
            session(path, both.as_bytes()).unwrap().id,
            expected,
            "{path}"
        );
    }
    let resumed = session("/claude/x.jsonl", &fixture("resume-copy.jsonl")).unwrap();
    assert_eq!(resumed.id, "e4a7c9d1-5b3f-4e82-a6c0-9d8b7a6f5e43");
    let titled = session("/claude/x.jsonl", &fixture("asides.jsonl")).unwrap();
    assert_eq!(attr(&titled, "title"), Some("Green again"));
}

#[test]
fn a_file_without_a_conversation_is_empty() {
    let known = session("/claude/p/0a1b.jsonl", &fixture("bookkeeping-only.jsonl")).unwrap();
    assert_eq!((&*known.id, attr(&known, "empty")), ("0a1b", Some("true")));
    let table = [
        r#"{"type":"summary","summary":"A title","leafUuid":"x"}"#,
        r#"{"type":"file-history-snapshot","messageId":"x","snapshot":{}}"#,
        r#"{"type":"permission-mode","permissionMode":"plan","sessionId":"s"}"#,
        r#"{"type":"last-prompt","lastPrompt":"hi","sessionId":"s"}"#,
    ];
    for text in table {
        let known = session("/claude/p/x.jsonl", text.as_bytes()).expect(text);
        assert_eq!(attr(&known, "empty"), Some("true"), "{text}");
    }
}

#[test]
fn what_is_not_claude_codes_has_no_session() {
    let table: &[(&str, &str)] = &[
        ("nothing", ""),
        ("blank lines", "\n\n  \n"),
        ("text", "# Notes\nhello\n"),
        ("a bare object", "{}\n"),
        (
            "codex",
            r#"{"timestamp":"2026-06-26T12:24:12.748Z","type":"session_meta","payload":{"id":"1","cwd":"/x","cli_version":"0.142.2"}}
{"timestamp":"2026-06-26T12:24:12.749Z","type":"response_item","payload":{"type":"message","role":"user","content":[]}}"#,
        ),
        (
            "copilot",
            r#"{"type":"session.start","data":{"sessionId":"s","producer":"copilot-agent"},"id":"e1","timestamp":"2026-01-01T00:00:00.000Z"}
{"type":"user.message","data":{"content":"hi"},"id":"e2","timestamp":"2026-01-01T00:00:00.000Z","parentId":"e1"}"#,
        ),
        (
            "pi",
            r#"{"type":"session","id":"d7","timestamp":"2025-11-20T23:33:50.805Z","cwd":"/x","provider":"anthropic"}
{"type":"message","timestamp":"2025-11-20T23:33:01.550Z","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}"#,
        ),
        (
            "gemini",
            r#"{"sessionId":"0a","projectHash":"9d","startTime":"2026-04-23T12:52:52.759Z","kind":"main"}
{"id":"0c","timestamp":"2026-04-23T12:53:02.597Z","type":"user","content":"hi"}"#,
        ),
        (
            "droid",
            r#"{"type":"session_start","id":"a","title":"x","cwd":"/x"}
{"type":"message","id":"b","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}"#,
        ),
        (
            "qwen",
            r#"{"uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00.000Z","type":"user","cwd":"/x","version":"0.4.0","message":{"role":"user","parts":[{"text":"hi"}]}}
{"uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-01T00:00:00.000Z","type":"assistant","cwd":"/x","version":"0.4.0","message":{"role":"model","parts":[{"text":"hello"}]}}"#,
        ),
        (
            "cursor",
            r#"{"role":"user","message":{"content":[{"type":"text","text":"hi"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"hello"}]}}"#,
        ),
        (
            "the prompt history",
            r#"{"display":"hi","pastedContents":{},"timestamp":1700000000000,"project":"/x","sessionId":"s"}"#,
        ),
        (
            "printed by claude -p",
            r#"{"type":"system","subtype":"init","session_id":"s","uuid":"a","cwd":"/x","tools":[]}
{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"hi"}]},"session_id":"s","uuid":"b"}"#,
        ),
    ];
    for (name, text) in table {
        assert!(
            session("/claude/p/x.jsonl", text.as_bytes()).is_none(),
            "{name}"
        );
    }
}

#[test]
fn a_few_bad_records_do_not_hide_a_session() {
    let text = format!(
        "garbage\n{{\"silly\":1}}\n{{\"half\":\n{}\n",
        line("a", "hi")
    );
    assert_eq!(
        session("/claude/p/x.jsonl", text.as_bytes()).unwrap().id,
        "s"
    );
    let printed = fixture("pretty-printed.jsonl");
    assert!(session("/claude/p/x.jsonl", &printed).is_some());
}

#[test]
fn the_end_of_a_large_file_is_looked_at() {
    let timed = |uuid: &str, time: &str, session: &str| {
        line(uuid, &"x".repeat(1000)).replace(
            "\"sessionId\":\"s\"",
            &format!(
                "\"sessionId\":\"{session}\",\"timestamp\":\"{time}\",\"cwd\":\"/x\",\"version\":\"2\""
            ),
        )
    };
    let mut file = timed("first", "2026-01-01T00:00:00.000Z", "one");
    for number in 0..2000 {
        let middle = timed(&number.to_string(), "2026-01-02T00:00:00.000Z", "two");
        file.push_str(&format!("\n{middle}"));
    }
    file.push_str(&format!(
        "\n{}",
        timed("last", "2026-01-03T00:00:00.000Z", "three")
    ));
    let known = session("/claude/p/x.jsonl", file.as_bytes()).unwrap();
    assert_eq!(known.id, "three");
    assert_eq!(known.started_ms, Some(1_767_225_600_000));
    assert_eq!(known.updated_ms, Some(1_767_398_400_000));
}

#[test]
fn the_adapter_describes_itself() {
    let description = <adapter_claude::Claude as acreta_sdk::adapter::Adapter>::describe();
    assert_eq!(description.agent, "claude");
    let [root] = &description.roots[..] else {
        panic!("one root")
    };
    assert_eq!(root.name, "claude");
    assert_eq!(root.patterns, ["**/*.jsonl"]);
    assert_eq!(root.candidates.len(), 3);
}
