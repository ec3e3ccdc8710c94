//! Properties of a file before it is read.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{START, read, sessions};
use adapter_codex::Codex;

use crate::support::{Home, THREAD, attr, fixture, fixtures, message, meta, session, wrapped};

#[test]
fn a_session_is_known_by_its_records() {
    let known = session(&fixture("019ed99c-0a11"));
    assert_eq!(known.id, "019ed99c-0a11-7c30-9b21-4be10f6d2a01");
    assert_eq!(known.agent, "codex");
    assert_eq!(known.parent, None);
    assert_eq!(known.project_dir.as_deref(), Some("/home/dev/parcel-api"));
    assert_eq!(known.started_ms, Some(1_781_767_800_100));
    assert_eq!(known.updated_ms, Some(1_781_767_818_400));
    assert_eq!(attr(&known, "title"), Some("Clock in label tests"));
    assert_eq!(attr(&known, "branch"), Some("label-queue"));
    assert_eq!(attr(&known, "version"), Some("0.142.2"));
    assert_eq!(attr(&known, "model"), Some("gpt-5.5"));
    assert_eq!(attr(&known, "empty"), None);

    let bare = session(&fixture("4b825dc6-42cb"));
    assert_eq!(bare.id, "4b825dc6-42cb-4eb9-a060-e54bf8d69288");
    assert_eq!(bare.project_dir.as_deref(), Some("/home/dev/parcel-api"));
    assert_eq!(bare.started_ms, Some(1_754_979_011_200));
    assert_eq!(bare.updated_ms, None);
    assert_eq!(attr(&bare, "branch"), Some("main"));
}

