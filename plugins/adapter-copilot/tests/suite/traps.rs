//! One trap of the log each: authors, repetitions, failures.

use acreta_sdk::adapter::testing::attribute;

use crate::support::{record, told};

/// Role, kind and text.
type Expected = [(&'static str, &'static str, &'static str)];

fn check(lines: &[String], expected: &Expected) {
    let told = told(lines);
    assert_eq!(told.texts(), expected, "{lines:#?}");
    assert_eq!(told.messages(), [""; 0], "{lines:#?}");
}

#[test]
fn only_what_a_person_typed_is_theirs() {
    let table: [(&str, &Expected); 9] = [
        (r#"{"content":"go"}"#, &[("user", "text", "go")]),
        (
            r#"{"content":"go","transformedContent":"go"}"#,
            &[("user", "text", "go")],
        ),
        (
            r#"{"content":" go ","transformedContent":"<a>1</a>\n\ngo\n\n<b>2</b>"}"#,
            &[
                ("user", "text", "go"),
                ("user", "injected", "<a>1</a>\n<b>2</b>"),
            ],
        ),
        (r#"{"content":"","transformedContent":"<a>1</a>"}"#, &[]),
        (
            r#"{"content":"go on","isAutopilotContinuation":true}"#,
            &[("user", "injected", "go on")],
        ),
        (
            r#"{"content":"go","source":"agent-3"}"#,
            &[("user", "injected", "go")],
        ),
        (
            r#"{"content":"go","parentToolCallId":"t"}"#,
            &[("user", "injected", "go")],
        ),
        (
            r#"{"content":"go <acreta-brief>k</acreta-brief>"}"#,
            &[
                ("user", "text", "go"),
                ("user", "injected", "<acreta-brief>k</acreta-brief>"),
            ],
        ),
        (
            r#"{"content":"look","attachments":[{"type":"selection","filePath":"/w/a.rs"}]}"#,
            &[("user", "text", "look"), ("user", "note", "[file /w/a.rs]")],
        ),
    ];
    for (data, expected) in table {
        check(&[record("user.message", data)], expected);
    }
    check(
        &[record(
            "exit_plan_mode.completed",
            r#"{"approved":false,"feedback":"smaller steps"}"#,
        )],
        &[("user", "text", "smaller steps")],
    );
}

#[test]
fn what_is_repeated_is_told_once() {
    let system = |text: &str| {
        record(
            "system.message",
            &format!(r#"{{"role":"system","content":"{text}"}}"#),
        )
    };
    check(
        &[system("a"), system("a"), system("b")],
        &[("system", "injected", "a"), ("system", "injected", "b")],
    );
    check(
        &[
            record(
                "assistant.reasoning",
                r#"{"reasoningId":"r","content":"hm"}"#,
            ),
            record(
                "assistant.message",
                r#"{"content":"ok","reasoningText":"hm"}"#,
            ),
        ],
        &[("assistant", "thinking", "hm"), ("assistant", "text", "ok")],
    );
    // A call is stored in its message and at its start; one that the person made, only at its start.
    let asked =
        r#"{"content":"","toolRequests":[{"toolCallId":"c","name":"bash","arguments":{"x": 1}}]}"#;
    let started = r#"{"toolCallId":"c","toolName":"bash","arguments":{"x":1}}"#;
    let call = ("assistant", "tool-call", "{\"x\":1}");
    check(
        &[
            record("assistant.message", asked),
            record("tool.execution_start", started),
        ],
        &[call],
    );
    check(
        &[
            record("tool.user_requested", started),
            record("tool.execution_start", started),
        ],
        &[call],
    );
}

#[test]
fn tokens_of_one_call_of_the_model_are_counted_once() {
    let message = |id: &str, text: &str| {
        record(
            "assistant.message",
            &format!(
                r#"{{"content":"{text}","model":"m","outputTokens":7,"apiCallId":"{id}","messageId":"{text}"}}"#
            ),
        )
    };
    let told = told(&[
        message("a", "one"),
        message("a", "two"),
        message("b", "three"),
        message("c", ""),
    ]);
    let counted: Vec<_> = told
        .events
        .iter()
        .map(|event| (attribute(event, "model"), attribute(event, "output_tokens")))
        .collect();
    assert_eq!(
        counted,
        [
            (Some("m"), Some("7")),
            (None, None),
            (Some("m"), Some("7")),
            (Some("m"), Some("7"))
        ]
    );
}

/// A session that is resumed counts on, or starts from zero.
#[test]
fn tokens_in_are_told_at_the_end_of_a_session() {
    let end = |input: u64, read: u64| {
        record(
            "session.shutdown",
            &format!(
                r#"{{"modelMetrics":{{"m":{{"requests":{{"count":1}},"usage":{{"inputTokens":{input},"outputTokens":9,"cacheReadTokens":{read}}}}}}}}}"#
            ),
        )
    };
    let told = told(&[
        end(100, 40),
        end(160, 50),
        end(30, 0),
        record(
            "session.shutdown",
            r#"{"modelMetrics":{"m":{"requests":2}}}"#,
        ),
    ]);
    let of = |name| -> Vec<_> {
        let events = told.events.iter();
        events.map(|event| attribute(event, name)).collect()
    };
    assert_eq!(of("input_tokens"), [Some("100"), Some("60"), Some("30")]);
    assert_eq!(of("cache_read_tokens"), [Some("40"), Some("10"), Some("0")]);
    assert_eq!(of("output_tokens"), [None; 3]);
    assert_eq!(of("model"), [Some("m"); 3]);
}

#[test]
fn a_failure_is_one_however_it_is_said() {
    let table = [
        (
            r#""success":true,"result":{"content":"fine"}"#,
            "fine",
            false,
        ),
        (
            r#""success":true,"result":{"content":"","detailedContent":"long"}"#,
            "long",
            false,
        ),
        (
            r#""success":false,"error":{"message":"no such file","code":"failure"}"#,
            "no such file",
            true,
        ),
        (
            r#""success":true,"result":{"content":"x\n<shellId: 3 completed with exit code 2>"}"#,
            "x\n<shellId: 3 completed with exit code 2>",
            true,
        ),
        (
            r#""success":true,"result":{"content":"x\n<exited with exit code 0>"}"#,
            "x\n<exited with exit code 0>",
            false,
        ),
        (
            r#""success":true,"result":{"content":"it says: with exit code 2"}"#,
            "it says: with exit code 2",
            false,
        ),
    ];
    for (data, text, is_error) in table {
        let told = told(&[
            record(
                "tool.execution_start",
                r#"{"toolCallId":"c","toolName":"bash"}"#,
            ),
            record(
                "tool.execution_complete",
                &format!(r#"{{"toolCallId":"c",{data}}}"#),
            ),
        ]);
        let result = &told.events[1];
        assert_eq!(result.text, text);
        assert_eq!(attribute(result, "tool"), Some("bash"));
        assert_eq!(attribute(result, "is_error").is_some(), is_error, "{data}");
    }
}

#[test]
fn what_changed_the_course_is_told() {
    check(
        &[
            record("session.compaction_complete", r#"{"success":true}"#),
            record(
                "session.compaction_complete",
                r#"{"success":false,"error":"busy"}"#,
            ),
            record("session.context_cleared", r#"{"messagesCleared":3}"#),
            record("session.snapshot_rewind", r#"{"eventsRemoved":3}"#),
            record("subagent.failed", r#"{"error":"lost"}"#),
            record(
                "session.handoff",
                r#"{"summary":"so far","context":"more"}"#,
            ),
            record("system.notification", r#"{"content":"shell finished"}"#),
            record("session.info", r#"{"message":"trusted"}"#),
            record("permission.requested", r#"{"requestId":"1"}"#),
            record("session.canvas.opened", "{}"),
        ],
        &[
            ("system", "compaction", "Conversation compacted"),
            ("system", "note", "compaction error: busy"),
            ("system", "note", "context cleared"),
            ("system", "note", "rewound"),
            ("system", "note", "subagent error: lost"),
            ("user", "injected", "so far\n\nmore"),
            ("user", "injected", "shell finished"),
        ],
    );
}

#[test]
fn what_nobody_knows_is_said_once() {
    let told = told(&[
        record("session.usage_record", "{}"),
        record("subagent.configured", "{}"),
        record("session.future", "{}"),
        record("session.future", "{}"),
        record("user.message", "[1]"),
        "{\"odd\":1}".to_owned(),
        record("user.message", r#"{"content":"half \ud800"}"#),
    ]);
    assert_eq!(told.texts(), [("user", "text", "half \u{fffd}")]);
    assert_eq!(
        told.messages(),
        [
            "records of the unknown type `session.future`",
            "a record of the conversation without its data",
            "a record without a type",
            "characters that are not valid were replaced",
        ]
    );
}
