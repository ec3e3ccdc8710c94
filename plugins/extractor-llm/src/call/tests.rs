//! Rendering of calls of real tools.

use super::*;

#[test]
fn calls_are_shown_by_worth() {
    let big = "word ".repeat(4_000);
    let cases: &[(&str, String, CallKind, &str)] = &[
        ("Read", r#"{"file_path": "src/a.rs", "limit": 3}"#.into(), CallKind::Routine, "Read src/a.rs"),
        (
            "Grep",
            r#"{"pattern": "fn main", "path": "src"}"#.into(),
            CallKind::Routine,
            "Grep fn main in src",
        ),
        (
            "Edit",
            r#"{"file_path": "a.toml", "old_string": "[net]\nport = 1", "new_string": "[net]\nport = 2\nhost = 3"}"#.into(),
            CallKind::Edit,
            "Edit a.toml\n- port = 1\n+ port = 2\n+ host = 3",
        ),
        (
            "shell",
            r#"{"command": ["bash", "-lc", "cargo test --all"]}"#.into(),
            CallKind::Command,
            "shell cargo test --all",
        ),
        (
            "Bash",
            r#"{"command": "git add . && git commit -m \"Use tabs\n\nNarrow screens.\""}"#.into(),
            CallKind::Commit,
            "Bash git commit -m \"Use tabs\n\nNarrow screens.\"",
        ),
        (
            "apply_patch",
            "*** Begin Patch\n*** Update File: a.rs\n@@\n-old\n+new\n*** End Patch".into(),
            CallKind::Edit,
            "apply_patch Update File: a.rs\n+new",
        ),
        ("mcp__x", "no json at all".into(), CallKind::Routine, "mcp__x no json at all"),
        ("TodoWrite", r#"{"todos": [{"content": "a"}]}"#.into(), CallKind::Routine, "TodoWrite "),
    ];
    for (tool, input, shape, full) in cases {
        let call = read(tool, input);
        assert_eq!(
            (call.shape, call.full.trim()),
            (*shape, full.trim()),
            "{tool}"
        );
    }
    let written = read(
        "Write",
        &serde_json::json!({"file_path": "x.rs", "content": big}).to_string(),
    );
    assert!(written.full.len() < 200 && written.full.starts_with("Write x.rs\n+ word"));
    let rules = read(
        "Write",
        &serde_json::json!({"file_path": "CLAUDE.md", "content": big}).to_string(),
    );
    assert!(
        rules.full.len() > 1_500,
        "what agents are told is worth more"
    );
}

#[test]
fn a_question_keeps_all_its_options() {
    let options: Vec<Value> = (0..6)
        .map(|at| serde_json::json!({"label": format!("Way {at}"), "description": "why and how ".repeat(8)}))
        .collect();
    let asked = serde_json::json!({"questions": [{"question": "Which way?", "options": options}]});
    let call = read("AskUserQuestion", &asked.to_string());
    assert_eq!(call.shape, CallKind::Question);
    for at in 0..6 {
        assert!(
            call.full.contains(&format!("\n- Way {at}: why and how")),
            "{}",
            call.full
        );
    }
    let plain = serde_json::json!({"question": "Go on?", "options": ["yes", "no"]});
    assert_eq!(
        read("question", &plain.to_string()).full.trim(),
        "question asks: Go on?\n- yes\n- no"
    );
}

#[test]
fn long_paths_are_known_by_their_end() {
    assert_eq!(short_path("src/a.rs"), "src/a.rs");
    assert_eq!(
        short_path("/home/someone/work/project/cli/strategy/session.go"),
        "cli/strategy/session.go"
    );
    assert_eq!(short_path(&"x".repeat(50)), "x".repeat(50));
}

#[test]
fn looking_around_is_routine() {
    for (command, expected) in [
        ("cd src && grep -n main a.rs | head", CallKind::Routine),
        ("git log --oneline -n 5", CallKind::Routine),
        ("git push origin HEAD", CallKind::Command),
        ("npm run check 2>&1 | grep error", CallKind::Command),
    ] {
        let input = serde_json::json!({ "command": command }).to_string();
        let call = read("Bash", &input);
        assert_eq!(call.shape, expected, "{command}");
        assert!(!call.compact.contains("cd src"), "{}", call.compact);
    }
}

#[test]
fn runs_of_the_same_thing_have_one_key() {
    for command in [
        "cargo test --all",
        "cd x && RUST_LOG=1 cargo test -- --nocapture",
        "timeout 60 cargo test foo",
    ] {
        assert_eq!(key(command), "cargo test", "{command}");
    }
}