#[test]
fn a_thread_came_from_another_in_many_ways() {
    let home = Home::new();
    let table = [
        (r#","source":"cli""#, None, None),
        (r#","forked_from_id":"p""#, Some("fork"), Some("p")),
        (
            r#","history_base":{"thread_id":"p","end_byte_offset":1}"#,
            Some("fork"),
            Some("p"),
        ),
        (r#","parent_thread_id":"p""#, Some("subagent"), Some("p")),
        (
            r#","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}},"forked_from_id":"q""#,
            Some("subagent"),
            Some("p"),
        ),
        (r#","source":{"subagent":"review"}"#, Some("subagent"), None),
        (
            r#","source":{"internal":"guardian"}"#,
            Some("subagent"),
            None,
        ),
    ];
    for (further, relation, parent) in table {
        let path = home.lines("a.jsonl", &[meta(further), message("user", "hi")]);
        let known = session(&path);
        assert_eq!(attr(&known, "relation"), relation, "{further}");
        assert_eq!(known.parent.as_deref(), parent, "{further}");
    }
}

#[test]
fn the_first_description_counts() {
    let home = Home::new();
    let other = wrapped("session_meta", r#"{"id":"other","cwd":"/elsewhere"}"#);
    let path = home.lines("a.jsonl", &[meta(""), other, message("user", "hi")]);
    let known = session(&path);
    assert_eq!(known.id, THREAD);
    assert_eq!(known.project_dir.as_deref(), Some("/w"));
}

#[test]
fn without_a_description_the_name_has_the_id() {
    let home = Home::new();
    let lines = [message("user", "hi")];
    for (name, expected) in [
        ("rollout-2026-06-01T00-00-00-019f-abc.jsonl", "019f-abc"),
        ("elsewhere.jsonl", "elsewhere"),
    ] {
        assert_eq!(session(&home.lines(name, &lines)).id, expected);
    }
}

#[test]
fn a_file_in_which_nothing_was_said_is_empty() {
    for part in ["019ee500-6004", "7c211433-f02b"] {
        assert_eq!(
            attr(&session(&fixture(part)), "empty"),
            Some("true"),
            "{part}"
        );
    }
    let home = Home::new();
    let table = [
        (message("user", "hi"), None),
        (message("assistant", "hi"), None),
        (message("developer", "hi"), Some("true")),
        (message("user", "<environment_context>x"), Some("true")),
    ];
    for (line, expected) in table {
        let known = session(&home.lines("a.jsonl", &[meta(""), line.clone()]));
        assert_eq!(attr(&known, "empty"), expected, "{line}");
    }
}

#[test]
fn every_change_changes_the_revision() {
    let home = Home::new();
    let one = session(&home.lines("a.jsonl", &[meta(""), message("user", "one")]));
    let two = session(&home.lines("a.jsonl", &[meta(""), message("user", "two")]));
    let more = session(&home.lines("a.jsonl", &[meta(""), message("user", "longer")]));
    assert!(one.revision != two.revision && two.revision != more.revision);
}

#[test]
fn the_end_of_a_large_file_is_looked_at() {
    let home = Home::new();
    let mut lines = vec![meta("")];
    lines.extend((0..3000).map(|_| message("user", &"x".repeat(500))));
    let last = message("assistant", "done").replace("2026-06-01T08", "2026-06-02T08");
    lines.push(wrapped(
        "event_msg",
        r#"{"type":"thread_name_updated","thread_name":"Named late"}"#,
    ));
    lines.push(last);
    let known = session(&home.lines("a.jsonl", &lines));
    assert_eq!(known.started_ms, Some(1_780_300_800_000));
    assert_eq!(known.updated_ms, Some(1_780_387_200_000));
    assert_eq!(attr(&known, "title"), Some("Named late"));
}

#[test]
fn what_is_not_codexes_has_no_session() {
    for name in ["history.jsonl", "session_index.jsonl"] {
        assert_eq!(sessions::<Codex>(&fixtures().join(name)).len(), 0, "{name}");
    }
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
            "copilot",
            r#"{"type":"session.start","data":{"sessionId":"s"},"id":"e1","timestamp":"2026-01-01T00:00:00.000Z","parentId":null}"#,
        ),
        (
            "pi",
            r#"{"type":"session","id":"d7","timestamp":"2025-11-20T23:33:50.805Z","cwd":"/x"}"#,
        ),
        (
            "gemini",
            r#"{"sessionId":"0a","projectHash":"9d","startTime":"2026-04-23T12:52:52.759Z","kind":"main"}"#,
        ),
        (
            "the items of an API",
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}
{"type":"function_call","name":"f","arguments":"{}","call_id":"c"}"#,
        ),
        (
            "wrapped by another",
            r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"message","payload":{"role":"user"}}"#,
        ),
    ];
    for (name, text) in table {
        let path = home.write("a.jsonl", text.as_bytes());
        assert_eq!(sessions::<Codex>(&path).len(), 0, "{name}");
    }
}

#[test]
fn the_adapter_describes_itself() {
    let description = Codex::describe();
    assert_eq!(description.agent, "codex");
    let [root] = &description.roots[..] else {
        panic!("one root")
    };
    assert_eq!(root.candidates, ["$CODEX_HOME", "~/.codex"]);
    assert_eq!(root.patterns.len(), 4);
}

#[test]
fn a_session_resumed_elsewhere_has_a_part_for_each_place() {
    let turn = |directory: &str| wrapped("turn_context", &format!(r#"{{"cwd":"{directory}"}}"#));
    let lines = [
        meta(""),
        turn("/w"),
        message("user", "in w"),
        turn("/beta"),
        message("user", "in beta"),
        turn("/w/deep"),
        message("user", "in a folder of w"),
        turn("/beta"),
        message("user", "in beta again"),
    ];
    let home = Home::new();
    let told = |lines: &[String]| {
        let path = home.lines("rollout.jsonl", lines);
        let found = sessions::<Codex>(&path).into_iter();
        let told = found.map(|session| {
            let (told, _) = read::<Codex>(&session, &START);
            let texts: Vec<_> = told.texts().into_iter().map(|text| text.2).collect();
            let place = session.project_dir.clone().unwrap_or_default();
            (session.id, place, texts.join(", "), session.revision)
        });
        told.collect::<Vec<_>>()
    };
    let [whole] = &told(&lines[..3])[..] else {
        panic!("one place");
    };
    assert_eq!((&*whole.0, &*whole.1), (THREAD, "/w"));
    let [first, second] = &told(&lines)[..] else {
        panic!("two places");
    };
    let expected = (THREAD, "/w", "in w, in a folder of w");
    assert_eq!((&*first.0, &*first.1, &*first.2), expected);
    let id = format!("{THREAD}.2");
    let expected = (&*id, "/beta", "in beta, in beta again");
    assert_eq!((&*second.0, &*second.1, &*second.2), expected);

    // Text in one directory changes nothing in the other.
    let grown = told(&[&lines[..], &[message("user", "and more")]].concat());
    assert_eq!(grown[0].3, first.3);
    assert_ne!(grown[1].3, second.3);

    // Text that a fork copied belongs to the thread it came from.
    let mut fork = lines.to_vec();
    fork[0] = meta(r#","forked_from_id":"p""#);
    assert_eq!(told(&fork).len(), 1);
}
