//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, only_session, read, render};
use adapter_droid::Droid;

use crate::{DROID, fixture};

#[test]
fn a_session_is_told() {
    let (told, _) = read::<Droid>(&only_session::<Droid>(&fixture(DROID)), &START);
    assert_eq!(
        render(&told.events, &[]),
        r##"context-m1 user/injected "<system-reminder>\nTools are listed.\n</system-reminder>" injected_by=system-reminder
m1 user/text "Show the wind in knots"
m2 assistant/thinking "Where is wind shown?" model=claude-sonnet
m2#1 assistant/text "I search for it."
m2#2 assistant/tool-call "{\"pattern\":\"wind\"}" tool=Grep call_id=call_1
m3 tool/tool-result "view.py:3: wind" tool=Grep call_id=call_1
m4 assistant/tool-call "{\"command\":\"pytest\"}" tool=Execute call_id=call_2 model=claude-sonnet
m4#1 assistant/tool-call "{\"query\":\"wind\"}" tool=acreta___memory_search call_id=call_3
m5 tool/tool-result "1 failed" tool=Execute call_id=call_2 is_error=true
m5#1 tool/injected "wind is metric inside" tool=acreta___memory_search call_id=call_3 injected_by=acreta
m6 user/text "Keep it in metres per second inside; only the view shows knots."
m6#1 user/note "[image]"
c1 system/compaction "Knots in the view alone."
@2139 system/note "[the turn ended: interrupted]"
m8 assistant/text "Done." model=claude-sonnet
"##
    );
    let expected: &[&str] = &[
        "the line ends inside a string",
        "blocks of the unknown type `dance`",
        "a record of the conversation without a message",
        "records of the unknown type `riddle`",
    ];
    assert_eq!(told.messages(), expected);
}
