//! Who reads sessions: the question of `acreta init`, asked once at a terminal, and `acreta model`.

use std::process::{Command, Stdio};

use crate::models::{about_the_queue, say};
use crate::support::{Project, Provider, fixture, ran, tree};

/// A home with Claude's sessions and a program `claude` that is logged in.
fn with_claude() -> Project {
    let project = Project::new();
    let session = std::fs::read(fixture("claude/demo-release-pitfall.jsonl")).unwrap();
    project.write(".claude/projects/-home-dev-ledger/a.jsonl", &session);
    project.write(".claude/settings.json", b"{}\n");
    let program = project.write(
        "bin/claude",
        b"#!/bin/sh\ncase \"$*\" in *status*) echo '{\"loggedIn\": true}';; *--version*) echo '2.1.0 (Claude Code)';; esac\n",
    );
    let mut permissions = std::fs::metadata(&program).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    std::fs::set_permissions(&program, permissions).unwrap();
    project
}

fn acreta(project: &Project, arguments: &[&str]) -> Command {
    let path = format!("{}/bin:/usr/bin:/bin", project.outside().display());
    let mut command = project.command(arguments);
    command.env("PATH", path);
    command
}

#[test]
fn a_model_is_listed_used_and_switched_off() {
    let project = with_claude();
    let run = |arguments: &[&str]| ran(acreta(&project, arguments).output().unwrap());
    let listed = run(&["model", "list", "--json"]).succeeded().json();
    let text = listed.to_string();
    assert!(text.contains("\"claude"), "{text}");
    run(&["model", "test"]).failed(1, "no model reads your sessions");
    run(&["model", "use", "nobody-knows"]).failed(2, "nobody-knows");
    run(&["model", "use", "claude/haiku"]).succeeded();
    let config = std::fs::read_to_string(project.home().join("config.toml")).unwrap();
    assert!(
        config.contains("claude") && config.contains("haiku"),
        "{config}"
    );
    run(&["model", "off"]).succeeded();
    let config = std::fs::read_to_string(project.home().join("config.toml")).unwrap();
    assert!(config.contains("enabled = false"), "{config}");
    run(&["model", "test"]).failed(1, "no model reads your sessions");
}

#[test]
fn a_model_that_cannot_read_is_not_said_to_read() {
    let project = with_claude();
    let logged_out = b"#!/bin/sh\necho '{\"loggedIn\": false}'\n";
    project.write("bin/claude", logged_out);
    // The name, the problem, and the remedy.
    let table = [
        ("claude", "claude is not logged in", "`claude auth login`"),
        ("codex", "there is no program `codex`", "install codex"),
        ("ollama/none", "no ollama server", "start it"),
        ("openai/none", "openai has no key", "`OPENAI_API_KEY`"),
    ];
    for (name, problem, remedy) in table {
        let mut command = acreta(&project, &["model", "use", name]);
        command.env("OLLAMA_HOST", "127.0.0.1:1");
        command.env("PATH", project.outside().join("bin"));
        let used = ran(command.output().unwrap()).failed(3, problem);
        assert!(used.stderr.contains(remedy), "{}", used.stderr);
        assert!(!used.stderr.contains("now reads"), "{}", used.stderr);
        let listed = ran(acreta(&project, &["model", "list", "--json"])
            .output()
            .unwrap());
        assert_eq!(listed.succeeded().json()["current"], name);
    }
}

#[test]
fn a_trial_says_why_a_model_did_not_read() {
    let session = fixture("claude/demo-queue-retries.jsonl");
    let session = session.to_str().unwrap();
    // A status for the findings and one for the summary, and settings; the exit code, the problem and the remedy.
    let table = [
        (200, 200, "", 0, "This was a trial", ""),
        (401, 401, "", 1, "local has no key", "set the key"),
        (
            200,
            200,
            "[llm.budget]\nrun_tokens = 5\n",
            1,
            "the budget for models is used up",
            "`llm.budget.*`",
        ),
        (
            200,
            401,
            "",
            3,
            "only part of the session was read: local has no key",
            "",
        ),
    ];
    for (findings, summary, settings, code, problem, remedy) in table {
        let provider = Provider::new(move |asked| {
            let is_summary = asked.fields.iter().any(|field| field == "description");
            match if is_summary { summary } else { findings } {
                200 => Ok(say(asked, &about_the_queue)),
                status => Err(status),
            }
        });
        let mut project = Project::new();
        project.configure(&provider.settings(&["extract"]));
        project.configure(settings);
        let tried = project.acreta(&["model", "test", session]);
        assert_eq!(tried.code, code, "{problem}: {}", tried.stderr);
        for said in [problem, remedy] {
            assert!(tried.stderr.contains(said), "{said}: {}", tried.stderr);
        }
    }
}

#[test]
fn without_a_terminal_nobody_is_chosen_unless_named() {
    let project = with_claude();
    let run = |arguments: &[&str]| ran(acreta(&project, arguments).output().unwrap());
    let done = run(&["init", "--yes"]).succeeded();
    assert!(!done.stdout.contains("Choose"), "{}", done.stdout);
    let config = project.home().join("config.toml");
    let is_chosen = || {
        let text = std::fs::read_to_string(&config).unwrap_or_default();
        text.contains("haiku") && !text.contains("enabled = false")
    };
    assert!(!is_chosen());
    run(&["init", "--yes", "--model", "claude/haiku"]).succeeded();
    assert!(is_chosen());
    run(&["init", "--yes", "--model", "none"]).succeeded();
    assert!(!is_chosen());
}

