//! Every shape of both formats: speaker, text and id.
//!
//! The expectation has a line per event: id, role, kind, beginning of the text, attributes.

use acreta_sdk::adapter::testing::{ReadResult, START, read, render, sessions};
use adapter_kimi::Kimi;

use crate::{FORK, LEGACY, LEGACY_SUBAGENT, MAIN, SUBAGENT, fixture};

fn told(name: &str) -> ReadResult {
    let found = sessions::<Kimi>(&fixture(name));
    let [session] = &found[..] else {
        panic!("{name}: {found:?}");
    };
    read::<Kimi>(session, &START).0
}

fn check(name: &str, ignored: &[&str], events: &str, diagnostics: &[&str]) {
    let told = told(name);
    let expected = events.trim_start_matches('\n');
    assert_eq!(render(&told.events, ignored), expected, "{name}");
    let found: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(_, start, end, message)| format!("{start}..{end} {message}"))
        .collect();
    assert_eq!(found, diagnostics, "{name}");
}

#[test]
fn a_session_of_kimi_code() {
    check(
        MAIN,
        &["model"],
        r##"
@72 system/injected "You are Kimi Code CLI, an interactive general AI agent." injected_by=system-prompt
@554 user/text "the csv export breaks in spreadsheets of our german customers, please "
@735 user/injected "<acreta-brief>Exports are written by ledger/export.py.</acreta-brief>" injected_by=acreta
@1549 assistant/thinking "Find the writer first."
@1814 assistant/tool-call "{\"command\":\"rg -n 'csv.writer' ledger\"}" tool=Bash call_id=Bash_0
@2125 tool/tool-result "ledger/export.py:18:    writer = csv.writer(target)" tool=Bash call_id=Bash_0
@2621 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@3241 assistant/tool-call "{\"query\":\"csv separator\"}" tool=mcp__acreta__search call_id=mcp__acreta__search_1
@3583 tool/injected "no memory about separators" tool=mcp__acreta__search call_id=mcp__acreta__search_1 injected_by=acreta
@4084 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@4704 assistant/text "I will quote every field so that commas do no harm."
@5285 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@5471 user/text "no, don't quote. use a semicolon as separator, because their spreadshe"
@5949 user/injected "<system-reminder>\nThe TodoList tool has not been updated recently.\n</s" injected_by=todo_list_reminder
@6851 assistant/tool-call "{\"path\":\"ledger/export.py\",\"old\":\"csv.writer(target)\",\"new\":\"csv.write" tool=Edit call_id=Edit_2
@7219 tool/tool-result "Edited ledger/export.py" tool=Edit call_id=Edit_2
@7687 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@8307 assistant/tool-call "{\"command\":\"pytest -q tests/test_export.py\"}" tool=Bash call_id=Bash_3
@8623 tool/tool-result "E   AssertionError: 'id,amount' != 'id;amount'\n1 failed\nCommand failed" tool=Bash call_id=Bash_3 is_error=true
@9174 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@9794 user/note "rejected: Editing tests/test_export.py" call_id=Edit_4
@9794#1 user/text "leave the old test, add a second one for semicolons" call_id=Edit_4
@10049 assistant/tool-call "{\"path\":\"tests/test_export.py\"}" tool=Edit call_id=Edit_4
@10352 tool/tool-result "Tool call was rejected by the user." tool=Edit call_id=Edit_4 is_error=true
@10847 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@11467 assistant/tool-call "{\"description\":\"Find callers\",\"subagent_type\":\"explore\",\"prompt\":\"List" tool=Agent call_id=Agent_5
@11841 tool/tool-result "agent_id: agent-0\nstatus: completed\n\n[summary]\nOnly ledger/cli.py call" tool=Agent call_id=Agent_5
@12375 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@12995 assistant/text "Semicolons it is; a second test covers them and the old one is as it w"
@13599 system/note "9410 tokens in, 38 out" input_tokens=9410 output_tokens=38 cache_read_tokens=9000 cache_write_tokens=0
@13785 user/note "git status --short"
@14016 user/injected "<bash-stdout> M ledger/export.py</bash-stdout><bash-stderr></bash-stde" injected_by=bash
@14274 user/text "mention the semicolon" command=release-notes
@14274#1 user/injected "# Release notes\nWrite them in one line." injected_by=skill
@14848 system/note "800 tokens in, 120 out" input_tokens=800 output_tokens=120 cache_read_tokens=0 cache_write_tokens=0
@15035 user/compaction "Exports use a semicolon. One test was added."
@15372 user/text "thanks, stop here"
@15494 user/note "interrupted"
"##,
        &[],
    );
}

