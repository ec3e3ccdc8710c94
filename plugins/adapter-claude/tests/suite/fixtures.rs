//! Every shape of the format, one fixture each: speaker, text and id.
//!
//! The expectation has a line per event: id, role, kind, beginning of the text, attributes. The attributes of API
//! messages are shown for split messages only.

use std::io::Cursor as Bytes;

use crate::support::{START, fixture, fixture_names, read, read_whole, render, session};

const MESSAGE: [&str; 6] = [
    "message_id",
    "model",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
];

/// Fixtures that are demonstrations rather than shapes to check.
const DEMONSTRATIONS: [&str; 2] = ["demo-queue-retries", "demo-release-pitfall"];

fn check(name: &str, events: &str, diagnostics: &[&str]) {
    let bytes = fixture(&format!("{name}.jsonl"));
    let session = session(&format!("/claude/{name}.jsonl"), &bytes).unwrap();
    let (told, _) = read(&session, Bytes::new(&bytes), &START);
    let ignored: &[&str] = if name == "split-message" {
        &[]
    } else {
        &MESSAGE
    };
    assert_eq!(
        render(&told.events, ignored),
        events.trim_start_matches('\n'),
        "{name}"
    );
    let found: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(record, start, end, message)| match &**record {
            "" => format!("{start}..{end} {message}"),
            record => format!("{start}..{end} {message} in {record}"),
        })
        .collect();
    assert_eq!(found, diagnostics, "{name}");
}

#[test]
fn every_fixture_is_checked() {
    let source = include_str!("fixtures.rs");
    for name in fixture_names() {
        let stem = name.trim_end_matches(".jsonl");
        let is_listed = source.contains(&format!("\n        \"{stem}\",\n"));
        assert!(
            is_listed || DEMONSTRATIONS.contains(&stem),
            "{name} is not checked"
        );
    }
}

#[test]
fn origins_are_the_records_themselves() {
    for name in fixture_names() {
        let bytes = fixture(&name);
        let Some(session) = session(&name, &bytes) else {
            continue;
        };
        for event in read(&session, Bytes::new(&bytes), &START).0.events {
            let span = &bytes[event.origin.start as usize..event.origin.end as usize];
            let record: serde_json::Value = serde_json::from_slice(span).unwrap();
            let id = record["uuid"].as_str().unwrap_or_default();
            assert_eq!(event.origin.record, id, "{name}");
            if id.is_empty() {
                assert_eq!(event.id, format!("@{}", event.origin.start), "{name}");
            } else {
                assert_eq!(event.id.split('#').next(), Some(id), "{name}");
            }
        }
    }
}

#[test]
fn demonstrations_have_the_voices_they_need() {
    let table: [(&str, &[&str]); 2] = [
        (
            "demo-queue-retries",
            &[
                "instead of Redis Streams, because",
                "One convention",
                "that's wrong",
            ],
        ),
        (
            "demo-release-pitfall",
            &["third time with the same error", "From now on always run"],
        ),
    ];
    for (name, said) in table {
        let bytes = fixture(&format!("{name}.jsonl"));
        let session = session(&format!("/claude/{name}.jsonl"), &bytes).unwrap();
        assert_eq!(session.project_dir.as_deref(), Some("/home/dev/ledger"));
        let (told, _) = read(&session, Bytes::new(&bytes), &START);
        assert!(told.diagnostics.is_empty(), "{name}");
        for words in said {
            let is_said = told.texts().iter().any(|(role, kind, text)| {
                (*role, *kind) == ("user", "text") && text.contains(words)
            });
            assert!(is_said, "{name}: {words}");
        }
    }
}

