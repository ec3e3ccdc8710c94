//! The fixtures as events: id, role, kind, beginning of the text, attributes.

use acreta_sdk::adapter::testing::{START, read, render, sessions};
use adapter_openhands::OpenHands;

use crate::support::{fixtures, scratch, session};

fn check(name: &str, events: &str, diagnostics: &[(u64, u64, &str)]) {
    let session = session(&fixtures().join(name));
    let (told, _) = read::<OpenHands>(&session, &START);
    assert_eq!(render(&told.events, &[]), events.trim_start(), "{name}");
    let found: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(_, start, end, message)| (*start, *end, &**message))
        .collect();
    assert_eq!(found, diagnostics, "{name}");
}

#[test]
fn a_trajectory_with_all_that_happens_in_one() {
    check(
        "trajectory.json",
        r#"
0 system/injected "You are OpenHands agent, a helpful assistant." injected_by=system-prompt
2 user/text "The daily report counts one hour twice when the clocks change. Fix it."
2#1 user/injected "<acreta-brief>\nMeters are stored in UTC.\n</acreta-brief>" injected_by=acreta
2#2 user/note "[image]"
4 user/injected "Run make test before you finish." injected_by=instructions
4#1 user/injected "Use zoneinfo, never pytz." injected_by=microagent
5 assistant/text "I will look at how hours are counted." model=claude-sonnet-4 input_tokens=2400 output_tokens=52
5#1 assistant/tool-call "{\"command\": \"grep -n hour report.py\"}" tool=execute_bash call_id=toolu_1
6 assistant/tool-call "{\"command\": \"make test\"}" tool=execute_bash call_id=toolu_2
7 tool/tool-result "12: hour = local.hour" tool=execute_bash call_id=toolu_1
8 tool/tool-result "FAILED test_report.py::test_autumn" tool=execute_bash call_id=toolu_2 is_error=true
9 assistant/thinking "Grouping by UTC would remove the ambiguity." model=claude-sonnet-4 input_tokens=2400 output_tokens=52
11 assistant/text "I would drop the repeated hour from the report."
13 user/text "No, dropping it loses readings. Group by UTC hours and only format the"
14 user/note "git stash list"
15 tool/tool-result "" tool=run call_id=14
16 assistant/tool-call "{\"query\": \"utc\"}" tool=acreta_search call_id=toolu_4 model=claude-sonnet-4 input_tokens=2400 output_tokens=52
17 tool/injected "decision: meters are stored in UTC" tool=acreta_search call_id=toolu_4 injected_by=acreta
18 system/compaction "The report groups by local hour; it has to group by UTC."
19 assistant/tool-call "{\"command\": \"str_replace\", \"path\": \"/workspace/meter/report.py\"}" tool=str_replace_editor call_id=toolu_5 model=claude-sonnet-4 input_tokens=2400 output_tokens=52
20 tool/tool-result "No replacement was performed." tool=str_replace_editor call_id=toolu_5 is_error=true
21 system/note "LLM rate limit reached"
22 assistant/tool-call "{\"thought\":\"\",\"target\":\"user\"}" tool=telepathy call_id=22
23 assistant/text "Hours are grouped in UTC; make test passes." model=claude-sonnet-4 input_tokens=2400 output_tokens=52
"#,
        &[(18042, 18241, "actions of the unknown type `telepathy`")],
    );
}

#[test]
fn a_trajectory_that_was_cut_off_is_told_as_far_as_it_goes() {
    check(
        "cut-off.json",
        r#"
2 user/text "The daily report counts one hour twice when the clocks change. Fix it."
2#1 user/injected "<acreta-brief>\nMeters are stored in UTC.\n</acreta-brief>" injected_by=acreta
2#2 user/note "[image]"
4 user/injected "Run make test before you finish." injected_by=instructions
4#1 user/injected "Use zoneinfo, never pytz." injected_by=microagent
5 assistant/text "I will look at how hours are counted." model=claude-sonnet-4 input_tokens=2400 output_tokens=52
5#1 assistant/tool-call "{\"command\": \"grep -n hour report.py\"}" tool=execute_bash call_id=toolu_1
6 assistant/tool-call "{\"command\": \"make test\"}" tool=execute_bash call_id=toolu_2
7 tool/tool-result "12: hour = local.hour" tool=execute_bash call_id=toolu_1
"#,
        &[(6185, 6982, "the document ends before it is complete")],
    );
}

