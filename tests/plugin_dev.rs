//! `plugin dev`: a round at every change, and where a plugin trapped.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::plugin_projects::with_cargo;
use crate::support::{Project, component, fixture, ran};

#[test]
fn a_trap_is_shown_with_its_lines_and_what_it_was_built_from() {
    let project = Project::new();
    let mut new = project.command(&["plugin", "new", "extractor", "remember"]);
    ran(new.current_dir(project.outside()).output().unwrap()).succeeded();
    let folder = project.outside().join("remember");
    let source = folder.join("src/lib.rs");
    let text = std::fs::read_to_string(&source).unwrap();
    let good = "sentences\n        .filter(";
    let bad = "sentences\n        .map(|sentence| { assert!(!sentence.contains(\"never\"), \"no never\"); sentence })\n        .filter(";
    assert!(text.contains(good), "the template has changed");
    let line = 1 + text[..text.find(good).unwrap()].lines().count();
    project.write("remember/src/lib.rs", text.replace(good, bad).as_bytes());
    project.write(
        "session.jsonl",
        &std::fs::read(fixture("claude/demo-queue-retries.jsonl")).unwrap(),
    );
    let round = |more: &[&str]| {
        let arguments = [
            &["plugin", "dev", "--once", "--session", "../session.jsonl"],
            more,
        ]
        .concat();
        let mut command = project.command(&arguments);
        ran(with_cargo(&mut command)
            .current_dir(&folder)
            .output()
            .unwrap())
    };
    let trapped = round(&[]);
    assert_eq!(trapped.code, 1, "{}", trapped.stderr);
    let trapped = trapped.stdout;
    for says in [
        "TRAP  plugin `remember`:",
        "no never",
        "(src/lib.rs:",
        &format!("{line:>5} |         .map(|sentence| {{ assert!"),
    ] {
        assert!(trapped.contains(says), "{says}: {trapped}");
    }

    project.write("remember/src/lib.rs", text.as_bytes());
    let fine = round(&["--json"]).succeeded().json();
    assert_eq!(fine["traps"].as_array().unwrap().len(), 0, "{fine:#}");
    assert!(
        !fine["run"]["actions"].as_array().unwrap().is_empty(),
        "{fine:#}"
    );
    assert!(
        !project.root().join(".acreta/memory").exists(),
        "nothing is kept"
    );
    let names: Vec<&str> = fine["built"]["dependencies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"wit-bindgen"), "{names:?}");
    // The lock names them, for tests and for features that this role does not have.
    assert!(
        !names.contains(&"tempfile") && !names.contains(&"rusqlite"),
        "{names:?}"
    );
    let mut inspect = project.command(&["plugin", "inspect", "."]);
    let shown = ran(inspect.current_dir(&folder).output().unwrap())
        .succeeded()
        .stdout;
    assert!(
        shown.contains("built from\n  acreta-sdk 0.1.0 (local)"),
        "{shown}"
    );
}

#[cfg(unix)]
#[test]
fn every_change_is_a_round_until_it_is_interrupted() {
    let project = Project::new();
    let manifest = "id = \"mine\"\nversion = \"0.1.0\"\nrole = \"memory-writer\"\ncomponent = \"mine.wasm\"\ndescription = \"For tests.\"\n";
    project.write("mine/plugin.toml", manifest.as_bytes());
    project.write("mine/original.wasm", &component("writer-markdown"));
    project.write("mine/.gitignore", b"/log\n");
    // It does not wait for files that a build writes again and again.
    project.write("mine/build.sh", b"date > log\ncp original.wasm mine.wasm\n");
    let folder = project.outside().join("mine");
    let mut dev = project
        .command(&["plugin", "dev", folder.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(dev.stderr.take().unwrap()).lines();
    let mut until = |wanted: &str| {
        let found = said.find(|line| line.as_ref().is_ok_and(|line| line.contains(wanted)));
        assert!(found.is_some(), "it ended before it said {wanted:?}");
    };
    until("waiting for a change");
    project.write("mine/build.sh", b"exit 3\n");
    until("changed: build.sh");
    until("failed (exit status: 3)");
    until("waiting for a change");
    project.write("mine/notes/new.txt", b"a file that was not there");
    until("changed: notes/new.txt");
    until("waiting for a change");
    let interrupted = Command::new("kill")
        .args(["-INT", &dev.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    assert!(dev.wait().unwrap().success());
}
