//! Output of commands: titles instead of ids, the conditional if nothing was done, counts that agree with the lines
//! above them, and nothing printed twice.

use serde_json::Value;

use crate::support::{Project, fixture, lay_out, ran};

const DEMO: &str = "claude/demo-queue-retries.jsonl";

/// Finds a ULID in a text for people.
fn id_in(text: &str) -> Option<&str> {
    text.split(|one: char| !one.is_ascii_alphanumeric())
        .find(|word| {
            word.len() == 26
                && word
                    .chars()
                    .all(|one| one.is_ascii_digit() || one.is_ascii_uppercase())
        })
}

fn demo() -> String {
    fixture(DEMO).to_str().unwrap().to_owned()
}

/// Returns the titles of all memories except summaries.
fn titles(project: &Project) -> Vec<String> {
    let statements = project.statements().into_iter();
    statements.map(|(title, _)| title).collect()
}

/// Writes a demo session where its agent would, in this project.
fn lay_down(project: &Project, name: &str) {
    let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
    let root = project.root();
    let lines = text.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        if record["cwd"].is_string() {
            record["cwd"] = root.to_str().unwrap().into();
        }
        if record["sessionId"].is_string() {
            record["sessionId"] = name.into();
        }
        record.to_string() + "\n"
    });
    let text: String = lines.collect();
    project.write(
        &format!(".claude/projects/shop/{name}.jsonl"),
        text.as_bytes(),
    );
}

#[test]
fn a_run_names_what_it_learnt() {
    let project = Project::new();
    let dry = project.acreta(&["run", &demo(), "--dry-run"]).succeeded();
    assert!(
        dry.stderr
            .contains("dry run, nothing changed; would be: 3 added"),
        "{}",
        dry.stderr
    );
    let said = project.acreta(&["run", &demo()]).succeeded().stdout;
    let titles = titles(&project);
    assert_eq!(titles.len(), 2, "{titles:?}");
    for title in &titles {
        assert!(
            said.contains(&format!("+ {title}\n    ")),
            "{title}: {said}"
        );
    }
    assert_eq!(id_in(&said), None, "{said}");
}

#[test]
fn a_sync_names_what_it_learnt() {
    let project = Project::new();
    lay_down(&project, "5e551011-0000-4000-8000-000000000001");
    let synced = project.acreta(&["sync"]).succeeded();
    let titles = titles(&project);
    assert_eq!(titles.len(), 2, "{titles:?}");
    for title in &titles {
        let line = format!("\n  + {title}\n");
        assert!(synced.stdout.contains(&line), "{title}: {}", synced.stdout);
    }
    assert!(
        synced.stdout.ends_with("  and 1 session summary\n"),
        "{}",
        synced.stdout
    );
    let again = project.acreta(&["sync"]).succeeded().stdout;
    assert!(!again.contains("learnt in"), "{again}");
}

#[test]
fn explain_shows_what_was_nearly_taken_and_the_gate() {
    let project = Project::new();
    let strict = |value: &str| {
        let mut command = project.command(&["run", &demo(), "--explain", "--dry-run"]);
        command.env("ACRETA_EXTRACT__MIN_CONFIDENCE", value);
        ran(command.output().unwrap()).succeeded().stdout
    };
    let all = strict("0.5");
    assert!(
        all.contains("3 candidates: 2 taken, 1 nearly taken"),
        "{all}"
    );
    let none = strict("0.99");
    assert!(
        none.contains("3 candidates: 0 taken, 3 nearly taken"),
        "{none}"
    );
    assert_eq!(none.matches("\nnearly  0.").count(), 3, "{none}");
    assert_eq!(
        none.matches("stopped by the gate `form`: ").count(),
        3,
        "{none}"
    );
    assert!(none.contains("PostgreSQL"), "{none}");
}

