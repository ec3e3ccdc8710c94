//! The workflows of a public forge cannot run here. What can be checked is: they use actions by their commit, pass on no
//! credentials, and call tasks that exist.

use std::fs;

#[test]
fn workflows_pin_their_actions_and_call_tasks_that_exist() {
    let root = acreta_plugin_build::workspace_root();
    let tasks = fs::read_to_string(root.join("dev/xtask/src/main.rs")).unwrap();
    let mut calls = 0;
    for entry in fs::read_dir(root.join(".github/workflows")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines() {
            if let Some(problem) = problem(line, &tasks) {
                panic!("{}: {problem}: {line}", path.display());
            }
            calls += line.matches("cargo xtask").count();
        }
        let checkouts = text.matches("actions/checkout@").count();
        assert_eq!(
            text.matches("persist-credentials: false").count(),
            checkouts
        );
        assert!(text.contains("\npermissions:\n  contents: read\n"));
    }
    assert!(calls > 5, "{calls}");
}

#[test]
fn a_moving_action_and_an_unknown_task_are_found() {
    let tasks = "[\"dist\", rest @ ..]";
    let pinned = format!("- uses: actions/checkout@{} # v4", "0a".repeat(20));
    let table = [
        (pinned.as_str(), None),
        ("uses: ./.github/workflows/ci.yml", None),
        ("- uses: actions/checkout@v4", Some("no commit")),
        ("run: cargo xtask dist", None),
        ("run: cargo xtask dits x", Some("no task")),
    ];
    for (line, expected) in table {
        assert_eq!(problem(line, tasks), expected, "{line}");
    }
}

fn problem(line: &str, tasks: &str) -> Option<&'static str> {
    let line = line.trim();
    let is_comment = line.starts_with('#');
    if let Some((_, action)) = line.split_once("uses: ").filter(|_| !is_comment) {
        let (name, commit) = action.split_once('@').unwrap_or((action, ""));
        let commit = commit.split(' ').next().unwrap_or_default();
        let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        return (!is_commit && !name.starts_with("./")).then_some("no commit");
    }
    let (_, task) = line.split_once("cargo xtask ").filter(|_| !is_comment)?;
    let name = task.split(' ').next().unwrap_or_default();
    (!tasks.contains(&format!("[\"{name}\""))).then_some("no task")
}
