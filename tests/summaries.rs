//! Which sessions leave a summary, and whether git sees it (`memory.summaries`).

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{ClaudeSession, Project};

/// What an agent does in a session.
enum Step {
    Asks(&'static str),
    Calls(&'static str, Value),
}

/// Writes a session in which the agent answers after all steps.
fn session(project: &Project, number: u64, steps: &[Step]) -> std::path::PathBuf {
    let mut session = ClaudeSession::new(number);
    for step in steps {
        match step {
            Step::Asks(text) => session.person(text),
            Step::Calls(tool, input) => session.tool(tool, input, "ok", false),
        }
    }
    session.agent("The price is kept in whole cents, and the cart adds them up before tax.");
    project.write(&format!("s{number}.jsonl"), session.text.as_bytes())
}

fn edit() -> Step {
    let input =
        json!({"file_path": "/home/dev/shop/cart.rs", "old_string": "a", "new_string": "b"});
    Step::Calls("Edit", input)
}

fn shell(line: &str) -> Step {
    Step::Calls("Bash", json!({ "command": line }))
}

#[test]
fn a_session_that_changed_nothing_leaves_nothing() {
    use Step::{Asks, Calls};
    let read = || Calls("Read", json!({"file_path": "/home/dev/shop/cart.rs"}));
    let question = || Asks("where does the cart add up the prices of its items?");
    // The session, and whether it leaves a summary.
    let table: Vec<(Vec<Step>, bool)> = vec![
        (vec![Asks("Say hello")], false),
        (vec![question(), read()], false),
        (vec![question(), shell("git log --oneline | head")], false),
        (vec![question(), shell("rg -n price src")], false),
        (vec![question(), question()], false),
        (vec![question(), edit()], true),
        (vec![question(), shell("cargo add rust_decimal")], true),
        (vec![question(), shell("echo 1 > notes.txt")], true),
        (
            vec![question(), Calls("Task", json!({"prompt": "look"}))],
            true,
        ),
        (vec![question(), Calls("mcp__shop__order", json!({}))], true),
        // A discussion.
        (vec![question(), question(), question()], true),
        (
            vec![Asks("Always keep prices as whole cents, never as floats.")],
            true,
        ),
    ];
    for (number, (steps, leaves)) in table.iter().enumerate() {
        let project = Project::new();
        let report = project.run(&session(&project, number as u64, steps));
        let wrote = report["summary_path"] != Value::Null;
        assert_eq!(wrote, *leaves, "session {number}: {report}");
        if !leaves {
            assert_eq!(report["counts"]["add"], 0, "session {number}: {report}");
            assert!(!project.root().join(".acreta/memory").exists());
        }
    }
}

/// Returns the files of memory that git would commit, by folder.
fn to_commit(project: &Project) -> BTreeSet<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--others", "--cached", "--exclude-standard"])
        .current_dir(project.root())
        .output()
        .unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let folders = listed
        .lines()
        .filter_map(|path| path.strip_prefix(".acreta/")?.rsplit_once('/'));
    folders.map(|(folder, _)| folder.to_owned()).collect()
}

fn folders(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A rule and an edit: a memory and a summary.
fn work(project: &Project, number: u64) -> Value {
    let rule = Step::Asks("Always keep prices as whole cents, never as floats.");
    project.run(&session(project, number, &[rule, edit()]))
}

const MEMORY: [&str; 2] = ["memory/learnings", "meta/memories"];
const ALL: [&str; 4] = [
    "memory/learnings",
    "memory/summaries",
    "meta/memories",
    "meta/summaries",
];

#[test]
fn summaries_of_a_new_project_are_not_committed() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    work(&project, 1);
    assert_eq!(to_commit(&project), folders(&MEMORY));
    // They are memory like any other.
    let found = project
        .acreta(&["memory", "list", "--type", "summary", "--json"])
        .succeeded()
        .json();
    assert_eq!(found["memories"].as_array().unwrap().len(), 1, "{found}");

    // A clone has none, and is fine with it.
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "memory"]);
    project.git(&["clean", "-qfdx"]);
    project.acreta(&["memory", "list"]).succeeded();
    assert!(!project.root().join(".acreta/meta/summaries").exists());
    work(&project, 2);
    assert_eq!(to_commit(&project), folders(&MEMORY));
}

