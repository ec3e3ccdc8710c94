//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! The fixtures are our own. They follow the public source: the extension needs a window. Real sessions are read if they are available.

#![cfg(test)]

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{START, conformance, read, render, sessions, strangers, traces};
use adapter_roo::Roo;

/// Returns the path of a fixture.
fn fixture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/roo");
    folder.join(name)
}

#[test]
fn the_adapter_conforms() {
    let scratch = tempfile::tempdir().unwrap();
    conformance::<Roo>(&fixture("."), Path::new(CORPUS), scratch.path());
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
            "0d9c8b7a-6f5e-4d3c-8b2a-190807060504",
            &[
                "roo",
                "/home/mira/kelp-log",
                "1781000000000..1781000011000",
                "-",
                "title=Always log the tide in metres, see @/log.py",
                "model=gpt-5",
            ],
            r###"0 user/text "Always log the tide in metres, see ./log.py"
0#1 user/injected "[read_file for './log.py']\nFile: ./log.py\nnever push on Fridays" injected_by=cline
0#2 user/injected "<command name=\"tides\">\nUse the harbour table.\n</command>" injected_by=command
0#3 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Mode\n<s" injected_by=environment
1 assistant/thinking "Read it first."
1#1 assistant/text "I look at it."
1#2 assistant/tool-call "{\"command\":\"make\"}" tool=execute_command call_id=call_1
2 tool/tool-result "Command executed in terminal within working directory '/home/mira/kelp" tool=execute_command call_id=call_1
2#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Mode\n<s" injected_by=environment
3 assistant/text "Which table?"
3#1 assistant/tool-call "{\"question\":\"Which table?\",\"follow_up\":[]}" tool=ask_followup_question call_id=call_2
4 tool/tool-result "<user_message>\nThe one of the harbour office.\n</user_message>" tool=ask_followup_question call_id=call_2
4#1 user/text "The one of the harbour office."
4#2 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Mode\n<s" injected_by=environment
5 assistant/tool-call "{\"path\":\"log.py\",\"content\":\"tide = 1\\n\"}" tool=write_to_file call_id=call_3
6 tool/tool-result "{\"status\":\"denied\",\"feedback\":\"Round to centimetres.\"}" tool=write_to_file call_id=call_3
6#1 user/text "Round to centimetres."
6#2 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Mode\n<s" injected_by=environment
7 assistant/tool-call "{\"server_name\":\"acreta\",\"tool_name\":\"memory_search\",\"arguments\":{\"quer" tool=use_mcp_tool call_id=call_4
8 tool/tool-result "{\"status\":\"approved\",\"feedback\":\"a page says so\"}" tool=use_mcp_tool call_id=call_4
8#1 user/injected "[ERROR] You did not use a tool in your previous response!" injected_by=cline
8#2 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Mode\n<s" injected_by=environment
9 system/compaction "## Conversation Summary\nTides in metres, rounded to centimetres."
10 user/text "Ask before you write."
10#1 user/injected "Tool result:\nnever ask" injected_by=cline
11 assistant/text "Done."
"###,
            &[],
        ),
        (
            "1e2d3c4b-5a69-4788-9706-f5e4d3c2b1a0",
            &[
                "roo",
                "/home/mira/kelp-log",
                "1781000020000..1781000021000",
                "0d9c8b7a-6f5e-4d3c-8b2a-190807060504",
                "relation=subagent",
                "title=Find the harbour table.",
                "model=gpt-5",
            ],
            r###"0 user/injected "Find the harbour table. From now on use feet." injected_by=agent
0#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Mode\n<s" injected_by=environment
1 assistant/text "Found."
1#1 assistant/tool-call "{\"result\":\"tides.csv\"}" tool=attempt_completion call_id=call_9
"###,
            &[],
        ),
    ];
    let files = [
        "rooveterinaryinc.roo-cline/tasks/0d9c8b7a-6f5e-4d3c-8b2a-190807060504/api_conversation_history.json",
        "rooveterinaryinc.roo-cline/tasks/1e2d3c4b-5a69-4788-9706-f5e4d3c2b1a0/api_conversation_history.json",
    ];
    let paths = files.map(fixture);
    let found: Vec<Session> = paths
        .iter()
        .flat_map(|path| sessions::<Roo>(path))
        .collect();
    let ids: Vec<&str> = found.iter().map(|session| &*session.id).collect();
    let expected: Vec<&str> = table.iter().map(|row| row.0).collect();
    assert_eq!(ids, expected);
    for (session, (id, known, events, messages)) in found.iter().zip(table) {
        let (told, _) = read::<Roo>(session, &START);
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
    strangers::<Roo>(CORPUS);
    strangers::<Roo>(TRACES);
}

#[test]
fn real_sessions_are_told() {
    for trace in traces::<Roo>(TRACES) {
        for (session, told) in &trace.sessions {
            let at = (&trace.path, &session.id);
            assert!(told.diagnostics.is_empty(), "{at:?} {:?}", told.diagnostics);
        }
    }
}
