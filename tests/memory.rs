//! `acreta memory`, `ask` and `maintain` through the real binary: what a person types and reads.

#![expect(
    clippy::disallowed_methods,
    reason = "people, editors and git do not go through the store"
)]

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Project, Ran, fixture};

fn add(project: &Project, title: &str, more: &[&str]) -> String {
    let mut arguments = vec!["memory", "add", title, "--json"];
    arguments.extend(more);
    let report = project.acreta(&arguments).succeeded().json();
    report["id"].as_str().unwrap().to_owned()
}

fn search(project: &Project, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["memory", "search", "--json"];
    all.extend(arguments);
    let found = project.acreta(&all).succeeded().json();
    found["hits"].as_array().unwrap().clone()
}

fn show(project: &Project, id: &str) -> Value {
    project
        .acreta(&["memory", "show", id, "--json"])
        .succeeded()
        .json()
}

fn file_of(project: &Project, id: &str) -> PathBuf {
    let shown = show(project, id);
    project
        .memory()
        .join(shown["memory"]["path"].as_str().unwrap())
}

fn ids(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}

#[test]
fn what_is_added_is_found_shown_edited_archived_and_restored() {
    let project = Project::new();
    let body = "The `retry_budget` in `queue.rs` counts attempts; after three the job is dead.";
    let id = add(
        &project,
        "A job is tried three times",
        &[
            "--body", body, "--kind", "context", "--tag", "queue", "--tag", "retries",
        ],
    );
    let text = std::fs::read_to_string(file_of(&project, &id)).unwrap();
    assert!(text.starts_with("---\nid: "), "{text}");
    assert!(text.contains("kind: context"), "{text}");
    assert!(text.contains("source: person"), "{text}");

    // By identifier, split identifier, typing error, word prefix, phrase, file name.
    for query in [
        "retry_budget",
        "retry budget",
        "atempts",
        "attem*",
        "\"job is dead\"",
        "queue.rs",
    ] {
        let hits = search(&project, &[query]);
        assert_eq!(ids(&hits), [id.as_str()], "{query}");
        assert_eq!(hits[0]["trust"], "confirmed");
    }
    let hits = search(&project, &["retry", "--evidence", "--explain"]);
    assert_eq!(hits[0]["evidence"]["contributions"][0]["agent"], "person");
    assert!(hits[0]["explanation"]["score"].as_f64().unwrap() > 0.0);
    for (filter, found) in [
        (["--type", "learning"], 1),
        (["--type", "decision"], 0),
        (["--kind", "context"], 1),
        (["--kind", "pitfall"], 0),
        (["--tag", "queue"], 1),
        (["--tag", "other"], 0),
        (["--agent", "person"], 1),
        (["--agent", "claude"], 0),
        (["--since", "1d"], 1),
        (["--until", "1d"], 0),
        (["--trust", "confirmed"], 1),
    ] {
        let hits = search(&project, &["job", filter[0], filter[1]]);
        assert_eq!(hits.len(), found, "{filter:?}");
    }

    let edited = project.acreta(&[
        "memory",
        "edit",
        &id,
        "--body",
        "After four the job is dead.",
    ]);
    assert!(edited.succeeded().stderr.contains("edited"));
    assert_eq!(ids(&search(&project, &["four"])), [id.as_str()]);

    project.acreta(&["memory", "archive", &id]).succeeded();
    assert!(search(&project, &["job"]).is_empty());
    assert_eq!(
        search(&project, &["job", "--archived"])[0]["status"],
        "archived"
    );
    project
        .acreta(&["memory", "restore", &id[..20]])
        .succeeded();
    assert_eq!(ids(&search(&project, &["job"])), [id.as_str()]);
}

