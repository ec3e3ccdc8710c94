//! The fixtures as events: id, role, kind, beginning of the text, attributes.

use acreta_sdk::adapter::testing::{START, read, render};
use adapter_swe_agent::SweAgent;

use crate::support::{fixtures, scratch, session};

/// Role, kind and text of every event.
type Voices<'a> = &'a [(&'a str, &'a str, &'a str)];

fn check(name: &str, events: &str, diagnostics: &[(u64, u64, &str)]) {
    let session = session(&fixtures().join(name));
    let (told, _) = read::<SweAgent>(&session, &START);
    assert_eq!(render(&told.events, &[]), events.trim_start(), "{name}");
    let found: Vec<_> = told
        .diagnostics
        .iter()
        .map(|(_, start, end, message)| (*start, *end, &**message))
        .collect();
    assert_eq!(found, diagnostics, "{name}");
}

#[test]
fn commands_in_the_text_are_calls() {
    check(
        "rows__rows-31.traj",
        r#"
@321 system/injected "You are an autonomous programmer working in a special command line." injected_by=system-prompt
@471 user/injected "Here is a demonstration of how to work:\n```\nls\n```" injected_by=demonstration
@628 user/injected "We're solving this issue:\nISSUE:\nThe parser drops the last row when th" injected_by=task
@811 assistant/text "Let me look around." input_tokens=10 output_tokens=2
@811#1 assistant/tool-call "ls" tool=ls call_id=@811#1
@996 tool/tool-result "parser.py\ntests\n(Current directory: /rows)\nbash-$" tool=ls call_id=@811#1
@1129 assistant/text "I am done thinking."
@1294 user/injected "Your output was not formatted correctly. You must always include one d" injected_by=environment
@1471 assistant/text "Submitting."
@1471#1 assistant/tool-call "submit" tool=submit call_id=@1471#1
"#,
        &[],
    );
}

#[test]
fn calls_of_functions_are_linked_by_their_ids() {
    check(
        "rows__rows-32.traj",
        r#"
@365 system/injected "You are an autonomous programmer working in a special command line." injected_by=system-prompt
@699 user/injected "ls" injected_by=demonstration
@1086 user/injected "demo output" injected_by=demonstration
@1249 user/injected "We're solving this issue:\nISSUE:\nThe parser drops the last row when th" injected_by=task
@1614 assistant/thinking "A file without a final newline."
@1614#1 assistant/text "I will reproduce it first."
@1614#2 assistant/tool-call "{\"command\":\"python repro.py\"}" tool=bash call_id=call_1
@1614#3 assistant/tool-call "{\"query\":\"newline\"}" tool=acreta_search call_id=call_2
@2443 tool/tool-result "3 rows instead of 4\n[image_url]" tool=bash call_id=call_1
@2887 tool/injected "decision: files are read line by line" tool=acreta_search call_id=call_2 injected_by=acreta
@3090 assistant/text "Looks right to me." agent_id=reviewer
@3345 user/injected "<acreta-brief>Rows end at the end of the file.</acreta-brief>" injected_by=acreta
"#,
        &[(3254, 3339, "messages of the unknown type `narrator`")],
    );
}

#[test]
fn steps_are_told_where_there_are_no_messages() {
    check(
        "rows__rows-33.traj",
        r#"
@53 assistant/text "Let me look around."
@53#1 assistant/tool-call "ls" tool=ls call_id=@53#1
@53#2 tool/tool-result "parser.py\ntests\n" tool=ls call_id=@53#1
@302 assistant/text "Fixing the loop."
@302#1 assistant/tool-call "edit parser.py" tool=edit call_id=@302#1
@302#2 tool/tool-result "[File: parser.py]" tool=edit call_id=@302#1
"#,
        &[(510, 599, "the document ends before it is complete")],
    );
}

#[test]
fn odd_messages_are_survived() {
    let table: [(&str, Voices<'_>, &[&str]); 5] = [
        (r#"{"role":"assistant"}"#, &[], &[]),
        (
            r#"{"role":"assistant","content":[{"type":"text","text":"a"},"b",{"type":"image_url"}]}"#,
            &[("assistant", "text", "a\nb\n[image_url]")],
            &[],
        ),
        (
            r#"{"content":"whose?"}"#,
            &[],
            &["a message without a role"],
        ),
        ("7", &[], &["a message without a role"]),
        (
            r#"{"role":"assistant","content":"x","tool_calls":[{"id":"c","function":{"name":"n","arguments":"{}"}}]},{"role":"tool","content":"r","tool_call_ids":["c","d"]}"#,
            &[
                ("assistant", "text", "x"),
                ("assistant", "tool-call", "{}"),
                ("tool", "tool-result", "r"),
            ],
            &[],
        ),
    ];
    let first = r#"{"role":"system","content":"","agent":"main"}"#;
    let scratch = scratch();
    for (messages, expected, diagnostics) in table {
        let told = scratch.told(&format!("{{\"history\":[{first},{messages}]}}"));
        assert_eq!(told.texts(), expected, "{messages}");
        assert_eq!(told.messages(), diagnostics, "{messages}");
    }
}
