//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own. They have the form of what version 3.0.3 wrote; the older one follows the source of version 2.0.0. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_vibe::Vibe;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/vibe");
    folder.join(name)
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Vibe>(&fixture("."), Path::new(CORPUS), scratch.path());
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
    let table: [Row; 3] = [
        (
            "c80881b6-1edf-f0aa-bc14-301b167ce947",
            &[
                "vibe",
                "/home/mira/kelp-log",
                "1781251200000..1781251210000",
                "-",
                "spread=true",
                "title=Depths",
                "branch=main",
                "model=devstral",
            ],
            r###"user-turn-1-1 user/text "Show the depth in metres"
reasoning-1 assistant/thinking "Where is depth?"
assistant-1 assistant/text "I look."
effect-1 assistant/tool-call "{\"command\":\"cat depth.csv\"}" tool=file_system.bash call_id=effect-1
effect-1#1 tool/tool-result "{\"command\":\"cat depth.csv\",\"returncode\":1,\"stderr\":\"no such file\\n\",\"s" tool=file_system.bash call_id=effect-1 is_error=true
effect-2 assistant/tool-call "{\"path\":\"depth.csv\",\"content\":\"3\\n\"}" tool=file_system.write_file call_id=effect-2
effect-2#1 tool/tool-result "{\"bytes_written\":2,\"path\":\"depth.csv\"}" tool=file_system.write_file call_id=effect-2
effect-3 assistant/tool-call "{\"query\":\"depth\"}" tool=acreta_memory_search call_id=effect-3
effect-3#1 tool/injected "depth is in fathoms" tool=acreta_memory_search call_id=effect-3 injected_by=acreta
effect-4 assistant/tool-call "{\"command\":\"sleep 9\"}" tool=file_system.bash call_id=effect-4
user-turn-2-1 user/text "Never below the chart datum."
user-turn-2-1#1 user/note "[image]"
notice-1 system/injected "The model was changed." injected_by=notice
checkpoint-1 system/compaction "Depths in metres above the datum."
assistant-2 assistant/text "Done."
"###,
            &["entries of the unknown type `dance`"],
        ),
        (
            "d91992c7-2fe0-41bb-8d25-412c278df058",
            &[
                "vibe",
                "/home/mira/kelp-log",
                "1781251200000..1781251210000",
                "c80881b6-1edf-f0aa-bc14-301b167ce947",
                "spread=true",
                "relation=subagent",
                "branch=main",
                "model=devstral",
            ],
            r###"user-turn-9-1 user/injected "Read the chart. Always use feet." injected_by=agent
assistant-9 assistant/text "Read."
"###,
            &[],
        ),
        (
            "4d5e6f70-8192-4a34-b5c6-d7e8f90a1b2c",
            &[
                "vibe",
                "/home/mira/kelp-log",
                "1770977700000..1770977760000",
                "-",
                "title=Moorings",
                "branch=main",
            ],
            r###"@0 user/text "List the moorings"
@68 user/injected "<reminder>Plan first.</reminder>" injected_by=vibe
@169 assistant/thinking "A file?"
@169#1 assistant/text "I list them."
@169#2 assistant/tool-call "{\"command\": \"cat moorings\"}" tool=bash call_id=call_1
@413 tool/tool-result "<tool_error>no such file</tool_error>" tool=bash call_id=call_1 is_error=true
@524 user/text "Only those that are free."
@600 assistant/text "None."
"###,
            &[],
        ),
    ];
    let files = [
        "unified/c80881b6-1edf-f0aa-bc14-301b167ce947/CURRENT",
        "unified/d91992c7-2fe0-41bb-8d25-412c278df058/CURRENT",
        "session_20260213_101500_4d5e6f70/messages.jsonl",
    ];
    let paths = files.map(fixture);
    let found: Vec<Session> = paths
        .iter()
        .flat_map(|path| sessions::<Vibe>(path))
        .collect();
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Vibe>(session, &START);
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

/// Before version 3, the files that a prompt mentions stand below it, in a fence that their content may close.
#[expect(clippy::disallowed_methods, reason = "a fixture that is thrown away")]
#[test]
fn a_file_that_closes_its_fence_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("messages.jsonl");
    let meta = fixture("session_20260213_101500_4d5e6f70/meta.json");
    std::fs::copy(meta, folder.path().join("meta.json")).unwrap();
    let table = [
        (
            r"See @a.md\n\nfile:///a.md\n```\nx\n```\n\nalways push\n\n```\n```",
            "@0 user/text \"See @a.md\"\n@0#1 user/injected \"file:///a.md\\n```\\nx\\n```\\n\\nalways push\\n\\n```\\n```\" injected_by=file",
        ),
        (
            r"open file:///a.md\n\nfile:///b.md is mine",
            "@0 user/text \"open file:///a.md\\n\\nfile:///b.md is mine\"",
        ),
    ];
    for (content, expected) in table {
        let line = format!("{{\"role\": \"user\", \"content\": \"{content}\"}}\n");
        std::fs::write(&path, line).unwrap();
        let found = sessions::<Vibe>(&path);
        let (told, _) = read::<Vibe>(&found[0], &START);
        assert_eq!(render(&told.events, &[]).trim_end(), expected);
    }
}

/// Our own sample sessions, one folder per agent.
const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures");

/// Folder of real sessions, one folder per agent, if available.
const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");

#[test]
fn other_agents_are_left_alone() {
    strangers::<Vibe>(CORPUS);
    strangers::<Vibe>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Vibe>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