#[test]
fn an_editor_changes_the_whole_file() {
    let project = Project::new();
    let id = add(&project, "Deploys happen on Tuesday", &[]);
    let editor = project.write(
        "editor.sh",
        b"#!/bin/sh\nsed -i s/Tuesday/Thursday/ \"$1\"\n",
    );
    let mut command = project.command(&["memory", "edit", &id]);
    command.env("EDITOR", format!("sh {}", editor.display()));
    command.env("PATH", std::env::var("PATH").unwrap());
    assert!(command.output().unwrap().status.success());
    let shown = show(&project, &id);
    assert_eq!(shown["memory"]["title"], "Deploys happen on Thursday");
    assert_eq!(shown["memory"]["edited"], true);
    project
        .acreta(&["memory", "edit", &id])
        .failed(2, "no change was given");
}

#[test]
fn an_update_to_what_a_person_edited_is_shown_until_rejected() {
    let project = Project::new();
    let import = |text: &str| {
        project.write("project/notes.md", text.as_bytes());
        let report = project
            .acreta(&["memory", "import", "notes.md", "--json"])
            .succeeded();
        report.json()["files"][0]["actions"][0].clone()
    };
    let added = import("- Always run the migrations with `just migrate` before the tests.\n");
    let id = added["memory_id"].as_str().unwrap().to_owned();
    let path = file_of(&project, &id);
    let by_hand = std::fs::read_to_string(&path)
        .unwrap()
        .replace("before the tests.", "before the tests!");
    #[expect(
        clippy::disallowed_methods,
        reason = "an editor knows nothing of acreta"
    )]
    std::fs::write(&path, &by_hand).unwrap();
    let more = "- Always run the migrations with `just migrate` before the tests. Then seed.\n";
    let action = import(more);
    assert!(
        action["reason"].as_str().unwrap().contains("proposed"),
        "{action}"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), by_hand);
    let shown = project.acreta(&["memory", "show", &id]).succeeded().stdout;
    assert!(shown.contains("proposal 1 (update)"), "{shown}");
    assert!(shown.contains("Then seed"), "{shown}");
    let listed = project.acreta(&["memory", "list"]).succeeded().stdout;
    assert!(listed.contains("change proposed)"), "{listed}");

    project
        .acreta(&["memory", "reject", &id, "--proposals"])
        .succeeded();
    import(more);
    let shown = project.acreta(&["memory", "show", &id]).succeeded().stdout;
    assert!(!shown.contains("proposal 1"), "{shown}");
}

#[test]
fn a_rejected_memory_stays_away() {
    let project = Project::new();
    let trace = fixture("claude/demo-queue-retries.jsonl");
    project.run(&trace);
    let listed = project
        .acreta(&["memory", "list", "--type", "decision", "--json"])
        .json();
    let id = listed["memories"][0]["id"].as_str().unwrap().to_owned();
    let before = listed["memories"].as_array().unwrap().len();
    project.acreta(&["memory", "reject", &id]).succeeded();
    for _ in 0..3 {
        project.run(&trace);
        let listed = project
            .acreta(&["memory", "list", "--type", "decision", "--json"])
            .json();
        assert_eq!(listed["memories"].as_array().unwrap().len(), before - 1);
    }
}

#[test]
fn questions_are_answered_from_memory_with_sources_that_resolve() {
    let project = Project::new();
    let id = add(
        &project,
        "The job queue lives in SQLite",
        &[
            "--body",
            "Redis was one more service to run. The file is `state.db`.",
            "--type",
            "decision",
        ],
    );
    add(&project, "Indent with two spaces", &[]);
    let ran = project
        .acreta(&["ask", "the", "job", "queue", "in", "SQLite"])
        .succeeded();
    assert!(
        ran.stdout
            .starts_with("The job queue lives in SQLite. Redis was one more service to run. The file is `state.db`. [1]\n"),
        "{}",
        ran.stdout
    );
    // The part of an id that distinguishes it from others.
    let short = &id[10..18];
    assert!(
        ran.stdout.contains(&format!("[1] {short}")),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("two spaces"), "{}", ran.stdout);
    let answer = project
        .acreta(&["ask", "--json", "the job queue in SQLite"])
        .succeeded()
        .json();
    assert_eq!(answer["answered"], true, "{answer}");
    assert_eq!(answer["nearest"].as_array().unwrap().len(), 0, "{answer}");
    for source in answer["sources"].as_array().unwrap() {
        show(&project, source["id"].as_str().unwrap());
    }
    let ran = project.acreta(&["ask", "zzzz?"]).succeeded();
    assert_eq!(ran.stdout, "Nothing in memory answers this.\n");
}

