//! `docs/plugin-examples.md`, followed as it is written.

use std::path::Path;
use std::process::Command;

use acreta_book::{Block, Book, Page};

use crate::plugin_projects::with_cargo;
use crate::support::{Project, Ran, files, ran};
use crate::tutorial::change;

fn book() -> Book {
    Book::read(&acreta_plugin_build::workspace_root()).unwrap()
}

fn page(book: &Book) -> &Page {
    book.page("docs/plugin-examples.md").unwrap()
}

/// Returns what the comments above blocks say after a word, with the blocks.
fn told<'a>(page: &'a Page, word: &'a str) -> impl Iterator<Item = (&'a str, &'a Block)> {
    page.blocks().iter().filter_map(move |block| {
        let rest = block.comment.as_deref()?.strip_prefix(word)?;
        Some((rest, block))
    })
}

fn here(project: &Project, line: &str) -> Ran {
    let words: Vec<&str> = line.split_whitespace().collect();
    ran(with_cargo(&mut project.command(&words)).output().unwrap()).succeeded()
}

/// Makes a project of `plugin new`, changes it, and runs all commands that the page has for it.
fn follow(project: &Project, page: &Page, role: &str, name: &str, changed: impl FnOnce(&Path)) {
    here(project, &format!("plugin new {role} {name}"));
    changed(&project.root().join(name));
    let mut ran = 0;
    for (_, block) in told(page, "commands: ").filter(|(whose, _)| *whose == name) {
        for line in block.text.replace("\\\n", " ").lines() {
            here(project, line.strip_prefix("acreta ").unwrap());
            ran += 1;
        }
    }
    assert!(ran > 3, "{ran}");
}

#[test]
fn a_company_policy_runs_frozen_and_counts_in_junit() {
    let (project, book) = (Project::new(), book());
    let page = page(&book);
    let root = project.root();
    follow(&project, page, "extractor", "ticket-policy", |folder| {
        for (path, block) in told(page, "file: ") {
            project.write(&format!("project/{path}"), block.text.as_bytes());
        }
        let (path, more) = told(page, "append: ").next().unwrap();
        let manifest = std::fs::read_to_string(folder.join("plugin.toml")).unwrap();
        let manifest = format!("{manifest}\n{}", more.text);
        project.write(&format!("project/{path}"), manifest.as_bytes());
    });
    let mut native = Command::new(env!("CARGO"));
    let native = with_cargo(&mut native).args(["test", "--quiet"]);
    let native = native.current_dir(root.join("ticket-policy"));
    ran(native.output().unwrap()).succeeded();

    let learnt = files(&root.join("out/memory/learnings"));
    let [learnt] = learnt.as_slice() else {
        panic!("{learnt:?}");
    };
    let learnt = std::fs::read_to_string(learnt).unwrap();
    let title = "OPS-412: staging shares its database with the demo system";
    assert!(page.text().contains(&format!("`{title}`")), "{title}");
    assert!(learnt.contains(&format!("# {title}\n")), "{learnt}");
    // The session itself is kept beside what was learnt from it.
    let traces = root.join("out/memory/meta/traces");
    let learnt = files(&root.join("out/memory")).into_iter();
    for file in learnt.filter(|file| !file.starts_with(&traces)) {
        let text = std::fs::read(&file).unwrap();
        let text = String::from_utf8_lossy(&text).to_lowercase();
        assert!(!text.contains("initech"), "{}: {text}", file.display());
    }
    let runs = files(&root.join("out/runs"));
    let log = runs.iter().find(|file| file.ends_with("agent.log"));
    let log = std::fs::read_to_string(log.unwrap()).unwrap();
    assert!(log.contains("1 refused: a customer is named"), "{log}");
    let gates = std::fs::read_to_string(root.join("out/gates.xml")).unwrap();
    let counts = gates.contains("failures=\"0\"") && gates.contains("name=\"attribution\"");
    assert!(counts, "{gates}");
}

#[test]
fn decisions_are_adr_files_and_keep_what_a_person_wrote() {
    let (project, book) = (Project::new(), book());
    let page = page(&book);
    follow(&project, page, "memory-writer", "adr-writer", |folder| {
        change(page, "adr-writer", folder);
    });
    let title = "Deploys go out from the release branch";
    let add = ["memory", "add", title, "--type", "decision", "--body"];
    let body = "Deploys go out from the release branch, OPS-412.";
    let added = project.acreta(&[&add[..], &[body]].concat()).succeeded();
    let id = added.stdout.split(' ').next().unwrap().to_owned();
    let record = || {
        let records = files(&project.memory().join("decisions"));
        let [record] = records.as_slice() else {
            panic!("{records:?}");
        };
        (record.clone(), std::fs::read_to_string(record).unwrap())
    };
    let (path, text) = record();
    for says in [
        &format!("# {title}\n\n## Status\n\nAccepted on "),
        "\n## Context\n\nSaid in \"",
        &format!("\n## Decision\n\n{body}\n"),
        "\n## Consequences\n\nNot written yet.\n",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
    let accepted = text.lines().find(|line| line.starts_with("Accepted on"));
    let superseded = "Superseded by the one of March";
    assert!(page.text().contains(superseded));
    let edited = text.replace(accepted.unwrap(), superseded);
    let relative = path.strip_prefix(project.outside()).unwrap();
    project.write(relative.to_str().unwrap(), edited.as_bytes());
    // A title alone leaves the decision; another decision leaves the status.
    for (option, value) in [
        ("--title", "Deploys leave from `release`"),
        ("--body", "From `release`."),
    ] {
        let edit = ["memory", "edit", &id, option, value];
        project.acreta(&edit).succeeded();
        let (_, text) = record();
        let decision = if option == "--body" { value } else { body };
        for says in [
            format!("## Status\n\n{superseded}\n\n## Context\n"),
            format!("## Decision\n\n{decision}\n\n## Consequences\n"),
        ] {
            assert_eq!(text.matches(&says).count(), 1, "{says}: {text}");
        }
    }
}