#[test]
fn what_a_subagent_is_asked_is_no_person() {
    check(
        SUBAGENT,
        &[
            "input_tokens",
            "output_tokens",
            "cache_read_tokens",
            "cache_write_tokens",
        ],
        r##"
@455 user/injected "<git-context>\nWorking directory: /home/mira/ledger-export\n</git-contex" injected_by=subagent
@1183 assistant/tool-call "{\"pattern\":\"export_csv\"}" tool=Grep call_id=Grep_0 model=kimi-k2.7-code
@1479 tool/tool-result "ledger/cli.py:40:    export_csv(rows)" tool=Grep call_id=Grep_0
@1962 system/note "9410 tokens in, 38 out" model=kimi-k2.7-code
@2582 assistant/text "Only ledger/cli.py calls export_csv." model=kimi-k2.7-code
@3149 system/note "9410 tokens in, 38 out" model=kimi-k2.7-code
"##,
        &[],
    );
    check(
        LEGACY_SUBAGENT,
        &[],
        r##"
@49 user/injected "Find where the header is written." injected_by=agent
@176 assistant/text "In ledger/export.py, line 12."
"##,
        &[],
    );
}

#[test]
fn a_fork_says_what_it_copied() {
    let told = told(FORK);
    let copied: Vec<_> = told
        .events
        .iter()
        .map(|event| event.attrs.iter().any(|(key, _)| key == "copied_from"))
        .collect();
    let own = copied.iter().position(|copied| !copied).unwrap();
    assert_eq!(own, 12);
    assert!(copied[own..].iter().all(|copied| !copied));
    assert_eq!(told.events[own].text, "in this branch, try tabs instead");
    let source = ("copied_from", "3b9d2c70-1f64-4c8e-8b21-6a0e9d4f7c15");
    assert!(told.events[..own].iter().all(|event| {
        event
            .attrs
            .iter()
            .any(|(key, value)| (&**key, &**value) == source)
    }));
}

#[test]
fn damage_costs_itself() {
    check(
        "damaged.jsonl",
        &[],
        r##"
@72 system/injected "You are Kimi Code CLI." injected_by=system-prompt
@345 user/text "always round half up in the totals"
@803 user/text "and add this picture"
@803#1 user/note "[image]"
@1044 assistant/text "Rounded half up."
@1044#1 assistant/tool-call "{\"command\":\"pytest\"}" tool=Bash call_id=old_1
@1317 tool/tool-result "4 passed" tool=Bash call_id=old_1
"##,
        &[
            "513..627 the line ends inside a string",
            "628..687 records of the unknown type `weather.report`",
            "748..802 a record of the conversation without a message",
            "1044..1316 parts of the unknown type `hologram`",
            "1480..1540 unfinished at the end of the file, left for the next read",
        ],
    );
}

#[test]
fn a_session_of_the_older_kimi_cli() {
    check(
        LEGACY,
        &[],
        r##"
@49 user/text "rename the column amount to total"
@260 assistant/thinking "One place."
@397 assistant/text "Renaming it now."
@519 assistant/tool-call "{\"path\":\"ledger/export.py\"}" tool=StrReplaceFile call_id=tool_1
@943 user/note "rejected"
@943#1 user/text "keep amount in the database, rename only the header"
@1135 tool/tool-result "The tool call is rejected by the user." tool=StrReplaceFile call_id=tool_1 is_error=true
@1372 system/note "920 tokens in, 30 out" input_tokens=920 output_tokens=30 cache_read_tokens=800 cache_write_tokens=0
@1689 assistant/text "The header is written in one place." agent_id=tool_2
@2212 user/text "and mention it in the changelog"
@2212#1 user/note "[image]"
@2537 user/compaction "Conversation compacted"
@2619 user/text "which python is this?"
@2743 assistant/text "3.14"
@3039 assistant/text "Done: only the header is renamed."
"##,
        &["2863..2950 messages of the unknown type `Sparkle`"],
    );
}

#[test]
fn times_are_kept() {
    for name in [MAIN, SUBAGENT, FORK, LEGACY] {
        let told = told(name);
        let times: Vec<_> = told.events.iter().map(|event| event.at_ms).collect();
        assert!(times.iter().all(Option::is_some), "{name}: {times:?}");
        assert!(times.is_sorted(), "{name}: {times:?}");
    }
}