#[test]
fn a_question_that_memory_may_not_answer_gets_passages_as_a_perhaps() {
    let project = Project::new();
    let queue = add(
        &project,
        "The job queue lives in SQLite",
        &[
            "--body",
            "Redis was one more service to run.",
            "--type",
            "decision",
        ],
    );
    add(&project, "Indent with two spaces", &[]);
    for question in [
        "which version of SQLite does the job queue need?",
        "who maintains the job queue?",
        "how large may the job queue become?",
        "is the job queue encrypted on disk?",
    ] {
        let answer = project
            .acreta(&["ask", question, "--json"])
            .succeeded()
            .json();
        assert_eq!(answer["answered"], false, "{question}: {answer}");
        assert_eq!(answer["answer"], "", "{question}: {answer}");
        assert_eq!(answer["sources"].as_array().unwrap().len(), 0, "{question}");
        let nearest = &answer["nearest"][0];
        assert_eq!(nearest["id"], queue.as_str(), "{question}: {answer}");
        let passage = "The job queue lives in SQLite. Redis was one more service to run.";
        assert_eq!(nearest["passage"], passage, "{question}: {answer}");
        let sure = nearest["sure"].as_u64().unwrap();
        assert!((25..85).contains(&sure), "{question}: {answer}");
        let ran = project.acreta(&["ask", question]).succeeded();
        assert!(
            ran.stdout
                .starts_with("Nothing in memory surely answers this.\n"),
            "{}",
            ran.stdout
        );
        let perhaps = format!("Perhaps ({sure} %): {passage}\n");
        assert!(ran.stdout.contains(&perhaps), "{}", ran.stdout);
        assert!(!ran.stdout.contains("two spaces"), "{}", ran.stdout);
    }
    let answer = project
        .acreta(&["ask", "who maintains the job queue?", "--json", "--explain"])
        .succeeded()
        .json();
    assert_eq!(answer["compared"][0]["id"], queue.as_str(), "{answer}");
}

#[test]
fn notes_go_in_and_memory_comes_out_in_every_form() {
    let project = Project::new();
    let notes = "# Testing\n\n- Always run `just test` before pushing, CI is slow.\n- Never mock the clock; inject it instead.\n";
    project.write("project/CLAUDE.md", notes.as_bytes());
    let dry = project
        .acreta(&["memory", "import", "CLAUDE.md", "--dry-run", "--json"])
        .succeeded();
    assert_eq!(dry.json()["files"][0]["counts"]["add"], 2);
    assert!(search(&project, &["clock"]).is_empty());
    project
        .acreta(&["memory", "import", "CLAUDE.md"])
        .succeeded();
    let again = project
        .acreta(&["memory", "import", "CLAUDE.md", "--json"])
        .succeeded()
        .json();
    assert_eq!(again["files"][0]["counts"]["add"], 0);
    assert_eq!(search(&project, &["clock"]).len(), 1);

    for format in ["json", "jsonl", "markdown"] {
        let file = format!("export.{format}");
        project
            .acreta(&["memory", "export", "--as", format, "-o", &file])
            .succeeded();
        let other = Project::new();
        let exported = std::fs::read(project.root().join(&file)).unwrap();
        other.write(&format!("project/{file}"), &exported);
        let report = other
            .acreta(&["memory", "import", &file, "--as", "acreta", "--json"])
            .succeeded()
            .json();
        assert_eq!(report["files"][0]["counts"]["add"], 2, "{format}: {report}");
        assert_eq!(search(&other, &["clock"]).len(), 1, "{format}");
    }
    // The source and everything based on it is removed, and only that.
    let own = add(&project, "Deploys happen on Tuesday", &[]);
    project
        .acreta(&["memory", "purge", "--source", "CLAUDE.md"])
        .succeeded();
    assert_eq!(
        search(&project, &["clock"]).len(),
        1,
        "without --yes nothing goes"
    );
    project
        .acreta(&["memory", "purge", "--source", "CLAUDE.md", "--yes"])
        .succeeded();
    assert!(search(&project, &["clock", "--archived"]).is_empty());
    assert_eq!(ids(&search(&project, &["deploys"])), [own.as_str()]);
}

