//! Speaker, text and id of events.

use acreta_sdk::adapter::testing::{START, only_session, read, render};
use adapter_cline::Cline;

use crate::{SESSION, TASK, fixture};

#[test]
fn a_session_of_the_terminal_is_told() {
    let (told, _) = read::<Cline>(&only_session::<Cline>(&fixture(SESSION)), &START);
    assert_eq!(
        render(&told.events, &[]),
        r##"u1 user/text "Round the depth to decimetres"
msg_a assistant/thinking "Where is depth?" model=claude-sonnet input_tokens=50 output_tokens=7
msg_a#1 assistant/text "Let me look."
msg_a#2 assistant/tool-call "{\"commands\":[\"grep -r depth\"]}" tool=run_commands call_id=call_1
msg_b tool/tool-result "{\"query\":\"grep -r depth\",\"result\":\"log.py: depth\",\"success\":true}" tool=run_commands call_id=call_1
msg_a~2 assistant/tool-call "{\"path\":\"log.py\"}" tool=editor call_id=call_2
msg_a~2#1 assistant/tool-call "{\"title\":\"x\"}" tool=acreta__memory_add call_id=call_3
msg_d tool/tool-result "{\"query\":\"edit:log.py\",\"error\":\"no such text\",\"success\":false}" tool=editor call_id=call_2 is_error=true
msg_d#1 tool/injected "kept" tool=acreta__memory_add call_id=call_3 injected_by=acreta
5 user/text "Never round what is stored, only what is shown."
msg_g assistant/text "Only the view rounds now."
"##
    );
    let expected: &[&str] = &[
        "messages of the unknown type `oracle`",
        "blocks of the unknown type `dance`",
    ];
    assert_eq!(told.messages(), expected);
}

#[test]
fn a_task_of_the_editor_is_told() {
    let (told, _) = read::<Cline>(&only_session::<Cline>(&fixture(TASK)), &START);
    assert_eq!(
        render(&told.events, &[]),
        r##"0 user/text "Log the depth in metres"
0#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Working" injected_by=environment
1 assistant/thinking "Read it first." model=claude-sonnet
1#1 assistant/text "I read the log."
1#2 assistant/tool-call "<path>log.py</path>" tool=read_file call_id=1#2
2 tool/tool-result "depth = 3" tool=read_file call_id=1#2
2#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Working" injected_by=environment
3 assistant/tool-call "<command>make</command>\n<requires_approval>false</requires_approval>" tool=execute_command call_id=3
4 tool/tool-result "The tool execution failed with the following error:\n<error>\nno rule\n</" tool=execute_command call_id=3 is_error=true
4#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Working" injected_by=environment
5 assistant/text "No tool here."
6 user/injected "[ERROR] You did not use a tool in your previous response!" injected_by=cline
6#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Working" injected_by=environment
7 assistant/text "The depth is in metres."
8 user/note "[image]"
8#1 user/text "Use fathoms nowhere, charts are metric."
9 assistant/tool-call "{\"path\":\"chart.py\"}" tool=read_file call_id=toolu_9
10 tool/tool-result "metric" tool=read_file call_id=toolu_9
10#1 user/injected "<environment_details>\n# VSCode Visible Files\nlog.py\n\n# Current Working" injected_by=environment
"##
    );
    let expected: &[&str] = &[];
    assert_eq!(told.messages(), expected);
}