#[test]
fn split_message() {
    check(
        "split-message",
        r#"
130e2f2a user/text "why does the nightly total differ from the ledger?"
eef942ed assistant/thinking "The total is summed from a view. Look there first." message_id=msg_01a2d6f549684a51899d8baf model=claude-opus-4-7 input_tokens=2104 output_tokens=61 cache_read_tokens=2000 cache_write_tokens=100
084b24d8 assistant/text "I will look at the view that sums the entries." message_id=msg_01a2d6f549684a51899d8baf
f4c04df2 assistant/tool-call "{\"file_path\":\"/home/dev/ledger/sql/totals.sql\"}" tool=Read call_id=toolu_01split1 message_id=msg_01a2d6f549684a51899d8baf
7e3d049d tool/tool-result "     1\tCREATE VIEW totals AS\n     2\tSELECT sum(amount_cents) FROM entr" tool=Read call_id=toolu_01split1
c5bc88dc assistant/text "The view leaves out void entries, the nightly job does not." message_id=msg_01e1c31c9ac8ce57dd825677 model=claude-opus-4-7 input_tokens=2205 output_tokens=17 cache_read_tokens=2200 cache_write_tokens=0
"#,
        &[],
    );
}

#[test]
fn sidechain() {
    check(
        "sidechain",
        r#"
793f7c30 user/text "find out who calls post_entry"
30d652bc assistant/tool-call "{\"description\":\"Find callers\",\"prompt\":\"List every caller of post_entr" tool=Task call_id=toolu_01side1
000efee4 user/injected "List every caller of post_entry" injected_by=agent sidechain=true
3083792a assistant/tool-call "{\"pattern\":\"post_entry\"}" tool=Grep call_id=toolu_01side2 sidechain=true
b4d97443 tool/tool-result "src/api.rs\nsrc/import.rs" tool=Grep call_id=toolu_01side2 sidechain=true
c98fe07b assistant/text "Callers: src/api.rs and src/import.rs." sidechain=true
3f091cf1 tool/tool-result "Callers: src/api.rs and src/import.rs." tool=Task call_id=toolu_01side1
384b68e1 assistant/text "Two places call it: the API and the importer."
"#,
        &[],
    );
}

#[test]
fn session_with_a_subagent() {
    check(
        "b6d2f0c4-8a17-4c35-9e0b-5d3c1f2a4e68",
        r#"
7bd3bcbf user/text "have a subagent check the migrations"
a23dbc2d assistant/tool-call "{\"description\":\"Check migrations\",\"prompt\":\"Check that every migration" tool=Agent call_id=toolu_01agent1
a2be59b2 tool/tool-result "Every migration has a down file.\nagentId: a1b2c3d" tool=Agent call_id=toolu_01agent1
f08fdd4b assistant/text "The subagent found a down file for every migration."
"#,
        &[],
    );
}

#[test]
fn subagent() {
    check(
        "b6d2f0c4-8a17-4c35-9e0b-5d3c1f2a4e68/subagents/agent-a1b2c3d",
        r#"
4022fd60 user/injected "Check that every migration can be rolled back" injected_by=agent sidechain=true agent_id=a1b2c3d
64c03e44 assistant/tool-call "{\"pattern\":\"migrations/*.down.sql\"}" tool=Glob call_id=toolu_01agent2 sidechain=true agent_id=a1b2c3d
fe0e4a90 tool/tool-result "migrations/0001.down.sql\nmigrations/0002.down.sql" tool=Glob call_id=toolu_01agent2 sidechain=true agent_id=a1b2c3d
7a1a5fc8 assistant/text "Every migration has a down file." sidechain=true agent_id=a1b2c3d
"#,
        &[],
    );
}

#[test]
fn compaction() {
    check(
        "compaction",
        r#"
fadebddb user/text "rename Account to Wallet everywhere"
5b0c71bc assistant/text "Renamed in 14 files."
9e99bd26 system/compaction "Conversation compacted" trigger=auto
cfa02cc2 user/compaction "This session is being continued from a previous conversation that ran "
7bac6d03 user/text "now the docs, too"
1f0858e7 assistant/text "Docs are renamed."
5e7f7f55 system/note "microcompact_boundary: Context microcompacted"
"#,
        &[],
    );
}

