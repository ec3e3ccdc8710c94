//! Notes of whole sessions, from the calls to the candidates.

use acreta_sdk::extractor::testing::{EventList, ScriptedHost, event, is_grounded, session};
use acreta_sdk::extractor::{Candidate, Event, Extractor};

use crate::{NoteCall, Notes, note_call};

fn call(id: &str, tool: &str, arguments: &str) -> Event {
    let mut call = event(id, "assistant", "tool-call", arguments);
    call.attrs = vec![
        ("tool".to_owned(), tool.to_owned()),
        ("call_id".to_owned(), id.to_owned()),
    ];
    call
}

fn extracted(events: Vec<Event>) -> Vec<Candidate> {
    let list = EventList::new(events);
    let found = Notes::extract(&session(), &list, &ScriptedHost::default()).unwrap();
    for candidate in &found {
        for evidence in &candidate.evidence {
            assert!(is_grounded(evidence, list.events()), "{evidence:?}");
        }
    }
    found
}

#[test]
fn a_note_is_read_from_every_spelling_of_its_call() {
    let arguments = r#"{"title":"No deploys on Fridays","quote":["never deploy on fridays"],"kind":"convention","files":["ci.yml"],"replaces":"01ab"}"#;
    let wrapped = format!(
        r#"{{"server_name":"acreta","tool_name":"acreta__memory_note","arguments":{arguments}}}"#
    );
    // Grok Build.
    let used = format!(r#"{{"tool_name":"acreta__memory_note","tool_input":{arguments}}}"#);
    let quoted =
        serde_json::json!({"tool_name": "memory_note", "arguments": arguments}).to_string();
    let shell = "cd x && acreta memory note 'No deploys on Fridays' --quote='never deploy on fridays' --kind convention --file ci.yml --replaces 01ab && ls";
    let bash = serde_json::json!({ "command": shell }).to_string();
    let list = serde_json::json!({"command": ["bash", "-lc", shell]}).to_string();
    let lines = serde_json::json!({"commands": ["ls", shell]}).to_string();
    let expected = NoteCall {
        title: "No deploys on Fridays".to_owned(),
        kind: "convention".to_owned(),
        quotes: vec!["never deploy on fridays".to_owned()],
        about: None,
        files: vec!["ci.yml".to_owned()],
        replaces: Some("01ab".to_owned()),
    };
    for (tool, arguments, is_note) in [
        ("mcp__acreta__memory_note", arguments, true),
        ("acreta_memory_note", arguments, true),
        ("acreta___memory_note", arguments, true),
        ("mcp__plugin_acreta_acreta__memory_note", arguments, true),
        ("memory_note", arguments, true),
        ("use_mcp_tool", &wrapped, true),
        ("use_tool", &used, true),
        ("call_tool", &quoted, true),
        ("Bash", &bash, true),
        ("shell", &list, true),
        ("run_commands", &lines, true),
        ("mcp__other__memory_note", arguments, false),
        ("mcp__acreta__memory_search", arguments, false),
        ("Bash", r#"{"command":"echo acreta memory"}"#, false),
        ("mcp__acreta__memory_note", "not json", false),
        ("mcp__acreta__memory_note", r#"{"quote":["x"]}"#, false),
    ] {
        let read = note_call(&call("c", tool, arguments));
        assert_eq!(
            read,
            is_note.then(|| expected.clone()),
            "{tool} {arguments}"
        );
    }
}

#[test]
fn a_note_cites_what_was_said_before_it() {
    let mut result = event(
        "r1",
        "tool",
        "injected",
        "noted p-0123456789ab: read with the session",
    );
    result.attrs = vec![("call_id".to_owned(), "c1".to_owned())];
    let note = |quote: &str, kind: &str| {
        format!(
            r#"{{"title":"A title","quote":[{quote}],"kind":"{kind}","about":"shall I deploy?"}}"#
        )
    };
    let before = |arguments: &str| {
        vec![
            event("a1", "assistant", "text", "Well, shall I deploy?"),
            event("u1", "user", "text", "No.\nNever  deploy on “Fridays”!"),
            event(
                "t1",
                "tool",
                "tool-result",
                "WARNING: never deploy at night",
            ),
            event("a2", "assistant", "text", "The cache was stale."),
            call("c1", "mcp__acreta__memory_note", arguments),
            result.clone(),
            event("u2", "user", "text", "said only later"),
        ]
    };
    let cited = |quote: &str, kind: &str| -> (String, bool) {
        let found = extracted(before(&note(quote, kind)));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].attrs[0].1, "p-0123456789ab");
        let evidence = &found[0].evidence;
        let cited: Vec<String> = evidence
            .iter()
            .map(|one| format!("{}:{}", one.event_id, one.quote))
            .collect();
        let is_spoken = found[0].attrs.iter().any(|(_, value)| value == "spoken");
        (cited.join(" "), is_spoken)
    };
    let person = "u1:Never  deploy on “Fridays” a1:shall I deploy?";
    assert_eq!(
        cited(r#""never deploy on \"Fridays\".""#, "convention"),
        (person.to_owned(), true)
    );
    // Nobody's words, another's, or a later message's: the call itself stands for it.
    for quote in [
        r#""always deploy""#,
        r#""never deploy at night""#,
        r#""said only later""#,
    ] {
        let (cited, is_spoken) = cited(quote, "decision");
        assert!(cited.starts_with("c1:") && is_spoken, "{quote}: {cited}");
    }
    // A finding may be the agent's, or a tool's.
    let about = " a1:shall I deploy?";
    assert_eq!(
        cited(r#""The cache was stale.""#, "insight"),
        (format!("a2:The cache was stale.{about}"), false)
    );
    assert_eq!(
        cited(r#""never deploy at night""#, "pitfall"),
        (format!("t1:never deploy at night{about}"), false)
    );
}

#[test]
fn a_part_of_a_sentence_gets_no_title_of_its_own() {
    for (quote, title) in [
        ("Nobody should squash hotfixes.", "Squash hotfixes"),
        ("nobody should squash hotfixes", "Squash hotfixes"),
        ("squash hotfixes", "Nobody should squash hotfixes."),
        ("Nobody should squash", "Nobody should squash hotfixes."),
        ("Fine. Nobody should squash hotfixes.", "Squash hotfixes"),
    ] {
        let arguments =
            format!(r#"{{"title":"Squash hotfixes","quote":["{quote}"],"kind":"convention"}}"#);
        let found = extracted(vec![
            event("u1", "user", "text", "Fine. Nobody should squash hotfixes."),
            call("c1", "mcp__acreta__memory_note", &arguments),
        ]);
        assert_eq!(found[0].title, title, "{quote}");
    }
}

#[test]
fn a_subagent_and_a_session_without_notes_say_nothing() {
    let arguments = r#"{"title":"A title","quote":["do it"],"kind":"decision"}"#;
    let mut inner = call("c1", "memory_note", arguments);
    inner
        .attrs
        .push(("sidechain".to_owned(), "true".to_owned()));
    let said = event("u1", "user", "text", "do it");
    assert!(extracted(vec![said.clone(), inner]).is_empty());
    assert!(extracted(vec![said, call("c2", "Bash", "{}")]).is_empty());
}
