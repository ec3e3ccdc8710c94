//! Rows of events, chapters and changes of files.

use acreta_types::{Attrs, Event, Origin};

use super::*;

fn event(id: &str, role: &str, kind: &str, text: &str, attrs: &[(&str, &str)]) -> Event {
    let attrs = attrs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Event {
        id: id.to_owned(),
        origin: Origin::default(),
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: Attrs(attrs.collect()),
    }
}

fn reading(events: Vec<Event>) -> Reading {
    let mut reading = Reading::default();
    let children = [SessionLink {
        agent: "claude".to_owned(),
        id: "agent-a17".to_owned(),
        title: None,
    }];
    for event in events {
        reading.add(event, Some("/home/dev/ledger"), &children);
    }
    reading
}

#[test]
fn calls_are_rows_with_their_results_and_prompts_are_chapters() {
    let reading = reading(vec![
        event("e0", "system", "injected", "be brief", &[]),
        event("e1", "user", "text", "Fix the\nqueue", &[]),
        event("e2", "assistant", "thinking", "hm", &[]),
        event(
            "e3",
            "assistant",
            "tool-call",
            r#"{"command":"cargo test"}"#,
            &[("tool", "Bash"), ("call_id", "c1")],
        ),
        event(
            "e4",
            "assistant",
            "tool-call",
            r#"{"file_path":"/home/dev/ledger/src/a.rs","old_string":"a\nb\n","new_string":"a\nc\nd\n"}"#,
            &[("tool", "Edit"), ("call_id", "c2")],
        ),
        event("e5", "tool", "tool-result", "done", &[("call_id", "c2")]),
        event(
            "e6",
            "tool",
            "tool-result",
            "1 failed",
            &[("call_id", "c1"), ("is_error", "true")],
        ),
        event(
            "e7",
            "assistant",
            "tool-call",
            r#"{"description":"look","prompt":"all"}"#,
            &[("tool", "Task"), ("call_id", "c3")],
        ),
        event(
            "e8",
            "tool",
            "tool-result",
            "agentId: a17",
            &[("call_id", "c3")],
        ),
        event("e9", "user", "text", "inner", &[("sidechain", "true")]),
        event("e10", "user", "note", "[image]", &[]),
        event("e11", "user", "text", "Thanks", &[]),
        event("e12", "tool", "tool-result", "of nothing", &[]),
    ]);
    let shown: Vec<String> = reading
        .rows()
        .iter()
        .map(|row| {
            let outcome = match row.failed {
                Some(true) => " failed",
                Some(false) => " ok",
                None => "",
            };
            format!(
                "{} {:?} {}{outcome} +{} -{}",
                row.id, row.kind, row.text, row.added, row.removed
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "e0 Injected be brief +0 -0",
            "e1 Prompt Fix the\nqueue +0 -0",
            "e2 Thinking hm +0 -0",
            "e3 Call cargo test failed +0 -0",
            "e4 Call src/a.rs ok +2 -1",
            "e7 Call look ok +0 -0",
            "e9 Text inner +0 -0",
            "e10 Attachment [image] +0 -0",
            "e11 Prompt Thanks +0 -0",
            "e12 Call of nothing ok +0 -0",
        ]
    );
    assert_eq!(reading.rows()[5].session.as_deref(), Some("agent-a17"));
    assert_eq!(reading.rows()[6].subagent.as_deref(), Some("subagent"));
    assert_eq!(
        (reading.place("e6"), reading.place("nothing")),
        (Some(3), None)
    );

    let outline = reading.outline();
    let chapters: Vec<(u64, &str, u64, u64)> = outline
        .chapters
        .iter()
        .map(|one| (one.row, one.text.as_str(), one.calls, one.failed))
        .collect();
    assert_eq!(chapters, [(1, "Fix the queue", 3, 1), (8, "Thanks", 1, 0)]);
    assert_eq!((outline.events, outline.rows), (13, 10));
    assert_eq!(
        (outline.prompts, outline.calls, outline.pages.len()),
        (2, 4, 1)
    );

    let page = reading.page(0, 4, Some("e8")).unwrap();
    assert_eq!((page.offset, page.around, page.rows.len()), (4, Some(5), 4));
    assert!(reading.page(0, 4, Some("nothing")).is_none());
    assert!(reading.page(99, 4, None).unwrap().rows.is_empty());
}

#[test]
fn a_long_text_is_cut_and_its_body_has_it_all() {
    let text = "é".repeat(SPOKEN + 1);
    let said = event("e1", "assistant", "text", &text, &[]);
    let reading = reading(vec![said.clone()]);
    let row = &reading.rows()[0];
    assert!(row.truncated);
    assert_eq!(row.text.chars().count(), SPOKEN);
    let body = RowBody::of(&said, None);
    assert_eq!((body.text, body.truncated), (text, false));
}

#[test]
fn an_input_says_what_it_is_about() {
    let table = [
        ("Bash", r#"{"command":"ls -a"}"#, "ls -a"),
        (
            "shell",
            r#"{"command":["bash","-lc","git log"]}"#,
            "git log",
        ),
        (
            "Read",
            r#"{"limit":3,"file_path":"/home/dev/ledger/a.rs"}"#,
            "a.rs",
        ),
        ("TodoWrite", r#"{"todos":[{"a":1},{"b":2}]}"#, "2 items"),
        ("mcp__x", r#"{"deep":{"a":1}}"#, "deep"),
        (
            "apply_patch",
            "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n@@\n-y\n*** End Patch",
            "a.py, b.py",
        ),
        ("custom", "just words", "just words"),
    ];
    for (tool, input, expected) in table {
        let call = event("e", "assistant", "tool-call", input, &[("tool", tool)]);
        assert_eq!(reading(vec![call]).rows()[0].text, expected, "{input}");
    }
}

#[test]
fn changes_of_files_are_found_in_inputs_and_results() {
    type Change = (&'static str, &'static str, u64, u64);
    let table: [(&str, &str, &str, &[Change]); 8] = [
        (
            "Edit",
            r#"{"file_path":"a.rs","old_string":"x\ny\n","new_string":"x\nz\n"}"#,
            "",
            &[("a.rs", " x\n-y\n+z\n", 1, 1)],
        ),
        (
            "MultiEdit",
            r#"{"file_path":"a.rs","edits":[{"old_string":"x","new_string":"y"},{"old_string":"","new_string":"w"}]}"#,
            "",
            &[("a.rs", "-x\n+y\n", 1, 1), ("a.rs", "+w\n", 1, 0)],
        ),
        (
            "Write",
            r#"{"path":"a.rs","content":"x\ny"}"#,
            "",
            &[("a.rs", "+x\n+y\n", 2, 0)],
        ),
        ("Read", r#"{"path":"a.rs","content":"x"}"#, "1 x", &[]),
        (
            "shell",
            r#"{"command":["apply_patch","*** Begin Patch\n*** Update File: b.rs\n*** Move to: c.rs\n@@ fn f()\n-x\n+y\n@@\n+z\n*** End Patch\n"]}"#,
            "",
            &[("b.rs → c.rs", "@ fn f()\n-x\n+y\n@\n+z\n", 2, 1)],
        ),
        (
            "apply_patch",
            "*** Begin Patch\n*** Delete File: gone.rs\n*** End Patch",
            "",
            &[("gone.rs", "", 0, 0)],
        ),
        (
            "Bash",
            r#"{"command":"git diff"}"#,
            "diff --git a/a.rs b/a.rs\nindex 1..2\n--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,2 @@ fn f()\n x\n-y\n+z\n--- a/b.rs\n+++ /dev/null\n@@ -1 +0,0 @@\n-w\nand words",
            &[
                ("a.rs", "@ fn f()\n x\n-y\n+z\n", 1, 1),
                ("b.rs", "-w\n", 0, 1),
            ],
        ),
        ("Bash", r#"{"command":"ls"}"#, "@@ -nothing\n--- x", &[]),
    ];
    for (tool, input, output, expected) in table {
        let call = event("e", "assistant", "tool-call", input, &[("tool", tool)]);
        let result = event("r", "tool", "tool-result", output, &[]);
        let body = RowBody::of(&call, Some(&result));
        let found: Vec<_> = body
            .changes
            .iter()
            .map(|one| (one.path.as_str(), one.diff.as_str(), one.added, one.removed))
            .collect();
        assert_eq!(found, expected, "{input}");
    }
}

#[test]
fn json_is_spread_over_lines() {
    let table = [
        (
            r#"{"a":"x\ny","b":[1]}"#,
            "a:\n  x\n  y\nb:\n  [\n    1\n  ]\n",
        ),
        (r#"{"a":1,"b":"c"}"#, "a: 1\nb: c\n"),
        ("not json", "not json"),
    ];
    for (input, expected) in table {
        assert_eq!(subject::spread(input), expected);
    }
}
