//! Every kind of message and block: speaker, text and id.

use std::fs;

use acreta_sdk::adapter::testing::{ReadResult, START, put, read, render, sessions};
use adapter_amp::Amp;

use crate::{CUT, HANDED_OFF, LABELS, fixture};

fn told(name: &str) -> ReadResult {
    let session = sessions::<Amp>(&fixture(name)).remove(0);
    read::<Amp>(&session, &START).0
}

#[test]
fn a_whole_thread() {
    let told = told(LABELS);
    assert_eq!(
        render(&told.events, &[]),
        r##"0 user/text "Print shipping labels through CUPS when a parcel is booked"
0#1 user/injected "<acreta-brief id=\"b1\">Earlier: bookings are stored before anything is " injected_by=acreta
0#2 user/injected "# Parcel desk\nRun `make check` before you finish." injected_by=guidance
1 assistant/thinking "First see how a booking is stored." model=claude-opus-4-6 input_tokens=10503 output_tokens=120 cache_read_tokens=9000 cache_write_tokens=1500
1#1 assistant/text "I'll look at the booking code first."
1#2 assistant/tool-call "{\"path\":\"/home/mira/parcel desk/src/booking.ts\"}" tool=Read call_id=toolu_01
1#3 assistant/tool-call "{\"query\":\"label printing\"}" tool=mcp__acreta__search call_id=toolu_02
2 tool/tool-result "1: export async function book(parcel: Parcel) {\n2:   return store(parc" tool=Read call_id=toolu_01
2#1 tool/injected "decisions/0003-labels.md: labels are PDF, never ZPL" tool=mcp__acreta__search call_id=toolu_02 injected_by=acreta
3 assistant/tool-call "{\"cmd\":\"lpstat -p\"}" tool=Bash call_id=toolu_03 model=claude-opus-4-6 input_tokens=9901 output_tokens=210 cache_read_tokens=9000 cache_write_tokens=900
3#1 assistant/tool-call "{\"cmd\":\"npm install cups\"}" tool=Bash call_id=toolu_04
3#2 assistant/tool-call "{\"path\":\"/home/mira/parcel desk/src/booking.ts\",\"old_str\":\"return stor" tool=edit_file call_id=toolu_05
4 tool/tool-result "lpstat: No destinations added." tool=Bash call_id=toolu_03 is_error=true
4#1 tool/tool-result "no new dependencies" tool=Bash call_id=toolu_04 is_error=true
4#2 tool/tool-result "old_str was not found" tool=edit_file call_id=toolu_05 is_error=true
5 user/text "No, never print before the booking is stored: a jammed printer must no"
5#1 user/note "[image]"
5#2 user/note "[interrupted by the user]"
6 assistant/text "Understood: the outbox prints, the booking only stores." model=claude-opus-4-6 input_tokens=9302 output_tokens=40 cache_read_tokens=9000 cache_write_tokens=300
6#1 system/note "[the reply was cancelled]"
7 user/note "git status --short"
7#1 user/injected " M src/outbox.ts" injected_by=bash
8 system/compaction "Labels are printed from the outbox after the booking is stored."
9 user/injected "Also run the outbox worker once." injected_by=hidden
10 assistant/tool-call "{\"cmd\":\"npm run outbox -- --once\"}" tool=Bash call_id=toolu_06 model=claude-opus-4-6 input_tokens=9102 output_tokens=15 cache_read_tokens=9000 cache_write_tokens=100
"##
    );
    assert_eq!(told.messages(), ["blocks of the unknown type `hologram`"]);
}

#[test]
fn times_are_those_of_the_messages() {
    let told = told(LABELS);
    let table = [
        ("0", Some(1_772_300_000_000)),
        ("1#2", Some(1_772_300_004_000)),
        ("2", None),
        ("5", Some(1_772_300_100_000)),
    ];
    for (id, expected) in table {
        let event = told.events.iter().find(|event| event.id == id).unwrap();
        assert_eq!(event.at_ms, expected, "{id}");
    }
}

#[test]
fn origins_are_the_messages_themselves() {
    let bytes = fs::read(fixture(LABELS)).unwrap();
    for event in told(LABELS).events {
        let span = &bytes[event.origin.start as usize..event.origin.end as usize];
        assert!(span.starts_with(b"{") && span.ends_with(b"}"));
        let id = format!("\"messageId\": {},", event.origin.record);
        assert!(String::from_utf8_lossy(span).contains(&id), "{id}");
    }
}

#[test]
fn what_a_hand_off_wrote_is_not_the_persons() {
    let told = told(HANDED_OFF);
    let kinds: Vec<_> = told.texts().iter().map(|(_, kind, _)| *kind).collect();
    assert_eq!(kinds, ["injected", "text", "text"]);
    // Without a total, the tokens of all caches count.
    let reply = &told.events[2];
    assert!(
        reply
            .attrs
            .contains(&("input_tokens".to_owned(), "42".to_owned()))
    );
}

#[test]
fn a_document_that_ends_early_is_told_as_far_as_it_goes() {
    let told = told(CUT);
    let said = [("user", "text", "Rename the outbox table to dispatch.")];
    assert_eq!(told.texts(), said);
    let size = fs::metadata(fixture(CUT)).unwrap().len();
    let expected = "the document ends before it is complete".to_owned();
    assert_eq!(told.diagnostics, [(String::new(), size, size, expected)]);
}

#[test]
fn odd_messages_cost_themselves_only() {
    let table = [
        (r#"{"messageId":1}"#, "a message without content"),
        (r#"3"#, "a message without content"),
        (
            r#"{"role":"robot","content":[]}"#,
            "messages of the unknown type `robot`",
        ),
        (
            r#"{"role":"user","content":[{"type":"smell"}]}"#,
            "blocks of the unknown type `smell`",
        ),
        (
            r#"{"role":"user","content":[7]}"#,
            "blocks of the unknown type ``",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thread.json");
    for (odd, expected) in table {
        let document = format!(
            "{{\"v\":1,\"id\":\"T-1\",\"created\":1772300000000,\"messages\":[\
             {{\"role\":\"user\",\"messageId\":1,\"content\":\"before\"}},{odd},\
             {{\"role\":\"user\",\"messageId\":1,\"content\":\"after\"}}]}}"
        );
        put(&path, document);
        let session = sessions::<Amp>(&path).remove(0);
        let (told, _) = read::<Amp>(&session, &START);
        assert_eq!(
            told.texts(),
            [("user", "text", "before"), ("user", "text", "after")]
        );
        assert_eq!(told.messages(), [expected]);
        assert_ne!(told.events[0].id, told.events[1].id);
    }
}
