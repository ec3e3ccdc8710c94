//! Every kind of message: speaker, text and id.

use std::fs;

use acreta_sdk::adapter::testing::render;

use crate::support::{SENSOR, SUBAGENT, fixture, old_fixture, told};

#[test]
fn a_whole_session() {
    let told = told(&fixture(SENSOR));
    assert_eq!(
        render(&told.events, &[]),
        r##"env-1 user/injected "<session_context>\nThis is the Gemini CLI. We are setting up the contex" injected_by=environment
note-1 system/note "Loaded GEMINI.md."
user-1 user/text "add a rain sensor" command=/plan
user-2 user/text "Add a rain sensor to the pump schedule, see @pump.py"
user-2#1 user/injected "<hook_context>branch: sensors</hook_context>" injected_by=hook
user-2#2 user/injected "--- Content from referenced files ---" injected_by=file
user-2#3 user/injected "\nContent from @pump.py:\n" injected_by=file
user-2#4 user/injected "def schedule(): ..." injected_by=file
user-2#5 user/injected "\n--- End of content ---" injected_by=file
user-2#6 user/note "[file image/png]"
gem-1 assistant/thinking "Finding the schedule\nThe pump is driven from pump.py." model=gemini-3-pro input_tokens=905 output_tokens=100 cache_read_tokens=100
gem-1#1 assistant/tool-call "{\"file_path\":\"pump.py\"}" tool=read_file call_id=c1
gem-1#2 tool/tool-result "def schedule(): ..." tool=read_file call_id=c1
gem-1#3 assistant/tool-call "{\"command\":\"pip install rainlib\"}" tool=run_shell_command call_id=c2
gem-1#4 tool/tool-result "No matching distribution found for rainlib" tool=run_shell_command call_id=c2 is_error=true
gem-1#5 assistant/tool-call "{\"query\":\"rain sensor\"}" tool=acreta_search call_id=c3
gem-1#6 tool/injected "decisions/0005-sensors.md: sensors are polled" tool=acreta_search call_id=c3 injected_by=acreta
gem-1#7 assistant/tool-call "{\"file_path\":\"rain.py\"}" tool=write_file call_id=c4
gem-1#8 tool/tool-result "The user cancelled the write" tool=write_file call_id=c4 is_error=true
user-5 user/text "No weather service: the orchard has no internet. Read the sensor on th"
gem-3 assistant/thinking "Pin 17 is free." model=gemini-3-pro input_tokens=20 output_tokens=10 cache_read_tokens=0
gem-3#1 assistant/text "I'll poll pin 17."
gem-3#2 assistant/tool-call "{\"file\":\"pump.py\"}" tool=edit call_id=c5
gem-3#3 assistant/note "[file image/svg+xml]"
snap-1 user/compaction "<state_snapshot>\n<overall_goal>Rain sensor on pin 17, polled.</overall"
snap-2 assistant/text "Got it. Thanks for the additional context!"
user-6 tool/tool-result "[masked]" tool=edit call_id=c5
err-1 system/note "error: Quota exceeded."
warn-1 system/note "warning: Slow network."
user-7 user/note "/init"
user-7#1 user/injected "You are an agent. Analyse the directory and write GEMINI.md." injected_by=command
user-8 user/injected "System: Please continue." injected_by=continue
user-9 user/text "fix the tests"
user-9#1 user/injected "fix the tests (expanded)" injected_by=context
user-10 user/text "/home/ines/orchard/pump.py is the file; keep the debounce at 200 ms."
user-10#1 user/injected "<acreta-brief>Pumps stop in rain.</acreta-brief>" injected_by=acreta
"##
    );
    assert_eq!(
        told.messages(),
        [
            "the line ends inside a string",
            "a record that is no message and changes nothing",
            "what is taken back is not there",
            "unfinished at the end of the file, left for the next read",
            "messages of the unknown type `hologram`",
        ]
    );
}

#[test]
fn times_are_those_of_the_messages() {
    let told = told(&fixture(SENSOR));
    let at = |seconds: u64| Some(1_777_885_800_000 + seconds * 1000);
    let table = [
        ("user-2", at(10)),
        ("gem-1", at(12)),
        ("gem-1#1", at(14)),
        ("gem-1#2", at(16)),
        ("gem-1#3", at(14)),
        ("gem-3#1", at(62)),
    ];
    for (id, expected) in table {
        let event = told.events.iter().find(|event| event.id == id).unwrap();
        assert_eq!(event.at_ms, expected, "{id}");
    }
}

#[test]
fn origins_are_the_messages_themselves() {
    for path in [fixture(SENSOR), old_fixture("9c8b7a60")] {
        let bytes = fs::read(&path).unwrap();
        for event in told(&path).events {
            let span = &bytes[event.origin.start as usize..event.origin.end as usize];
            assert!(span.starts_with(b"{") && span.ends_with(b"}"));
            let text = String::from_utf8_lossy(span).replace(": ", ":");
            let id = format!("\"id\":\"{}\"", event.origin.record);
            assert!(text.contains(&id), "{id}");
        }
    }
}

#[test]
fn what_an_agent_asked_its_agent_is_not_a_persons() {
    let told = told(&fixture(SUBAGENT));
    let asked = ("user", "injected", "Find every caller of schedule().");
    assert_eq!(told.texts()[0], asked);
    assert_eq!(told.texts().len(), 2);
}

#[test]
fn old_documents_are_told_as_well() {
    let told = told(&old_fixture("9c8b7a60"));
    assert_eq!(
        render(&told.events, &[]),
        r##"a1 user/text "Water the saplings at dawn, never at noon: it burns the leaves."
a2 assistant/text "Moved to 05:30." model=gemini-2.5-pro input_tokens=3 output_tokens=2 cache_read_tokens=0
a2#1 assistant/tool-call "{\"a\":1}" tool=edit call_id=t1
a2#2 tool/tool-result "done" tool=edit call_id=t1
a3 system/note "Request cancelled."
"##
    );
    assert_eq!(told.messages(), ["a message without an id"]);
}

#[test]
fn a_document_that_ends_early_is_told_as_far_as_it_goes() {
    let told = told(&old_fixture("c0c0c0c0"));
    assert_eq!(told.texts().len(), 1);
    assert_eq!(told.messages(), ["the document ends before it is complete"]);
}

#[test]
fn a_document_on_one_line_is_told_as_well() {
    let told = told(&old_fixture("11ff11ff"));
    assert_eq!(told.texts().len(), 1);
    assert!(told.diagnostics.is_empty(), "{:?}", told.messages());
}