#[test]
fn a_sync_explains_each_session() {
    let project = Project::new();
    lay_out(&project, &|bytes| bytes);
    project
        .acreta(&["project", "add", "--also", "/home/dev/ledger"])
        .succeeded();
    let plain = project.acreta(&["sync", "--max-sessions", "1"]).stdout;
    assert!(!plain.contains(" nearly taken"), "{plain}");
    for command in ["sync", "run"] {
        // `run` without a trace is a sync.
        let mut arguments = vec![command, "--explain"];
        arguments.extend((command == "sync").then_some("--force"));
        let told = project.acreta(&arguments).stdout;
        let sessions = told.matches(" nearly taken").count();
        assert_eq!(sessions > 1, command == "sync", "{told}");
    }
}

#[test]
fn the_report_of_a_failed_run_names_the_steps_that_were_not_run() {
    let project = Project::new();
    let file = project.write("no-session.jsonl", b"{\"type\":\"nothing\"}\n");
    let failed = project.acreta(&["run", file.to_str().unwrap()]);
    let skipped = "steps not run: extract, summarise, explore, decide, write, report";
    failed.failed(1, "error: no adapter knows");
    let report = crate::support::json_file(&project.last_run().join("memory_actions.json"));
    assert!(
        report["note"].as_str().unwrap().ends_with(skipped),
        "{report}"
    );
}

#[test]
fn a_purge_says_beforehand_what_it_does_afterwards() {
    let project = Project::new();
    lay_down(&project, "5e551011-0000-4000-8000-000000000001");
    project.acreta(&["sync"]).succeeded();
    let titles = titles(&project);
    let shown = project
        .acreta(&["memory", "purge", "--agent", "claude"])
        .succeeded();
    for title in &titles {
        let line = format!("project: would be removed: {title}\n");
        assert!(shown.stdout.contains(&line), "{title}: {}", shown.stdout);
    }
    assert_eq!(id_in(&shown.stdout), None, "{}", shown.stdout);
    for line in shown
        .stdout
        .lines()
        .filter(|line| !line.starts_with("    "))
    {
        assert!(line.contains("would be removed: "), "{line}");
    }
    let counts = "1 archived copy and 1 job would be removed with 1 session";
    assert!(shown.stderr.contains(counts), "{}", shown.stderr);

    let purge = |more: &[&str]| {
        let arguments = [&["memory", "purge", "--agent", "claude", "--json"], more].concat();
        let mut purged = project.acreta(&arguments).succeeded().json();
        purged["dry_run"] = Value::Null;
        for scope in purged["scopes"].as_array_mut().unwrap() {
            scope["dry_run"] = Value::Null;
        }
        purged
    };
    let preview = purge(&[]);
    assert_eq!(preview["jobs_removed"], 1, "{preview}");
    assert_eq!(preview, purge(&["--yes"]));
}

#[test]
fn a_dry_maintenance_speaks_in_the_conditional() {
    let project = Project::new();
    project.run(&fixture(DEMO));
    // A duplicated memory, as a merge in git leaves it.
    let learnings = project.memory().join("learnings");
    let entries = std::fs::read_dir(&learnings).unwrap();
    let file = entries
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_str().unwrap().contains("money"))
        .unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    let id = text.lines().find(|line| line.starts_with("id: ")).unwrap();
    let copy = text.replace(id, "id: 01KZZZZZZZZZZZZZZZZZZZZZZZ");
    project.write("project/.acreta/memory/learnings/copy.md", copy.as_bytes());
    let dry = project.acreta(&["maintain", "--dry-run"]).succeeded();
    let lines = dry.stdout.lines().filter(|line| !line.starts_with("    "));
    let lines: Vec<&str> = lines.collect();
    assert!(!lines.is_empty(), "{}", dry.stderr);
    for line in &lines {
        assert!(line.starts_with("would be "), "{line}");
    }
    assert_eq!(id_in(&dry.stdout), None, "{}", dry.stdout);
    // The counts match the lines.
    let counts = dry.stderr.split_once("would be: ").unwrap().1;
    let counts = counts.split_once(" in ").unwrap().0;
    let numbers = counts.split(", ").map(|count| {
        let number = count.split(' ').next().unwrap();
        number.parse::<usize>().unwrap()
    });
    assert_eq!(numbers.sum::<usize>(), lines.len(), "{}", dry.stderr);

    let done = project.acreta(&["maintain"]).succeeded();
    assert!(!done.stdout.contains("would be"), "{}", done.stdout);
    assert_eq!(id_in(&done.stdout), None, "{}", done.stdout);
}