#[test]
fn summaries_are_shared_local_or_off() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    let set = |value: &str| {
        let set = ["config", "set", "memory.summaries", value];
        project.acreta(&set).succeeded().stderr
    };
    assert!(set("shared").contains("part of your next commit"));
    work(&project, 1);
    assert_eq!(to_commit(&project), folders(&ALL));
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "memory"]);

    // What git has stays, and the person is told; new ones are not added.
    assert!(set("local").contains("git rm -r -q --cached"));
    work(&project, 2);
    let summaries = std::fs::read_dir(project.memory().join("summaries")).unwrap();
    assert_eq!(summaries.count(), 2);
    let tracked = to_commit(&project);
    assert_eq!(tracked, folders(&ALL));
    project.git(&["add", "."]);
    project.git(&[
        "rm",
        "-rq",
        "--cached",
        ".acreta/memory/summaries",
        ".acreta/meta/summaries",
    ]);
    assert_eq!(to_commit(&project), folders(&MEMORY));

    assert!(set("off").contains("stay"));
    let report = work(&project, 3);
    assert_eq!(report["summary_path"], Value::Null, "{report}");
    let summaries = std::fs::read_dir(project.memory().join("summaries")).unwrap();
    assert_eq!(summaries.count(), 2);

    set("shared");
    work(&project, 4);
    assert_eq!(to_commit(&project), folders(&ALL));
}

/// A project of an earlier version has a `.gitignore` without the line, and two sidecars for each memory.
#[test]
fn an_existing_project_stays_as_it_is() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    project.write(
        "project/.acreta/.gitignore",
        b"/index/\n/workspace/\n/meta/lock\n/meta/traces/\n",
    );
    let attributes = b"/memory/** text eol=lf\n/meta/state/*.json text eol=lf merge=union\n";
    project.write("project/.acreta/.gitattributes", attributes);
    work(&project, 1);
    assert_eq!(to_commit(&project), folders(&ALL));
    let text = std::fs::read_to_string(project.root().join(".acreta/.gitattributes")).unwrap();
    assert!(text.starts_with(std::str::from_utf8(attributes).unwrap()));
    assert!(
        text.contains("/meta/memories/*.json text eol=lf merge=union\n"),
        "{text}"
    );

    // The pair of an earlier version is read, and becomes one file when the memory changes.
    let base = project.root().join(".acreta/meta");
    let sidecar = std::fs::read_dir(base.join("memories")).unwrap().next();
    let sidecar = sidecar.unwrap().unwrap().path();
    let name = sidecar.file_name().unwrap().to_str().unwrap();
    let mut state: Value = serde_json::from_slice(&std::fs::read(&sidecar).unwrap()).unwrap();
    let contributions = state
        .as_object_mut()
        .unwrap()
        .remove("contributions")
        .unwrap();
    let evidence = json!({"id": state["id"], "contributions": contributions});
    let list = || {
        project
            .acreta(&["memory", "list", "--json"])
            .succeeded()
            .stdout
    };
    let (before, id) = (list(), state["id"].as_str().unwrap().to_owned());
    #[expect(clippy::disallowed_methods, reason = "as an earlier version left it")]
    std::fs::remove_file(&sidecar).unwrap();
    project.write(
        &format!("project/.acreta/meta/state/{name}"),
        state.to_string().as_bytes(),
    );
    project.write(
        &format!("project/.acreta/meta/evidence/{name}"),
        evidence.to_string().as_bytes(),
    );
    assert_eq!(list(), before);
    project
        .acreta(&["memory", "edit", &id, "--title", "Whole cents"])
        .succeeded();
    let merged: Value = serde_json::from_slice(&std::fs::read(&sidecar).unwrap()).unwrap();
    assert_eq!(merged["contributions"][0], evidence["contributions"][0]);
    assert!(!base.join("state").join(name).exists() && !base.join("evidence").join(name).exists());
}