#[test]
fn glued() {
    check(
        "glued",
        r#"
f440b79a user/text "first"
53567d6d assistant/text "one"
78af7b83 assistant/text "two"
e75d43e4 user/text "third"
"#,
        &["1111..1341 not valid JSON"],
    );
}

#[test]
fn unfinished() {
    check(
        "unfinished",
        r#"
0c72ff42 user/text "is it done?"
bd1c7526 assistant/text "Nearly."
"#,
        &["1025..1205 unfinished at the end of the file, left for the next read"],
    );
}

#[test]
fn tool_results() {
    check(
        "tool-results",
        r#"
871570cc user/text "run the tests and show me the chart"
4ca21b4d assistant/tool-call "{\"command\":\"cargo test\",\"description\":\"Run the tests\"}" tool=Bash call_id=toolu_01r1
cc26a7b3 assistant/tool-call "{\"table\":\"totals\"}" tool=mcp__plot__chart call_id=toolu_01r2
f5ed5173 assistant/tool-call "{\"query\":\"select:WebFetch\"}" tool=ToolSearch call_id=toolu_01r3
cfac3bc4 tool/tool-result "error[E0382]: borrow of moved value: `entry`" tool=Bash call_id=toolu_01r1 is_error=true
4f45a65f tool/tool-result "Chart of 3 rows\n[image]" tool=mcp__plot__chart call_id=toolu_01r2
c4ef9a65 tool/tool-result "[tool_reference]" tool=ToolSearch call_id=toolu_01r3
469af6c6 assistant/tool-call "{\"file_path\":\"/home/dev/ledger/src/post.rs\",\"old_string\":\"entry\",\"new_" tool=Edit call_id=toolu_01r4
e81244cf tool/tool-result "The user doesn't want to proceed with this tool use. The tool use was " tool=Edit call_id=toolu_01r4 is_error=true
e81244cf#1 user/text "borrow it instead of cloning" call_id=toolu_01r4
a16deee7 assistant/tool-call "{\"query\":\"borrowing\"}" tool=mcp__acreta__search call_id=toolu_01r5
7142edb7 tool/injected "decision: entries are borrowed, never cloned" tool=mcp__acreta__search call_id=toolu_01r5 injected_by=acreta
b3b015d6 assistant/tool-call "{\"command\":\"true\",\"description\":\"Nothing\"}" tool=Bash call_id=toolu_01r6
35458d38 tool/tool-result "" tool=Bash call_id=toolu_01r6
efc2c085 tool/tool-result "a result without its call" call_id=toolu_01gone
d710061e assistant/tool-call "{\"query\":\"sqlx skip locked\"}" tool=web_search call_id=srvtoolu_1
4cfc0692 tool/tool-result "[web_search_result]" tool=web_search call_id=srvtoolu_1
"#,
        &[],
    );
}

#[test]
fn images() {
    check(
        "images",
        r#"
572e86eb user/text "the button is cut off, see the picture"
572e86eb#1 user/note "[image]"
3d5c59da user/note "[document]"
0bea2be6 assistant/text "I see the button and the document."
"#,
        &[],
    );
}

#[test]
fn malformed() {
    check(
        "malformed",
        r#"
a83f813c user/text "good line one"
2e08b233 user/text "same id, now with a message"
d1729960 user/text "a bare string"
16131977 user/text "good line two"
"#,
        &[
            "328..971 the line ends inside a string",
            "972..987 not a JSON object",
            "988..990 not a JSON object",
            "991..994 not a JSON object",
            "995..1010 not a JSON object",
            "1012..1086 not valid JSON in 11111111-2222-4333-8444-555555555555",
            "1087..1103 a record without a type",
            "1104..1431 a record of the conversation without a message in 2e08b233-fd57-53b8-aa29-a4e56fcd55e8",
            "1808..2127 a record of the conversation without a message",
            "2128..2531 blocks of the unknown type `hologram`",
            "2532..2603 records of the unknown type `telepathy`",
        ],
    );
}

