//! One trap of the format each: repeated records, their authors and shapes.

use acreta_sdk::adapter::testing::attribute;

use crate::support::{item, message, notice, told, user_message, wrapped};

/// Role, kind and text.
type Expected = [(&'static str, &'static str, &'static str)];

fn check(lines: &[String], expected: &Expected) {
    let told = told(lines);
    assert_eq!(told.texts(), expected, "{lines:#?}");
    assert_eq!(told.messages(), [""; 0], "{lines:#?}");
}

#[test]
fn what_stands_in_both_streams_is_told_once() {
    let yes = ("user", "text", "yes");
    // One pair, in either order; white space may differ.
    check(&[message("user", "yes"), user_message("yes")], &[yes]);
    check(&[user_message(" yes\\n"), message("user", "yes")], &[yes]);
    // Equal texts, twice.
    check(
        &[
            message("user", "yes"),
            user_message("yes"),
            message("user", "yes"),
            user_message("yes"),
        ],
        &[yes, yes],
    );
    // In one stream only.
    check(&[user_message("yes"), user_message("yes")], &[yes, yes]);
    check(
        &[message("user", "yes"), message("user", "yes")],
        &[yes, yes],
    );
    // With an answer in between they are two.
    check(
        &[
            message("user", "yes"),
            message("assistant", "done"),
            user_message("yes"),
        ],
        &[yes, ("assistant", "text", "done"), yes],
    );
    // The agent's text is in both streams, too.
    let notices = [
        notice(r#"{"type":"agent_message","message":"done"}"#),
        notice(r#"{"type":"agent_reasoning","text":"think"}"#),
        message("assistant", "done"),
        item(r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"think"}]}"#),
    ];
    check(
        &notices,
        &[
            ("assistant", "text", "done"),
            ("assistant", "thinking", "think"),
        ],
    );
}

#[test]
fn an_insert_that_nobody_knows_yet_is_the_persons_only_if_the_other_stream_says_so() {
    let text = "<odd_insert>x</odd_insert>";
    let injected = ("user", "injected", text);
    check(&[message("user", text)], &[injected]);
    check(
        &[message("user", text), user_message(text)],
        &[injected, ("user", "text", text)],
    );
    // Older versions repeat the environment there.
    let environment = "<environment_context>x</environment_context>";
    check(
        &[message("user", environment), user_message(environment)],
        &[("user", "injected", environment)],
    );
}

#[test]
fn finished_items_stand_for_notices() {
    let completed = |item: &str| notice(&format!(r#"{{"type":"item_completed","item":{item}}}"#));
    check(
        &[
            message("user", "go"),
            completed(r#"{"type":"UserMessage","id":"u","content":[{"type":"text","text":"go"}]}"#),
            message("assistant", "gone"),
            completed(
                r#"{"type":"AgentMessage","id":"a","content":[{"type":"Text","text":"gone"}]}"#,
            ),
            completed(r#"{"type":"Plan","id":"p","text":"1. go"}"#),
            completed(
                r#"{"type":"UserMessage","id":"v","content":[{"type":"text","text":"alone"}]}"#,
            ),
        ],
        &[
            ("user", "text", "go"),
            ("assistant", "text", "gone"),
            ("user", "text", "alone"),
        ],
    );
}

#[test]
fn a_compaction_is_one_event_and_its_history_none() {
    check(
        &[
            wrapped(
                "compacted",
                r#"{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"again"}]}]}"#,
            ),
            notice(r#"{"type":"context_compacted"}"#),
            wrapped("compacted", r#"{"message":"The clock was injected."}"#),
            item(r#"{"type":"compaction","encrypted_content":"gAAA"}"#),
        ],
        &[
            ("system", "compaction", "Conversation compacted"),
            ("system", "compaction", "The clock was injected."),
        ],
    );
}

#[test]
fn every_kind_of_call_has_a_name_and_an_input() {
    let call = |payload: &str| item(&format!("{{{payload}}}"));
    let told = told(&[
        call(
            r#""type":"function_call","name":"_fetch","namespace":"mcp__apps__hub","arguments":"{}","call_id":"c1""#,
        ),
        call(r#""type":"function_call_output","call_id":"c1","output":"one""#),
        call(
            r#""type":"local_shell_call","call_id":"c2","status":"completed","action":{"type":"exec", "command":["ls"]}"#,
        ),
        call(r#""type":"function_call_output","call_id":"c2","output":"two""#),
        call(
            r#""type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}"#,
        ),
        call(r#""type":"tool_search_call","call_id":"c3","arguments":{"query":"issues"}"#),
        call(
            r#""type":"tool_search_output","call_id":"c3","tools":[{"name":"mcp__hub","tools":[{"name":"_a"},{"name":"_b"}]},{"name":"solo"}]"#,
        ),
        call(
            r#""type":"image_generation_call","id":"ig_1","status":"completed","revised_prompt":"a cat","result":"aGVsbG8=""#,
        ),
        call(r#""type":"ghost_snapshot","ghost_commit":{"id":"x"}"#),
    ]);
    let events: Vec<_> = told
        .events
        .iter()
        .map(|event| {
            let tool = attribute(event, "tool").unwrap_or("");
            let call = attribute(event, "call_id").unwrap_or("");
            (&*event.kind, tool, call, &*event.text)
        })
        .collect();
    assert_eq!(
        events,
        [
            ("tool-call", "mcp__apps__hub_fetch", "c1", "{}"),
            ("tool-result", "mcp__apps__hub_fetch", "c1", "one"),
            (
                "tool-call",
                "local_shell",
                "c2",
                r#"{"type":"exec","command":["ls"]}"#
            ),
            ("tool-result", "local_shell", "c2", "two"),
            (
                "tool-call",
                "web_search",
                "",
                r#"{"type":"search","query":"q"}"#
            ),
            ("tool-call", "tool_search", "c3", r#"{"query":"issues"}"#),
            ("tool-result", "tool_search", "c3", "mcp__hub: _a, _b\nsolo"),
            ("tool-call", "image_generation", "ig_1", "a cat"),
        ]
    );
    assert_eq!(told.messages(), [""; 0]);
}

#[test]
fn a_call_that_ended_badly_has_a_result_of_failure() {
    let endings = [
        (
            r#"{"type":"patch_apply_end","call_id":"c","success":false}"#,
            true,
        ),
        (
            r#"{"type":"patch_apply_end","call_id":"c","success":true}"#,
            false,
        ),
        (
            r#"{"type":"patch_apply_end","call_id":"other","success":false}"#,
            false,
        ),
        (
            r#"{"type":"exec_command_end","call_id":"c","exit_code":2}"#,
            true,
        ),
        (
            r#"{"type":"exec_command_end","call_id":"c","exit_code":0}"#,
            false,
        ),
        (
            r#"{"type":"item_completed","item":{"type":"CommandExecution","id":"c","command":["/bin/bash","-lc","ls"],"exit_code":2}}"#,
            true,
        ),
        (
            r#"{"type":"mcp_tool_call_end","call_id":"c","result":{"Err":"no"}}"#,
            true,
        ),
        (
            r#"{"type":"mcp_tool_call_end","call_id":"c","result":{"Ok":{"isError":true}}}"#,
            true,
        ),
        (
            r#"{"type":"mcp_tool_call_end","call_id":"c","result":{"Ok":{"isError":false}}}"#,
            false,
        ),
    ];
    for (ending, expected) in endings {
        let told = told(&[
            item(r#"{"type":"function_call","name":"t","arguments":"{}","call_id":"c"}"#),
            notice(ending),
            item(r#"{"type":"function_call_output","call_id":"c","output":"x"}"#),
        ]);
        let is_error = attribute(&told.events[1], "is_error") == Some("true");
        assert_eq!(is_error, expected, "{ending}");
    }
}

/// A model that writes scripts calls `exec` with JavaScript; the commands are recorded as finished items.
#[test]
fn commands_of_a_script_are_calls_of_their_own() {
    let ran = |id: &str, source: &str| {
        notice(&format!(
            r#"{{"type":"item_completed","item":{{"type":"CommandExecution","id":"{id}","command":["/bin/bash","-lc","sh check.sh"],"cwd":"file:///w","source":"{source}","status":"failed","aggregated_output":"error: no rows\n","exit_code":2}}}}"#
        ))
    };
    let told = told(&[
        item(
            r#"{"type":"custom_tool_call","name":"exec","namespace":"functions","call_id":"call_1","input":"text(await tools.exec_command({cmd: 'sh check.sh'}))"}"#,
        ),
        ran("exec-7f", "unified_exec_startup"),
        item(
            r#"{"type":"custom_tool_call_output","call_id":"call_1","output":"error: no rows\n"}"#,
        ),
        // The person typed this one.
        ran("exec-80", "user_shell"),
    ]);
    let events: Vec<_> = told
        .events
        .iter()
        .map(|event| {
            let call = attribute(event, "call_id").unwrap_or("");
            let is_error = attribute(event, "is_error") == Some("true");
            (&*event.kind, call, &*event.text, is_error)
        })
        .collect();
    let input = r#"{"command":["/bin/bash","-lc","sh check.sh"]}"#;
    assert_eq!(events.len(), 4);
    assert_eq!(events[1], ("tool-call", "exec-7f", input, false));
    assert_eq!(
        events[2],
        ("tool-result", "exec-7f", "error: no rows\n", true)
    );
}

#[test]
fn tokens_are_told_once_and_with_the_model() {
    let count = |last: u64, total: u64, out: u64| {
        notice(&format!(
            r#"{{"type":"token_count","info":{{"last_token_usage":{{"input_tokens":{last},"output_tokens":1}},"total_token_usage":{{"input_tokens":{total},"output_tokens":{out}}}}}}}"#
        ))
    };
    let model = |name: &str| {
        wrapped(
            "turn_context",
            &format!(r#"{{"model":"{name}","cwd":"/w"}}"#),
        )
    };
    let told = told(&[
        model("m1"),
        message("assistant", "one"),
        count(10, 10, 1),
        count(10, 10, 1),
        notice(r#"{"type":"token_count","info":null}"#),
        message("assistant", "two"),
        message("assistant", "three"),
        model("m2"),
        message("assistant", "four"),
        // A request before this one failed, and has no record.
        count(5, 30, 3),
        notice(r#"{"type":"task_complete","last_agent_message":"four"}"#),
        notice(r#"{"type":"task_complete","last_agent_message":null}"#),
    ]);
    let counted: Vec<_> = told
        .events
        .iter()
        .map(|event| {
            (
                &*event.text,
                attribute(event, "model"),
                attribute(event, "input_tokens"),
                attribute(event, "output_tokens"),
            )
        })
        .collect();
    assert_eq!(
        counted,
        [
            ("one", Some("m1"), None, None),
            // Older versions have no record of the end of a turn.
            ("turn finished", Some("m1"), Some("10"), Some("1")),
            ("two", None, None, None),
            ("three", None, None, None),
            ("four", Some("m2"), None, None),
            ("turn finished", Some("m2"), Some("20"), Some("2")),
        ]
    );
}

#[test]
fn what_changed_the_course_is_noted() {
    check(
        &[
            notice(r#"{"type":"error","error":{"kind":"rate_limit","message":"too many"}}"#),
            notice(r#"{"type":"stream_error","message":"gone"}"#),
            notice(r#"{"type":"turn_aborted","reason":"replaced"}"#),
            notice(r#"{"type":"thread_rolled_back","num_turns":2}"#),
            notice(r#"{"type":"entered_review_mode","user_facing_hint":"current changes"}"#),
            notice(r#"{"type":"undo_completed","success":true,"message":null}"#),
            notice(
                r#"{"type":"thread_goal_updated","goal":{"objective":"ship it","status":"active"}}"#,
            ),
            notice(
                r#"{"type":"thread_goal_updated","goal":{"objective":"ship it","status":"complete"}}"#,
            ),
        ],
        &[
            ("system", "note", "error: too many"),
            ("system", "note", "error: gone"),
            ("system", "note", "turn aborted: replaced"),
            ("system", "note", "2 turns rolled back"),
            ("system", "note", "review: current changes"),
            ("system", "note", "undone"),
            ("user", "note", "goal: ship it"),
        ],
    );
}

#[test]
fn a_converted_file_is_read_as_far_as_it_goes() {
    let told = told(&[
        r#"{"payload":{"message":"hi","type":"user_message"},"timestamp":1772569342.262,"type":"event_msg"}"#.to_owned(),
        r#"{"payload":{"content":[{"text":"ok","type":"input_text"},{"id":"t1","input":{"p":1},"name":"Read","type":"tool_use"}],"role":"assistant"},"timestamp":1772569345.734,"type":"response_item"}"#.to_owned(),
    ]);
    assert_eq!(
        told.texts(),
        [
            ("user", "text", "hi"),
            ("assistant", "text", "ok"),
            ("assistant", "tool-call", "{\"p\":1}"),
        ]
    );
    assert_eq!(told.events[0].at_ms, Some(1_772_569_342_262));
}

#[test]
fn shapes_that_do_not_fit_are_reported_and_the_rest_is_told() {
    let told = told(&[
        wrapped("token_usage_record", "{}"),
        wrapped("response_item", "[1]"),
        item(r#"{"type":"message","role":"user"}"#),
        message("narrator", "once"),
        item(
            r#"{"type":"message","role":"user","content":[{"type":"hat"},{"type":"input_text","text":"still \ud800 here"}]}"#,
        ),
        "{\"odd\":1}".to_owned(),
        item(
            r#"{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"no"}]}"#,
        ),
        item(
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"  "}]}"#,
        ),
    ]);
    assert_eq!(
        told.texts(),
        [
            ("user", "text", "still \u{fffd} here"),
            ("assistant", "text", "no"),
        ]
    );
    assert_eq!(
        told.messages(),
        [
            "a record of the conversation without a payload",
            "a record of the conversation without a message",
            "messages of the unknown type `narrator`",
            "blocks of the unknown type `hat`",
            "characters that are not valid were replaced",
            "a record without a type",
        ]
    );
}

/// An editor writes the selected text before the request; it may hold the heading of a request.
#[test]
fn a_selection_is_not_typed() {
    let context = "# Context from my IDE setup:\n\n## Active selection of the file:\nx\n\n## My request for Codex:\nnever push";
    let text = format!("{context}\n\n## My request for Codex:\nlook at it");
    let told = told(&[message("user", &text.replace('\n', "\\n"))]);
    assert_eq!(
        told.texts(),
        [
            ("user", "text", "look at it"),
            ("user", "injected", context)
        ]
    );
}
