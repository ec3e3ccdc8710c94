//! `memory export` and `memory import`: an export restores memory as it was, on this machine and on another, or says what
//! it left out.

#![expect(
    clippy::disallowed_methods,
    reason = "people and editors do not go through the store"
)]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Project, Ran, Tree, fixture, ran, tree};

/// Returns a project with every sort of memory: of a session with its summary, told by a person, nearly the same twice,
/// archived, superseded, edited by hand, written by hand with little front matter, and global.
fn filled() -> Project {
    let project = Project::new();
    project.run(&fixture("claude/demo-queue-retries.jsonl"));
    let add = |title: &str, more: &[&str]| -> String {
        let mut arguments = vec!["memory", "add", title, "--json"];
        arguments.extend(more);
        let added = project.acreta(&arguments).succeeded().json();
        added["id"].as_str().unwrap().to_owned()
    };
    let old = add("Invoices are printed in Lisbon", &["--type", "decision"]);
    project.acreta(&["memory", "archive", &old]).succeeded();
    for title in [
        "Retry status 502 in the gateway client three times",
        "Retry status 503 in the gateway client three times",
    ] {
        let body = format!("{title}. It is back within seconds.");
        add(
            title,
            &["--kind", "convention", "--body", &body, "--tag", "gateway"],
        );
    }
    let edited = add("Anchors are weighed before sunrise", &["--kind", "context"]);
    let shown = project.acreta(&["memory", "show", &edited, "--json"]);
    let path = shown.succeeded().json()["memory"]["path"].to_string();
    let path = project.memory().join(path.trim_matches('"'));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}\nNot on Sundays.\n")).unwrap();
    let own = "---\nid: by-hand\ntitle: Lanterns hang outside\nkind: context\n---\n\nLanterns hang outside.\n";
    let own_path = "project/.acreta/memory/learnings/20260101-lanterns.md";
    project.write(own_path, own.as_bytes());
    add(
        "Commits are signed",
        &["--scope", "global", "--kind", "convention"],
    );
    project
}

fn export(project: &Project, format: &str) -> String {
    let arguments = ["memory", "export", "--archived", "--as", format];
    project.acreta(&arguments).succeeded().stdout
}

/// Returns memory files and sidecars of a project.
fn stored(root: &Path) -> Tree {
    let mut stored = tree(&root.join(".acreta/memory"), &[]);
    for folder in ["memories", "summaries"] {
        let files = tree(&root.join(".acreta/meta").join(folder), &[]).into_iter();
        stored.extend(files.map(|(name, what)| (format!("{folder}/{name}"), what)));
    }
    stored
}

/// Returns the trust of each memory, by id.
fn trusts(project: &Project, root: &Path) -> BTreeMap<String, String> {
    let mut trusts = BTreeMap::new();
    for more in [&[][..], &["--archived"]] {
        let mut command = project.command(&["memory", "list", "--json"]);
        let listed = ran(command.args(more).current_dir(root).output().unwrap());
        for memory in listed.succeeded().json()["memories"].as_array().unwrap() {
            let text = |key: &str| memory[key].as_str().unwrap().to_owned();
            trusts.insert(text("id"), text("trust"));
        }
    }
    trusts
}

fn import(project: &Project, root: &Path, file: &Path) -> Ran {
    let mut command = project.command(&["memory", "import", file.to_str().unwrap(), "--json"]);
    ran(command.current_dir(root).output().unwrap())
}