#[test]
fn a_purged_session_leaves_nothing_behind() {
    let project = Project::new();
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let report = project.run(&trace);
    let session = report["session"]["id"].as_str().unwrap().to_owned();
    search(&project, &["queue"]);
    let listed = project.acreta(&["memory", "list", "--json"]).json();
    let id = listed["memories"][0]["id"].as_str().unwrap().to_owned();
    show(&project, &id);
    let needle = "webhook";
    let holds = |project: &Project| -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![project.root().join(".acreta"), project.home()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = std::fs::read(&path).unwrap();
                    let text = String::from_utf8_lossy(&bytes).to_lowercase();
                    let id = id.to_lowercase();
                    if text.contains(needle) || text.contains(&session) || text.contains(&id) {
                        found.push(path);
                    }
                }
            }
        }
        found
    };
    assert!(holds(&project).len() > 5);
    let purged = project
        .acreta(&["memory", "purge", "--session", &session, "--yes", "--json"])
        .succeeded()
        .json();
    assert_eq!(purged["sessions"].as_array().unwrap().len(), 1, "{purged}");
    assert!(
        !purged["scopes"][0]["memories_removed"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(holds(&project), Vec::<PathBuf>::new());
}

#[test]
fn maintenance_marks_what_is_gone_and_can_be_undone() {
    let project = Project::new();
    project.git(&["init", "-q"]);
    project.write("project/src/retry.rs", b"pub fn retry_budget() {}\n");
    project.git(&["add", "-A"]);
    project.git(&["commit", "-q", "-m", "first"]);
    let id = add(
        &project,
        "Retries are bounded in src/retry.rs",
        &["--body", "`retry_budget` in src/retry.rs says how often."],
    );
    let report = project.acreta(&["maintain", "--json"]).succeeded().json();
    assert_eq!(report["counts"]["verified"], 1, "{report}");
    let again = project.acreta(&["maintain", "--json"]).succeeded().json();
    assert_eq!(again["actions"].as_array().unwrap().len(), 0, "{again}");

    std::fs::remove_file(project.root().join("src/retry.rs")).unwrap();
    project.git(&["commit", "-q", "-a", "-m", "second"]);
    let before = std::fs::read(file_of(&project, &id)).unwrap();
    let ran = project.acreta(&["maintain"]).succeeded();
    assert!(ran.stdout.contains("stale"), "{}", ran.stdout);
    let shown = project.acreta(&["memory", "show", &id]).succeeded().stdout;
    assert!(
        shown.contains("stale: no longer found: retry_budget, src/retry.rs"),
        "{shown}"
    );
    assert_eq!(std::fs::read(file_of(&project, &id)).unwrap(), before);
    let run = project.last_run();
    for artifact in [
        "maintain_actions.json",
        "report.md",
        "agent.log",
        "subagents.log",
        "undo.json",
    ] {
        assert!(run.join(artifact).is_file(), "{artifact}");
    }
    let run = run.file_name().unwrap().to_str().unwrap().to_owned();
    project.acreta(&["maintain", "--undo", &run]).succeeded();
    let shown = project.acreta(&["memory", "show", &id]).succeeded().stdout;
    assert!(!shown.contains("stale: no longer found"), "{shown}");
    project
        .acreta(&["maintain", "--undo", "nothing"])
        .failed(1, "there is no run");
}

#[test]
fn duplicates_become_one_through_explorer_and_writer() {
    let project = Project::new();
    let notes = |name: &str, text: &str| {
        project.write(&format!("project/{name}"), text.as_bytes());
        project.acreta(&["memory", "import", name]).succeeded();
    };
    notes(
        "a.md",
        "- Always run `cargo nextest run` instead of `cargo test`, it is three times faster here.\n",
    );
    let file = project.memory().join("learnings");
    let first = std::fs::read_dir(&file)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let hidden = project.outside().join("hidden.md");
    // Two branches said it at once: the second did not see the first.
    std::fs::rename(&first, &hidden).unwrap();
    let evidence = project.root().join(".acreta/meta/memories");
    let hidden_evidence = project.outside().join("evidence");
    std::fs::rename(&evidence, &hidden_evidence).unwrap();
    notes(
        "b.md",
        "- Always run *cargo nextest run* instead of `cargo test`: it is three times faster here!\n",
    );
    std::fs::rename(&hidden, first.with_file_name("20260101-other.md")).unwrap();
    for entry in std::fs::read_dir(&hidden_evidence).unwrap() {
        let entry = entry.unwrap();
        std::fs::rename(entry.path(), evidence.join(entry.file_name())).unwrap();
    }
    let report = project.acreta(&["maintain", "--json"]).succeeded().json();
    assert_eq!(report["counts"]["merged"], 1, "{report}");
    let listed = project.acreta(&["memory", "list", "--json"]).json();
    assert_eq!(listed["memories"].as_array().unwrap().len(), 1);
    let id = listed["memories"][0]["id"].as_str().unwrap();
    let contributions = show(&project, id)["evidence"]["contributions"].clone();
    assert_eq!(contributions.as_array().unwrap().len(), 2);
    let related = project
        .acreta(&["memory", "related", id, "--json"])
        .succeeded()
        .json();
    assert_eq!(
        related["related"][0]["why"], "was replaced by it",
        "{related}"
    );
}

#[test]
fn wrong_usage_is_told_how_to_do_it() {
    let project = Project::new();
    let table: &[(&[&str], i32, &str)] = &[
        (&["memory", "show", "nope"], 1, "no such memory: `nope`"),
        (&["memory", "search"], 2, "QUERY"),
        (
            &["memory", "search", "x", "--type", "poem"],
            2,
            "unknown type of memory `poem`",
        ),
        (
            &["memory", "search", "x", "--trust", "total"],
            2,
            "unknown level of trust `total`",
        ),
        (
            &["memory", "search", "x", "--scope", "all"],
            2,
            "unknown scope mode `all`",
        ),
        (
            &["memory", "search", "x", "--since", "soon"],
            2,
            "is not a time",
        ),
        (&["memory", "add", ""], 2, "no title"),
        (
            &["memory", "add", "x", "--kind", "poem"],
            2,
            "not a kind of learning",
        ),
        (&["memory", "purge"], 2, "no source to purge was given"),
        (
            &["memory", "import", "nowhere"],
            1,
            "no such file or folder",
        ),
        (&["memory", "accept", "nope"], 1, "no such memory"),
    ];
    for (arguments, code, message) in table {
        let ran: Ran = project.acreta(arguments);
        ran.failed(*code, message);
    }
}

#[test]
fn a_model_answers_only_with_sources_that_resolve() {
    let mut project = Project::new();
    add(
        &project,
        "The job queue lives in SQLite",
        &[
            "--body",
            "Redis was one more service to run.",
            "--type",
            "decision",
        ],
    );
    let script = project.write("model.sh", b"");
    project.configure(&format!(
        "[llm.providers.mine]\nkind = \"command\"\ncommand = [\"/bin/sh\", {:?}]\n\
         [llm.roles.ask]\nprovider = \"mine\"\nmodel = \"any\"",
        script.to_str().unwrap()
    ));
    let table = [
        (
            r#"{"answered":true,"sentences":[{"text":"SQLite [1].","sources":[1]},{"text":"Kafka.","sources":[]}]}"#,
            "model",
            "",
        ),
        (
            r#"{"answered":false,"sentences":[{"text":"Kafka.","sources":[1]}]}"#,
            "model",
            "",
        ),
        (
            r#"{"answered":true,"sentences":[{"text":"Kafka.","sources":[9]}]}"#,
            "passages",
            "names a note it was given",
        ),
        (
            r#"{"answered":true,"sentences":[{"text":"Kafka.","sources":[]}]}"#,
            "passages",
            "names a note it was given",
        ),
        (
            "<html>nothing here</html>",
            "passages",
            "answered without the model",
        ),
    ];
    for (index, (reply, by, warning)) in table.into_iter().enumerate() {
        project.write(
            "model.sh",
            format!("cat > /dev/null\ncat <<'END'\n{reply}\nEND\n").as_bytes(),
        );
        let question = format!("why SQLite and not Redis, number {index}?");
        let ran = project.acreta(&["ask", &question, "--json"]).succeeded();
        let answer = ran.json();
        assert_eq!(answer["by"], by, "{reply}: {answer}");
        if by == "model" {
            let expected = if index == 0 { "SQLite. [1]" } else { "" };
            assert_eq!(answer["answer"], expected, "{reply}: {answer}");
            assert_eq!(answer["answered"], index == 0, "{reply}: {answer}");
        }
        assert!(ran.stderr.contains(warning), "{reply}: {}", ran.stderr);
        assert!(
            !answer["answer"].as_str().unwrap().contains("Kafka"),
            "{answer}"
        );
        for source in answer["sources"].as_array().unwrap() {
            show(&project, source["id"].as_str().unwrap());
        }
    }
    let ran = project
        .acreta(&["ask", "why SQLite and not Redis?", "--no-llm", "--json"])
        .succeeded();
    assert_eq!(ran.json()["by"], "passages");
}

/// Returns the first word of each line: the id as shown in a list.
fn listed(project: &Project) -> Vec<String> {
    let listed = project.acreta(&["memory", "list"]).succeeded().stdout;
    let first = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    listed.lines().map(first).collect()
}

#[test]
fn short_ids_of_lists_and_briefs_are_taken_by_every_command() {
    let project = Project::new();
    let tabs = add(
        &project,
        "Always indent makefiles with tabs",
        &["--kind", "convention"],
    );
    let ports = add(
        &project,
        "The proxy holds port 8080",
        &["--kind", "context"],
    );
    // Ids created within the same second have the same start, but not the same random part.
    let mut expected = [&tabs, &ports].map(|id| id[10..18].to_owned());
    expected.sort();
    let mut found = listed(&project);
    found.sort();
    assert_eq!(found, expected);

    let short = &tabs[10..18];
    let brief = project.start();
    assert!(brief.contains(&format!("({short})")), "{brief}");
    let searched = project
        .acreta(&["memory", "search", "makefiles"])
        .succeeded()
        .stdout;
    assert!(searched.starts_with(short), "{searched}");
    assert_eq!(
        show(&project, &short.to_lowercase())["memory"]["id"],
        tabs.as_str()
    );
    assert_eq!(show(&project, &tabs)["memory"]["id"], tabs.as_str());
    for command in ["related", "archive", "restore", "confirm"] {
        project.acreta(&["memory", command, short]).succeeded();
    }
}

#[test]
fn a_short_id_that_fits_several_memories_names_them() {
    let project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    for (id, title) in [
        ("01J8Z3AAAAKKKKKKKKMMMMMMMM", "Lanterns hang outside"),
        ("01J8Z3AAAAKKKKKKKKMNNNNNNN", "Anchors lie in the harbour"),
    ] {
        let text = format!("---\nid: {id}\ntitle: {title}\nkind: context\n---\n\n{title}.\n");
        let name = format!(
            "project/.acreta/memory/learnings/20260101-{}.md",
            id.to_lowercase()
        );
        project.write(&name, text.as_bytes());
    }
    let mut found = listed(&project);
    found.sort();
    assert_eq!(found, ["KKKKKKKKMM", "KKKKKKKKMN"]);
    let refused = project.acreta(&["memory", "show", "KKKKKKKK"]);
    let refused = refused.failed(2, "matches 2 memories");
    for candidate in [
        "KKKKKKKKMM (Lanterns hang outside)",
        "KKKKKKKKMN (Anchors lie",
    ] {
        assert!(refused.stderr.contains(candidate), "{}", refused.stderr);
    }
    assert_eq!(
        show(&project, "kkkkkkkkmn")["memory"]["id"],
        "01J8Z3AAAAKKKKKKKKMNNNNNNN"
    );
}
