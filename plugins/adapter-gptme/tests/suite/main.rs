//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own. They have the form of what version 0.35.1 wrote. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_gptme::Gptme;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/gptme");
    folder.join(name)
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Gptme>(&fixture("."), Path::new(CORPUS), scratch.path());
}

/// A session's id, what is known of it, its events and its diagnostics.
type Row = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
);

#[test]
fn every_session_is_told() {
    let table: [Row; 2] = [
        (
            "2026-06-13-climbing-silly-pelican",
            &[
                "gptme",
                "/home/mira/kelp-log",
                "1781334000500..1781334009500",
                "-",
                "title=Depths",
                "model=local/kelp-1",
            ],
            r###"@0 system/injected "You are gptme." injected_by=gptme
@121 user/text "Show the depth in metres of log.py"
@121#1 user/injected "````log.py\nnever push on Fridays\n````" injected_by=file
@273 assistant/thinking "Read it." model=local/kelp-1 input_tokens=120 output_tokens=30 cost_dollars=0.002
@273#1 assistant/text "I look."
@273#2 assistant/tool-call "{\"command\": \"cat depth.csv\"}" tool=shell call_id=call_1
@552 tool/tool-result "Ran command: `cat depth.csv`\n\n`cat: depth.csv: No such file or directo" tool=shell call_id=call_1 is_error=true
@776 assistant/text "I write it." model=local/kelp-1 input_tokens=120 output_tokens=30 cost_dollars=0.002
@776#1 assistant/tool-call "save depth.csv\n3" tool=save call_id=@776#1
@776#2 assistant/text "And count:"
@776#3 assistant/tool-call "ipython\nlen(depths)" tool=ipython call_id=@776#3
@776#4 assistant/text "```text\nonly shown\n```"
@1069 tool/tool-result "Saved to `depth.csv`" tool=save call_id=@776#1
@1196 tool/tool-result "Executed code block.\n\nResult: 3" tool=ipython call_id=@776#3
@1339 system/injected "<system_warning>Token usage: 9</system_warning>" injected_by=gptme
@1463 user/injected "<system>No tool call detected in last message.</system>" injected_by=system
@1593 user/injected "Write a checkpoint." injected_by=gptme
@1773 user/text "Never below the chart datum."
@1876 assistant/text "Done." model=local/kelp-1 input_tokens=120 output_tokens=30 cost_dollars=0.002
"###,
            &["the line ends inside a string"],
        ),
        (
            "subagent-lister-1a2b",
            &[
                "gptme",
                "/home/mira/kelp-log",
                "1781334000500..1781334002500",
                "-",
                "relation=subagent",
                "model=local/kelp-1",
            ],
            r###"@0 system/injected "You are gptme." injected_by=gptme
@91 user/injected "List the depths. Always use feet." injected_by=agent
@199 assistant/text "Three." model=local/kelp-1 input_tokens=120 output_tokens=30 cost_dollars=0.002
"###,
            &[],
        ),
    ];
    let files = [
        "2026-06-13-climbing-silly-pelican/conversation.jsonl",
        "subagent-lister-1a2b/conversation.jsonl",
    ];
    let paths = files.map(fixture);
    let found: Vec<Session> = paths
        .iter()
        .flat_map(|path| sessions::<Gptme>(path))
        .collect();
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Gptme>(session, &START);
        assert_eq!(known_of(session), known, "{id}");
        assert_eq!(
            render(&told.events, &[]).trim_end(),
            events.trim_end(),
            "{id}"
        );
        assert_eq!(told.messages(), messages, "{id}");
        assert!(
            !format!("{session:?} {told:?}").contains("never-read-me"),
            "{id}"
        );
    }
}

/// Returns agent, directory, times, parent and attributes.
fn known_of(session: &Session) -> Vec<String> {
    let time = |time: Option<u64>| time.map_or_else(|| "-".to_owned(), |time| time.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let mut known = vec![
        session.agent.clone(),
        text(&session.project_dir),
        format!("{}..{}", time(session.started_ms), time(session.updated_ms)),
        text(&session.parent),
    ];
    known.extend(
        session
            .attrs
            .iter()
            .map(|(key, value)| format!("{key}={value}")),
    );
    known
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn other_agents_are_left_alone() {
    strangers::<Gptme>(CORPUS);
    strangers::<Gptme>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Gptme>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