#[test]
fn an_export_restores_memory_as_it_was_on_another_machine() {
    let project = filled();
    let before = trusts(&project, &project.root());
    for format in ["json", "jsonl", "markdown"] {
        let exported = export(&project, format);
        let other = Project::new();
        let file = other.write(&format!("memory.{format}"), exported.as_bytes());
        let report = import(&other, &other.root(), &file).succeeded().json();
        let report = &report["files"][0];
        assert_eq!(report["counts"]["add"], before.len(), "{format}: {report}");
        assert_eq!(report["refused"], json!([]), "{format}: {report}");

        // Every byte of every file and sidecar; what was global is in the project now.
        let (stored, original) = (stored(&other.root()), stored(&project.root()));
        for (path, digest) in &original {
            assert_eq!(stored.get(path), Some(digest), "{format}: {path}");
        }
        assert_eq!(stored.len(), original.len() + 2, "{format}");

        // This machine did not learn it.
        let untrusted = trusts(&other, &other.root());
        assert_eq!(untrusted.len(), before.len());
        let mut all = untrusted.values();
        assert!(all.all(|trust| trust == "untrusted"), "{untrusted:?}");
        let said = other.acreta(&["memory", "import", file.to_str().unwrap()]);
        let said = said.succeeded();
        assert!(
            said.stderr.contains("`acreta memory trust accept`"),
            "{}",
            said.stderr
        );
        other.acreta(&["memory", "trust", "accept"]).succeeded();
        let grounded = trusts(&other, &other.root());
        for (id, trust) in &before {
            let expected = match trust.as_str() {
                "untrusted" => &["untrusted", "grounded"][..],
                // A confirmation is for one project.
                _ => &["grounded"],
            };
            assert!(expected.contains(&grounded[id].as_str()), "{format}: {id}");
        }
        let again = import(&other, &other.root(), &file).succeeded().json();
        let counts = &again["files"][0]["counts"];
        assert_eq!(counts["no_op"], before.len(), "{format}: {again}");
        assert_eq!(counts["add"], 0, "{format}: {again}");
    }
}

#[test]
fn what_this_machine_learnt_stays_trusted_in_another_project() {
    let project = filled();
    let before = trusts(&project, &project.root());
    let file = project.write("memory.jsonl", export(&project, "jsonl").as_bytes());
    let other = project.outside().join("other");
    std::fs::create_dir_all(other.join(".git")).unwrap();
    let report = import(&project, &other, &file).succeeded().json();
    // What is global here is not taken into the project as well.
    let counts = &report["files"][0]["counts"];
    assert_eq!(counts["add"], before.len() - 1, "{report}");
    assert_eq!(counts["no_op"], 1, "{report}");
    for (id, trust) in trusts(&project, &other) {
        let learnt = before[&id] != "untrusted";
        assert_eq!(trust != "untrusted", learnt, "{id}");
    }
}

/// Each damaged record: how a line of the export is changed, and what is said about it.
#[test]
fn what_an_import_leaves_out_is_told_one_by_one() {
    let project = filled();
    let exported = export(&project, "jsonl");
    let lines: Vec<Value> = exported
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let first = |wanted: &str| {
        let is_wanted = |one: &&Value| one["title"].as_str().unwrap().contains(wanted);
        lines.iter().find(is_wanted).unwrap().clone()
    };
    let changed = |mut record: Value, id: &str, change: &dyn Fn(&mut Value)| {
        let head = record["front_matter"].as_str().unwrap();
        let old = record["id"].as_str().unwrap();
        record["front_matter"] = head.replacen(old, id, 1).into();
        record["id"] = id.into();
        change(&mut record);
        record.to_string()
    };
    let secret = "The key is AKIAIOSFODNN7EXAMPLE";
    let damaged = [
        (first("status 502").to_string(), "an id that came before"),
        (
            changed(first("status 502"), "a1", &|one| {
                one["title"] = "Another".into()
            }),
            "not those of its front matter",
        ),
        (
            changed(first("status 502"), "a2", &|one| {
                one["body"] = secret.into()
            }),
            "contains a secret",
        ),
        (
            changed(first("status 502"), "../up", &|_| ()),
            "an id that is not a plain name",
        ),
        (
            changed(first("status 502"), "a3", &|one| one["state"] = 7.into()),
            "its evidence or state cannot be read",
        ),
        ("{\"id\": ".to_owned(), "is not JSON"),
    ];
    let mut text = exported.clone();
    for (line, _) in &damaged {
        text.push_str(&format!("{line}\n"));
    }
    let other = Project::new();
    let file = other.write("memory.jsonl", text.as_bytes());
    let said = other
        .acreta(&["memory", "import", file.to_str().unwrap()])
        .failed(3, "was not imported as a whole");
    for (_, reason) in &damaged {
        assert!(said.stderr.contains(reason), "{reason}: {}", said.stderr);
    }
    assert_eq!(trusts(&other, &other.root()).len(), lines.len());

    // A memory that is here with another text stays as it is.
    let newer = exported.replace("It is back within seconds.", "It is back within minutes.");
    let file = other.write("newer.jsonl", newer.as_bytes());
    let before = stored(&other.root());
    let report = import(&other, &other.root(), &file).failed(3, "");
    let report = report.json_before_failure();
    let refused = report["files"][0]["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 2, "{report}");
    assert_eq!(stored(&other.root()), before);
}
