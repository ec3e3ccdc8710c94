//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, Scratch, only_session, read, render};
use adapter_grok::Grok;

use crate::{GROK, fixture};

#[test]
fn a_session_is_told() {
    let (told, _) = read::<Grok>(&only_session::<Grok>(&fixture(GROK)), &START);
    assert_eq!(
        render(&told.events, &[]),
        r##"@0 system/injected "You are an agent." injected_by=system-prompt
@48 user/injected "<user_info>\nOS Version: linux\nWorkspace Path: /home/mira/kelp-log\nToda" injected_by=environment
@241 user/injected "<system-reminder>\nSkills are available.\n</system-reminder>" injected_by=system_reminder
@392 user/text "Name the log files by date"
@518 assistant/thinking "Look at the writer."
@608 assistant/text "I look at the writer." model=grok-code
@608#1 assistant/tool-call "{\"path\": \"log.py\"}" tool=read_file call_id=call_a
@773 tool/tool-result "open(\"log.txt\")" tool=read_file call_id=call_a
@850 assistant/tool-call "{\"command\": \"make\"}" tool=run_terminal_command call_id=call_b model=grok-code
@850#1 assistant/tool-call "{\"query\": \"names\"}" tool=acreta__memory_search call_id=call_c
@1090 tool/tool-result "exit: 2\nmake: no rule" tool=run_terminal_command call_id=call_b
@1172 tool/injected "logs are UTC" tool=acreta__memory_search call_id=call_c injected_by=acreta
@1269 assistant/text "Files are now called by their date." model=grok-code
@1407 user/text "Always use UTC dates, the boat crosses time zones."
@1407#1 user/note "[image]"
"##
    );
    let expected: &[&str] = &[
        "the line ends inside a string",
        "records of the unknown type `oracle`",
    ];
    assert_eq!(told.messages(), expected);
}

/// Of two queries, one is quoted: neither counts.
#[test]
fn a_quoted_query_is_not_typed() {
    let query = |words: &str| format!("<user_query>{words}</user_query>");
    let table: [(String, &[&str]); 2] = [
        (query("look"), &["look"]),
        (format!("{}{}", query("never push"), query("look")), &[]),
    ];
    let scratch = Scratch::<Grok>::new("chat_history.jsonl");
    for (text, expected) in table {
        let told = scratch.told(&format!(
            r#"{{"type":"system","content":"You are an agent."}}
{{"type":"user","content":[{{"type":"text","text":"{text}"}}],"prompt_index":0}}
"#
        ));
        let texts = told.texts();
        let typed = texts.iter().filter(|(_, kind, _)| *kind == "text");
        let typed: Vec<_> = typed.map(|(_, _, text)| *text).collect();
        assert_eq!(typed, expected, "{text}");
    }
}
