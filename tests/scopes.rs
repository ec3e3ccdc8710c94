//! The scope of each answer: two projects and the global memory, every command, every mode. Memory of another project
//! is used only on request.

use serde_json::json;

use crate::daemon::calm;
use crate::support::{Daemon, Project, fixture};

/// A project with two repositories and global memory, each with one memory that contains a unique word.
struct Three {
    project: Project,
    other: String,
}

const OWN: &str = "ownword";
const FOREIGN: &str = "foreignword";
const GLOBAL: &str = "globalword";

impl Three {
    fn new() -> Self {
        let project = Project::new();
        let other = project.outside().join("other");
        std::fs::create_dir_all(other.join(".git")).unwrap();
        let three = Self {
            other: other.to_str().unwrap().to_owned(),
            project,
        };
        let body =
            |word: &str| format!("The shared subject is indexing, and the {word} belongs here.");
        three.ok(&[
            "memory",
            "add",
            "Shared subject of ownword",
            "--body",
            &body(OWN),
        ]);
        three.ok(&[
            "--project",
            &three.other,
            "memory",
            "add",
            "Shared subject of foreignword",
            "--body",
            &body(FOREIGN),
        ]);
        three.ok(&[
            "memory",
            "add",
            "Shared subject of globalword",
            "--body",
            &body(GLOBAL),
            "--scope",
            "global",
        ]);
        for root in [three.project.root().to_str().unwrap(), &three.other] {
            three.ok(&["project", "add", root]);
        }
        three
    }

    fn ok(&self, arguments: &[&str]) -> String {
        self.project.acreta(arguments).succeeded().stdout
    }
}

#[test]
fn no_foreign_memory_unless_asked() {
    let three = Three::new();
    let listed = three.ok(&["memory", "list", "--json", "--all-projects"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let own_id = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|memory| memory["title"].as_str().unwrap().contains(OWN))
        .and_then(|memory| memory["id"].as_str())
        .unwrap()
        .to_owned();
    let foreign_id = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|memory| memory["title"].as_str().unwrap().contains(FOREIGN))
        .and_then(|memory| memory["id"].as_str())
        .unwrap()
        .to_owned();

    // Every command that prints memory, and whether it takes a mode.
    let commands: &[(&[&str], bool)] = &[
        (
            &["memory", "search", "shared subject indexing foreignword"],
            true,
        ),
        (
            &[
                "memory",
                "search",
                "shared subject indexing",
                "--json",
                "--evidence",
                "--explain",
            ],
            true,
        ),
        (&["ask", "what is the shared subject, foreignword?"], true),
        (&["ask", "what is the shared subject?", "--json"], true),
        (&["memory", "list"], true),
        (&["memory", "list", "--json"], true),
        (&["memory", "export"], true),
        (&["memory", "export", "--as", "jsonl"], true),
        (&["memory", "export", "--as", "json"], true),
        (&["memory", "related", &own_id], false),
        (&["memory", "show", &own_id], false),
        (&["maintain", "--json"], false),
        (&["maintain", "--json", "--scope", "global"], false),
    ];
    let (mut asked, mut leaked) = (0, 0);
    for (command, takes_mode) in commands {
        for mode in ["project_fallback_global", "project_only", "global_only"] {
            let mut arguments = command.to_vec();
            if *takes_mode {
                arguments.extend(["--scope", mode]);
            }
            let mut environment = three.project.command(&arguments);
            environment.env("ACRETA_MEMORY__SCOPE", mode);
            if !takes_mode && mode == "global_only" && command[1] != "--json" {
                // The project's memory must not be visible at all.
                let output = environment.output().unwrap();
                let text = String::from_utf8_lossy(&output.stdout);
                assert!(!text.contains(OWN), "{arguments:?} {mode}: {text}");
                continue;
            }
            let output = environment.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(output.status.success(), "{arguments:?} {mode}");
            asked += 1;
            // The question itself may contain it; a hit may not.
            let told = text.replace("\"query\": \"shared subject indexing foreignword\"", "");
            let told = told.replace("what is the shared subject, foreignword?", "");
            leaked += usize::from(told.contains(FOREIGN));
            assert!(!told.contains(FOREIGN), "{arguments:?} {mode}: {text}");
            if *takes_mode {
                assert_eq!(
                    text.contains(OWN),
                    mode != "global_only",
                    "{arguments:?} {mode}: {text}"
                );
                let with_global = mode != "project_only";
                assert_eq!(
                    text.contains(GLOBAL),
                    with_global,
                    "{arguments:?} {mode}: {text}"
                );
            }
        }
    }
    println!("{asked} answers, {leaked} with foreign memory");

    // By id, too: another project's memory cannot be shown, changed or archived from here.
    for command in [
        "show", "edit", "archive", "restore", "confirm", "reject", "accept", "related",
    ] {
        three
            .project
            .acreta(&["memory", command, &foreign_id])
            .failed(1, "no such memory");
    }
    // On request it is found, with the name of its project.
    for command in [
        &["memory", "search", "foreignword", "--all-projects"][..],
        &["memory", "list", "--all-projects", "--json"],
        &["ask", "what is foreignword?", "--all-projects"],
    ] {
        let text = three.ok(command);
        assert!(
            text.contains("Shared subject of foreignword"),
            "{command:?}: {text}"
        );
    }
    let text = three.ok(&["memory", "search", "foreignword", "--all-projects"]);
    assert!(text.contains(&three.other), "{text}");
}