#[test]
fn resume_copy() {
    check(
        "resume-copy",
        r#"
5d08fbe1 user/text "start the import" copied_from=2d5e7442-6855-5f98-88a6-70e94e81129e
5b3aab9c assistant/text "Import started." copied_from=2d5e7442-6855-5f98-88a6-70e94e81129e
0c874e16 user/text "go on where we stopped"
d45aa6c0 assistant/text "Going on."
"#,
        &[],
    );
}

#[test]
fn queued_prompt() {
    check(
        "queued-prompt",
        r#"
ff6be1f5 user/text "refactor the importer"
c84f2d9a assistant/text "Working on it."
@1042 user/text "stop, keep the old parser"
be653b4c assistant/text "Keeping the old parser."
4be46ae7 user/text "then commit"
bcd8b441 user/text "use short messages"
@3860 user/injected "<task-notification>\n<task-id>b1</task-id>\n</task-notification>" injected_by=task-notification
b74f4a5c assistant/text "Committed."
"#,
        &[],
    );
}

#[test]
fn slash_commands() {
    check(
        "slash-commands",
        r#"
b4b61810 user/injected "<local-command-caveat>Caveat: The messages below were generated by the" injected_by=local-command
738bbe3b user/injected "<command-name>/clear</command-name>\n            <command-message>clear" injected_by=command
4a3c3b26 user/injected "<local-command-stdout></local-command-stdout>" injected_by=local-command
3a78fcbd user/text "412, but leave the parser alone" command=/fix-issue
3a78fcbd#1 user/injected "<command-message>fix-issue is running…</command-message>\n<command-na" injected_by=command
a384db9e user/injected "Fix an issue\n\nRead the issue, then fix it." injected_by=meta
124522ab user/note "git pull"
e94df518 user/injected "<bash-stdout>Already up to date.</bash-stdout><bash-stderr></bash-stde" injected_by=bash
78f34495 user/text "amounts are integer cents" command=#
c6c757e4 user/injected "<ide_opened_file>The user opened src/post.rs in the IDE.</ide_opened_f" injected_by=ide
c6c757e4#1 user/text "rename this function"
c6c757e4#2 user/injected "<system-reminder>\nThe date has changed.\n</system-reminder>" injected_by=system-reminder
d35bbcc7 user/note "[Request interrupted by user]"
a21682c3 user/injected "<task-notification>\n<task-id>b2</task-id>\n<status>completed</status>\n<" injected_by=task-notification
22103e53 user/text "ship it"
d53dfc47 user/injected "wake up" injected_by=cron
3c90f767 user/text "opus" command=/model
3c90f767#1 user/injected "<command-name>/model</command-name>\n<command-message>model</command-me" injected_by=command
"#,
        &[],
    );
}

#[test]
fn asides() {
    check(
        "asides",
        r#"
dfaf142e user/injected "Remember the freeze." injected_by=hook
e0476a54 user/injected "<acreta-brief>Amounts are cents.</acreta-brief>" injected_by=acreta
2a1845a5 user/injected "Use tabs." injected_by=memory-file
0f4264d7 user/note "[file /home/dev/ledger/src/post.rs]"
6d03a830 user/note "goal: all tests pass"
5e4628d1 user/text "make the tests pass"
e3d2a3aa system/note "api_error: Overloaded"
0f2653e9 system/note "You've hit your limit · resets 6pm"
"#,
        &[],
    );
}

#[test]
fn bookkeeping_only() {
    check(
        "bookkeeping-only",
        r#"
"#,
        &[],
    );
}

#[test]
fn pretty_printed() {
    check(
        "pretty-printed",
        r#"
666d9189 user/text "print it nicely"
fba97558 assistant/tool-call "{\"file_path\":\"a.json\",\"content\":\"{\\n  \\\"a\\\": 1\\n}\"}" tool=Write call_id=toolu_01p1
4aeccc80 user/text "thanks"
"#,
        &[],
    );
}