#[test]
fn settings_are_listed_with_their_variables() {
    let project = Project::new();
    let listed = project.acreta(&["config", "list"]).succeeded().stdout;
    for line in [
        "runs.keep = 50  # ACRETA_RUNS__KEEP",
        "llm.enabled = true  # ACRETA_LLM__ENABLED",
        "# llm.roles.<role>.provider is not set; ACRETA_LLM__ROLES__<ROLE>__PROVIDER",
        "# llm.budget.run_tokens is not set; ACRETA_LLM__BUDGET__RUN_TOKENS",
    ] {
        assert!(
            listed.lines().any(|known| known == line),
            "{line}: {listed}"
        );
    }
    let with_origin = project
        .acreta(&["config", "list", "--origin"])
        .succeeded()
        .stdout;
    let line = "runs.keep = 50  # built-in; ACRETA_RUNS__KEEP";
    assert!(with_origin.lines().any(|known| known == line));
    for line in listed.lines().chain(with_origin.lines()) {
        assert!(!line.contains("   "), "padding in {line:?}");
    }
    // A variable has the documented effect.
    let mut command = project.command(&["config", "get", "runs.keep"]);
    command.env("ACRETA_RUNS__KEEP", "3");
    assert_eq!(ran(command.output().unwrap()).stdout, "3\n");
}

#[test]
fn an_unknown_variable_is_reported_once() {
    let project = Project::new();
    lay_down(&project, "5e551011-0000-4000-8000-000000000001");
    // Settings are read for the command, for the project, and once more for its model.
    for arguments in [&["sync"][..], &["status"], &["config", "list"], &["doctor"]] {
        let mut command = project.command(arguments);
        command.env("ACRETA_RUN__KEEP", "3");
        let told = ran(command.output().unwrap());
        let said = told.stdout + &told.stderr;
        assert_eq!(
            said.matches("ACRETA_RUN__KEEP").count(),
            1,
            "{arguments:?}: {said}"
        );
        assert!(said.contains("did you mean `ACRETA_RUNS__KEEP`?"), "{said}");
    }
}

#[test]
fn options_of_every_command_stand_under_their_own_heading() {
    let project = Project::new();
    let global = [
        "--json",
        "--format",
        "--no-llm",
        "--project",
        "--plugin",
        "--cache-dir",
    ];
    let screen = project.acreta(&["--help"]).succeeded().stdout;
    for option in global {
        assert!(screen.contains(option), "{option}: {screen}");
    }
    for command in [&["sync"][..], &["run"], &["memory", "purge"]] {
        let help = [command, &["--help"]].concat();
        let help = project.acreta(&help).succeeded().stdout;
        let (own, rest) = help.split_once("\nGlobal options:\n").unwrap();
        for option in global {
            let line = format!("      {option}");
            assert!(!own.contains(&line), "{command:?}: {own}");
            assert!(rest.contains(&line), "{command:?}: {rest}");
        }
    }
}

/// Uses `script` as a terminal.
#[test]
fn the_first_start_says_that_it_prepares_adapters() {
    let mut project = Project::new();
    project.configure("[plugins]\nadapters = [\"adapter-claude\", \"adapter-pi\"]");
    for sessions in [".claude/projects/-ledger", ".pi/agent/sessions/--ledger--"] {
        project.write(&format!("{sessions}/2026-01-01T00-00-00_a.jsonl"), b"{}\n");
    }
    let cache = project.outside().join("cache");
    let on_a_terminal = || project.at_a_terminal(&format!("sync --cache-dir {}", cache.display()));
    let Some(first) = on_a_terminal() else {
        return;
    };
    assert!(first.contains("preparing adapters (once) 1/2"), "{first:?}");
    let second = on_a_terminal().unwrap();
    assert!(!second.contains("preparing"), "{second:?}");
}