/// `script` gives the program a terminal.
#[test]
fn init_asks_once_at_a_terminal_and_enter_means_nobody() {
    let is_there = Command::new("script").arg("--version").output();
    if !is_there.is_ok_and(|done| done.status.success()) {
        acreta_testing::skip(acreta_testing::SCRIPT, "nothing plays a terminal");
        return;
    }
    for (answer, chosen) in [("", false), ("1", true)] {
        let project = with_claude();
        // The last is for the question about notes.
        let shown = at_terminal(&project, &format!("y\n{answer}\n\n"));
        assert!(shown.contains("Who should read your sessions?"), "{shown}");
        for said in [
            "claude/haiku",
            "nobody",
            "Used today",
            "press Enter for nobody",
        ] {
            assert!(shown.contains(said), "{said} in {shown}");
        }
        let config = std::fs::read_to_string(project.home().join("config.toml"));
        let is_chosen = config.is_ok_and(|text| text.contains("haiku"));
        assert_eq!(is_chosen, chosen, "{shown}");
        let again = at_terminal(&project, "y\n\n");
        assert!(!again.contains("Who should read"), "asked twice: {again}");
    }
}

#[test]
fn init_asks_once_whether_agents_may_make_notes_and_enter_means_yes() {
    let is_there = Command::new("script").arg("--version").output();
    if !is_there.is_ok_and(|done| done.status.success()) {
        acreta_testing::skip(acreta_testing::SCRIPT, "nothing plays a terminal");
        return;
    }
    for (answer, is_allowed) in [("", true), ("n", false)] {
        let project = with_claude();
        let before = tree(project.outside(), &["home"]);
        let shown = at_terminal(&project, &format!("y\n\n{answer}\n\n"));
        assert!(
            shown.contains("May your agents note what you say"),
            "{shown}"
        );
        assert!(shown.contains("nothing leaves this machine"), "{shown}");
        let settings = project.outside().join(".claude/settings.json");
        let settings = std::fs::read_to_string(settings).unwrap();
        assert_eq!(settings.contains("mcp__acreta__memory_note"), is_allowed);
        let config = std::fs::read_to_string(project.home().join("config.toml")).unwrap();
        assert!(
            config.contains(&format!("notes = {is_allowed}")),
            "{config}"
        );
        let again = at_terminal(&project, "y\n\n");
        assert!(!again.contains("May your agents"), "asked twice: {again}");
        ran(acreta(&project, &["init", "--undo"]).output().unwrap()).succeeded();
        assert_eq!(tree(project.outside(), &["home"]), before);
    }
}

/// The files are enough before the question; the changes are one key away.
#[test]
fn init_shows_its_changes_only_on_request() {
    let is_there = Command::new("script").arg("--version").output();
    if !is_there.is_ok_and(|done| done.status.success()) {
        acreta_testing::skip(acreta_testing::SCRIPT, "nothing plays a terminal");
        return;
    }
    for (answers, is_shown) in [("n\n", false), ("d\nn\n", true)] {
        let shown = at_terminal(&with_claude(), answers);
        assert!(shown.contains(".claude/settings.json"), "{shown}");
        assert!(shown.contains("d: show the changes"), "{shown}");
        assert_eq!(shown.contains("@@ "), is_shown, "{shown}");
        assert_eq!(shown.lines().count() > 30, is_shown, "{shown}");
        assert!(shown.contains("nothing was changed"), "{shown}");
    }
}

#[test]
fn ids_have_a_colour_where_the_terminal_has_one() {
    let is_there = Command::new("script").arg("--version").output();
    if !is_there.is_ok_and(|done| done.status.success()) {
        acreta_testing::skip(acreta_testing::SCRIPT, "nothing plays a terminal");
        return;
    }
    let project = with_claude();
    let added = project.acreta(&["add", "Builds need LANG=C"]);
    added.succeeded();
    for (terminal, has_colour) in [("xterm-256color", true), ("dumb", false)] {
        let shown = run_at_terminal(&project, "list", terminal, "");
        assert!(shown.contains("LANG=C"), "{shown}");
        assert_eq!(shown.contains("\u{1b}[33m"), has_colour, "{shown:?}");
    }
    let piped = project.acreta(&["list"]).succeeded().stdout;
    assert!(!piped.contains('\u{1b}'), "{piped:?}");
}

fn at_terminal(project: &Project, answers: &str) -> String {
    run_at_terminal(project, "init", "dumb", answers)
}

fn run_at_terminal(project: &Project, name: &str, terminal: &str, answers: &str) -> String {
    let inner = acreta(project, &[name]);
    let mut command = Command::new("script");
    command
        .args(["--quiet", "--return", "--command"])
        .arg(format!("{} {name}", inner.get_program().display()))
        .arg("/dev/null")
        .current_dir(project.root())
        .env_clear();
    for (name, value) in inner.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    let mut process = command
        .env("SHELL", "/bin/sh")
        .env("TERM", terminal)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, answers.as_bytes()).unwrap();
    let done = process.wait_with_output().unwrap();
    drop(input);
    String::from_utf8_lossy(&done.stdout).into_owned()
}