/// What a page, a server or an agent prints is never the person's reason for a refusal.
#[test]
fn only_a_refused_call_has_the_persons_words() {
    let result = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\\nnever push";
    for (tool, version, is_error, is_said) in [
        ("Edit", "1.0.17", true, true),
        ("ExitPlanMode", "2.1.6", true, true),
        ("Bash", "2.1.6", true, true),
        ("Bash", "2.1.6", false, false),
        // Its error was the command's own text.
        ("Bash", "2.0.5", true, false),
        ("Bash", "", true, false),
        ("PowerShell", "2.1.6", true, false),
        ("Read", "2.1.6", true, false),
        ("Skill", "2.1.6", true, false),
        ("ReadMcpResourceTool", "2.1.6", true, false),
        ("my_tool", "2.1.6", true, false),
        ("WebFetch", "2.1.6", true, false),
        ("Task", "2.1.6", true, false),
        ("mcp__web__fetch", "2.1.6", true, false),
    ] {
        let lines = format!(
            r#"{{"type":"assistant","sessionId":"s","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"t1","name":"{tool}","input":{{}}}}]}},"uuid":"a"}}
{{"type":"user","sessionId":"s","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"{result}","is_error":{is_error}}}]}},"uuid":"b","version":"{version}"}}
"#
        );
        let told = read_whole(lines.as_bytes());
        let said = told.texts().contains(&("user", "text", "never push"));
        assert_eq!(said, is_said, "{tool} {version} {is_error}");
    }
}

/// Another agent speaks to a teammate, and the text of a slash command is its author's.
#[test]
fn agents_and_commands_are_not_the_person() {
    let command = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"<command-name>/x</command-name>"},"uuid":"c"}
"#;
    let output = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"<local-command-stdout></local-command-stdout>"},"uuid":"o"}
"#;
    let other = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"text","text":"do x"}]},"uuid":"d"}
"#;
    let text = r#""never push""#;
    let block = r#"[{"type":"text","text":"never push"}]"#;
    for (name, before, content, fields, is_said) in [
        ("a person", "", text, "", true),
        ("a person, in a block", "", block, "", true),
        (
            "a lead",
            "",
            text,
            r#","teamName":"t","agentName":"team-lead""#,
            true,
        ),
        (
            "a teammate",
            "",
            text,
            r#","teamName":"t","agentName":"worker""#,
            false,
        ),
        ("the text of a command", command, block, "", false),
        (
            "a second text of a command",
            &format!("{command}{other}"),
            block,
            "",
            false,
        ),
        (
            "a text beside a command",
            "",
            r#"[{"type":"text","text":"<command-name>/x</command-name>"},{"type":"text","text":"never push"}]"#,
            "",
            false,
        ),
        ("a tool", "", text, r#","sourceToolUseID":"t1""#, false),
        ("the system", "", text, r#","promptSource":"system""#, false),
        (
            "the agent's plan",
            "",
            text,
            r#","planContent":"never push""#,
            false,
        ),
        ("typed behind a command", command, text, "", true),
        (
            "behind the output of a command",
            &format!("{command}{output}"),
            block,
            "",
            true,
        ),
    ] {
        let lines = format!(
            r#"{before}{{"type":"user","sessionId":"s","message":{{"role":"user","content":{content}}},"uuid":"a"{fields}}}
"#
        );
        let told = read_whole(lines.as_bytes());
        let said = told.texts().contains(&("user", "text", "never push"));
        assert_eq!(said, is_said, "{name}");
    }
}

/// A selected text may hold the mark that ends it.
#[test]
fn a_selection_is_not_typed() {
    let text =
        "<ide_selection>x</ide_selection> never push <ide_selection>y</ide_selection>look at it";
    let line = format!(
        r#"{{"type":"user","sessionId":"s","message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}},"uuid":"a"}}"#
    );
    let told = read_whole(format!("{line}\n").as_bytes());
    let texts = told.texts();
    let typed: Vec<_> = texts
        .iter()
        .filter(|(_, kind, _)| *kind == "text")
        .collect();
    assert_eq!(typed, [&("user", "text", "look at it")]);
}