#[test]
fn in_an_evaluation_nobody_speaks() {
    let expected = [
        (
            "grid__meter-12",
            r#"
@288 user/injected "Fix the issue for the repository in /workspace." injected_by=task
@443 assistant/text "Let's look at the report."
@443#1 assistant/tool-call "cat report.py" tool=run call_id=@443#1
@601 tool/tool-result "cat: report.py: No such file or directory" tool=run call_id=@443#1 is_error=true
@743 assistant/tool-call "open_file('src/report.py')" tool=run_ipython call_id=@743
@847 tool/tool-result "[File: src/report.py (20 lines total)]" tool=run_ipython call_id=@743
@970 assistant/text "Shall I change the tests as well?"
@1089 user/injected "Please continue on whatever approach you think is suitable." injected_by=task
@1235 assistant/text "The report groups by UTC now."
"#,
        ),
        ("damaged-1443", "\n"),
        (
            "grid__meter-7",
            r#"
0 assistant/text "Listing."
0#1 assistant/tool-call "ls" tool=run call_id=0
1 tool/tool-result "src" tool=run call_id=0
@1496:error system/note "Agent reached maximum iteration."
"#,
        ),
        (
            "grid__meter-9",
            "\n@2061:task user/injected \"Remove the old exporter.\" injected_by=task\n",
        ),
        (
            "grid__meter-9-2",
            "\n@2217:task user/injected \"Remove the old exporter, second try.\" injected_by=task\n",
        ),
    ];
    let found = sessions::<OpenHands>(&fixtures().join("output.jsonl"));
    assert_eq!(found.len(), expected.len());
    for (session, (id, events)) in found.iter().zip(expected) {
        let (told, _) = read::<OpenHands>(session, &START);
        assert_eq!(session.id, id);
        assert_eq!(render(&told.events, &[]), events[1..], "{id}");
        let is_damaged = id.starts_with("damaged");
        assert_eq!(told.messages().is_empty(), !is_damaged, "{id}");
    }
}

#[test]
fn every_kind_of_event_has_its_voice() {
    let first = r#"{"id":0,"timestamp":"2026-01-01T00:00:00","source":"user","message":"","action":"message","args":{"content":"go"}}"#;
    let table = [
        (
            r#"{"source":"agent","action":"read","args":{"path":"a.py","thought":""}},{"source":"agent","observation":"read","content":"x = 1"}"#,
            "@116 assistant/tool-call \"{\\\"path\\\":\\\"a.py\\\",\\\"thought\\\":\\\"\\\"}\" tool=read call_id=@116\n\
             @187 tool/tool-result \"x = 1\" tool=read call_id=@116\n",
        ),
        (
            r#"{"source":"agent","observation":"user_rejected","content":"rejected!","cause":7}"#,
            "@116 tool/tool-result \"rejected!\" tool=user_rejected call_id=7 is_error=true\n",
        ),
        (
            r#"{"source":"environment","observation":"agent_state_changed","content":"","extras":{"agent_state":"error","reason":"budget used up"}}"#,
            "@116 system/note \"budget used up\"\n",
        ),
        (
            r#"{"source":"agent","observation":"condense","content":"so far"}"#,
            "@116 system/compaction \"so far\"\n",
        ),
        (
            r#"{"source":"agent","action":"reject","args":{"outputs":{},"thought":""},"message":"Task is rejected by the agent."}"#,
            "@116 assistant/text \"Task is rejected by the agent.\"\n",
        ),
        (
            r#"{"id":0,"source":"agent","action":"message","args":{"content":"same number"}}"#,
            "0~2 assistant/text \"same number\"\n",
        ),
        (
            r#"{"source":"agent","action":"run","args":{"command":"top"}},{"source":"agent","observation":"run","content":"","extras":{"metadata":{"exit_code":-1}}}"#,
            "@116 assistant/tool-call \"top\" tool=run call_id=@116\n\
             @175 tool/tool-result \"\" tool=run call_id=@116\n",
        ),
        (
            r#"{"source":"environment","action":"message","args":{"content":"reconnected"}}"#,
            "@116 user/injected \"reconnected\" injected_by=environment\n",
        ),
        (r#"{"source":"agent","action":"null","args":{}}"#, ""),
    ];
    let scratch = scratch();
    for (events, expected) in table {
        let told = scratch.told(&format!("[{first},{events}]"));
        let rendered = render(&told.events[1..], &[]);
        assert_eq!(rendered, expected, "{events}");
        assert!(told.diagnostics.is_empty(), "{events}");
    }
}

#[test]
fn what_is_unknown_is_told_and_said_once() {
    let first =
        r#"{"timestamp":"2026-01-01T00:00:00","source":"agent","action":"dance","args":{}}"#;
    let told = scratch().told(&format!(
        "[{first},{first},{{\"observation\":\"mist\",\"content\":\"grey\"}},{{\"neither\":1}},7]"
    ));
    assert_eq!(
        told.messages(),
        [
            "actions of the unknown type `dance`",
            "observations of the unknown type `mist`",
            "an event that is neither an action nor an observation",
        ]
    );
    assert_eq!(told.events.len(), 3);
}