#[test]
fn the_project_comes_first_and_global_fills_up() {
    let three = Three::new();
    let text = three.ok(&["memory", "search", "shared subject globalword"]);
    let (own, global) = (text.find(OWN).unwrap(), text.find(GLOBAL).unwrap());
    assert!(own < global, "{text}");
    let text = three.ok(&[
        "memory",
        "search",
        "shared subject globalword",
        "--limit",
        "1",
    ]);
    assert!(text.contains(OWN) && !text.contains(GLOBAL), "{text}");
}

#[test]
fn a_worktree_has_the_memory_of_its_main_checkout() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    project.git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    let tree = project.outside().join("tree");
    project.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    project
        .acreta(&["memory", "add", "Said in the main checkout"])
        .succeeded();
    let tree = tree.to_str().unwrap();
    let found = project
        .acreta(&["--project", tree, "memory", "search", "main checkout"])
        .succeeded();
    assert!(
        found.stdout.contains("Said in the main checkout"),
        "{}",
        found.stdout
    );
    assert!(!std::path::Path::new(tree).join(".acreta").exists());
}

/// An unpacked archive can hold a git folder that names the repository beside it.
#[test]
fn a_folder_that_calls_itself_a_worktree_has_no_foreign_memory() {
    let three = Three::new();
    let project = &three.project;
    for (path, content) in [
        (".git", "gitdir: g\n"),
        ("g/HEAD", "ref: refs/heads/main\n"),
        ("g/commondir", "../../project/.git\n"),
        ("g/gitdir", "../.git\n"),
    ] {
        project.write(&format!("unpacked/{path}"), content.as_bytes());
    }
    let unpacked = project.outside().join("unpacked");
    let unpacked = unpacked.to_str().unwrap();
    for arguments in [
        &["hook", "session-start", "--agent", "claude"][..],
        &["memory", "list"],
        &["memory", "search", "shared subject"],
    ] {
        let said = three.ok(&[&["--project", unpacked], arguments].concat());
        assert!(!said.contains(OWN), "{arguments:?}: {said}");
        let said = three.ok(arguments);
        assert!(said.contains(OWN), "{arguments:?}: {said}");
    }
}

/// Sessions of a folder that no longer exists are listed with it, and become memory of the project that it moved to.
#[test]
fn a_folder_that_is_gone_is_listed_and_moved() {
    let project = calm();
    project.acreta(&["project", "add"]).succeeded();
    let text = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let recorded = text.split("\"cwd\":\"").nth(1).unwrap();
    let gone = recorded.split('"').next().unwrap();
    project.write(".claude/projects/p/s.jsonl", text.as_bytes());
    project.acreta(&["sync"]).succeeded();
    let daemon = Daemon::start(&project);
    let listed = || {
        let listed = daemon.get("/api/project/list").ok();
        let rows = listed["waiting"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["project"] == gone)
    };
    let row = listed().unwrap();
    let expected = json!([false, 1]);
    let found = json!([row["exists"], row["sessions"]]);
    assert_eq!(found, expected, "{row}");
    let moved = json!({ "path": project.root(), "former": gone });
    daemon.post("/api/project/add", &moved).ok();
    let row = listed();
    assert!(row.is_none(), "a person has decided: {row:?}");
    project.acreta(&["sync"]).succeeded();
    assert_eq!(listed(), None);
    let home = daemon.get("/api/home?all_projects=true").ok();
    assert_eq!(home["learnt"]["sessions"], 1, "{home}");
}
