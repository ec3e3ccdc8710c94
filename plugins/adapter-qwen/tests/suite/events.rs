//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, only_session, read, render};
use adapter_qwen::Qwen;

use crate::{QWEN, fixture};

#[test]
fn a_session_is_told() {
    let (told, _) = read::<Qwen>(&only_session::<Qwen>(&fixture(QWEN)), &START);
    assert_eq!(
        render(&told.events, &[]),
        r##"q-01 user/text "Read @tides.csv and plot the tides"
q-01#1 user/injected "--- Content from referenced files ---" injected_by=file
q-01#2 user/injected "\nContent from @tides.csv:\n" injected_by=file
q-01#3 user/injected "hour,height\n1,2.4\n" injected_by=file
q-01#4 user/injected "\n--- End of content ---" injected_by=file
q-04 assistant/thinking "The file is small." model=qwen3-coder input_tokens=210 output_tokens=40
q-04#1 assistant/text "I look at the script first."
q-04#2 assistant/tool-call "{\"file_path\":\"plot.py\"}" tool=read_file call_id=call_1
q-06 tool/tool-result "import pandas" tool=read_file call_id=call_1
q-07 assistant/tool-call "{\"command\":\"python plot.py\"}" tool=run_shell_command call_id=call_2 model=qwen3-coder
q-07#1 assistant/tool-call "{\"query\":\"plot\"}" tool=mcp__acreta__memory_search call_id=call_3
q-08 tool/tool-result "No module named pandas" tool=run_shell_command call_id=call_2 is_error=true
q-09 tool/injected "plots use the csv module" tool=mcp__acreta__memory_search call_id=call_3 injected_by=acreta
q-10 user/text "No pandas: we decided on the csv module because the boat has no networ"
q-11 user/injected "A background task finished." injected_by=system
q-12 user/note "/compress"
q-14 system/compaction "<state_snapshot>csv, not pandas</state_snapshot>"
q-15 user/text "Thanks"
q-15#1 user/injected "<system-reminder>Tools changed.</system-reminder>" injected_by=system-reminder
q-15#2 user/note "[file image/png]"
q-15#3 user/injected "<qwen:user-prompt-submit-context>From memory.</qwen:user-prompt-submit" injected_by=hook
"##
    );
    let expected: &[&str] = &[
        "the line ends inside a string",
        "records of the unknown type `riddle`",
    ];
    assert_eq!(told.messages(), expected);
}
