//! Real sessions, if available: nothing panics, nothing is lost, growth adds and never changes.

use std::path::Path;

use acreta_sdk::adapter::testing::{
    ReadResult, START, assert_same, attribute, files, read, real_sessions, sessions, strangers,
    traces,
};
use adapter_codex::Codex;

use crate::support::{Home, put, session};

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

/// One session at several moments, each a prefix of the next.
const GROWTH: [&str; 3] = ["1f_4427577930_2", "a6_0726a7452e_0", "79_6eaddfe2f9_0"];

#[test]
fn every_session_is_told_or_known_to_be_empty() {
    for trace in traces::<Codex>(TRACES) {
        assert_eq!(trace.sessions.len(), 1, "{:?}", trace.path);
        assert!(trace.messages().is_empty(), "{:?}", trace.path);
        let (_, told) = &trace.sessions[0];
        let bytes = std::fs::read(&trace.path).unwrap();
        for event in &told.events {
            let (start, end) = (event.origin.start as usize, event.origin.end as usize);
            let span = &bytes[start..end];
            assert!(
                span.starts_with(b"{") && span.ends_with(b"}"),
                "{}",
                event.id
            );
            let is_call = event.kind == "tool-call" || event.kind == "tool-result";
            assert!(!is_call || attribute(event, "tool").is_some(), "{event:?}");
            let is_picture = event.role == "user" && event.text.contains(";base64,");
            assert!(!is_picture, "{:?} {}", trace.path, event.id);
        }
        check_against_lines(&bytes, told);
    }
}

/// Counts again by searching for the words of the records alone.
fn check_against_lines(bytes: &[u8], told: &ReadResult) {
    let text = String::from_utf8_lossy(bytes);
    let count = |needle: &str| text.lines().filter(|line| line.contains(needle)).count();
    let kinds = |role: &str, kind: &str| {
        let events = told.events.iter();
        let found = events.filter(|event| event.role == role && event.kind == kind);
        found.count()
    };
    let prompts = count(r#""payload":{"type":"user_message""#);
    if prompts == 0 {
        return;
    }
    assert_eq!(kinds("user", "text"), prompts);
    let answers = count(r#""payload":{"type":"message","role":"assistant""#)
        + count(r#""type":"message","id":"msg"#);
    assert!(kinds("assistant", "text") >= answers);
    let results = count(r#""type":"function_call_output""#)
        + count(r#""type":"custom_tool_call_output""#)
        + count(r#""type":"tool_search_output""#);
    assert_eq!(kinds("tool", "tool-result"), results);
}

#[test]
fn tokens_add_up_to_what_codex_counted() {
    for path in real_sessions(TRACES, "codex") {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let number = |line: &str, of: &str| -> u64 {
            let (_, rest) = line.split_once(of).unwrap_or_default();
            let (_, rest) = rest.split_once("\"input_tokens\":").unwrap_or_default();
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            digits.unwrap_or_default().parse().unwrap_or(0)
        };
        let last = text
            .lines()
            .rfind(|line| line.contains("\"last_token_usage\""));
        let Some(last) = last else { continue };
        let (total, open) = (
            number(last, "\"total_token_usage\""),
            number(last, "\"last_token_usage\""),
        );
        let told = read::<Codex>(&session(&path), &START).0;
        let told: u64 = told
            .events
            .iter()
            .filter_map(|event| attribute(event, "input_tokens")?.parse::<u64>().ok())
            .sum();
        println!("{:?}: told {told} of {total}", path.file_name());
        // The last reply may wait for an event, and an aborted turn may lack one.
        assert!(told <= total && total - told <= open, "{path:?}");
    }
}

#[test]
fn other_agents_are_left_alone() {
    let folder = Path::new(TRACES);
    for path in files(folder) {
        if !path.starts_with(folder.join("codex")) {
            assert_eq!(sessions::<Codex>(&path).len(), 0, "{path:?}");
        }
    }
}

#[test]
fn growth_adds_and_never_changes() {
    let paths = real_sessions(TRACES, "codex");
    let mut cursor = START;
    let mut steps = Vec::new();
    let mut id = None;
    for name in GROWTH {
        let Some(path) = paths
            .iter()
            .find(|path| path.to_string_lossy().contains(name))
        else {
            println!("skipped: {name}");
            return;
        };
        let known = session(path);
        assert_eq!(id.get_or_insert(known.id.clone()), &known.id);
        let whole = read::<Codex>(&known, &START).0.events;
        assert!(whole.len() > steps.len());
        let (told, next) = read::<Codex>(&known, &cursor);
        steps.extend(told.events);
        assert_same(&steps, &whole, name);
        cursor = next;
    }
}

#[test]
fn real_sessions_in_steps() {
    let home = Home::new();
    for path in real_sessions(TRACES, "codex") {
        let bytes = std::fs::read(&path).unwrap();
        let copy = home.write("a.jsonl", &bytes);
        let known = session(&copy);
        let whole = read::<Codex>(&known, &START).0.events;
        let mut steps = Vec::new();
        let mut cursor = START;
        for part in 1..=12 {
            put(&copy, &bytes[..bytes.len() * part / 12]);
            let (told, next) = read::<Codex>(&known, &cursor);
            steps.extend(told.events);
            cursor = next;
        }
        assert_same(&steps, &whole, &path.to_string_lossy());
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

#[test]
fn our_own_corpus_is_told_and_no_other_agents() {
    let told = traces::<Codex>(CORPUS);
    assert!(told.iter().any(|trace| !trace.sessions.is_empty()));
    strangers::<Codex>(CORPUS);
}
