//! `acreta sync` as a person uses it: sessions of several agents and projects in one home, found, archived, processed
//! once, and again if they grew.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Project, Ran, fixture};

const DEMO: &str = "claude/demo-queue-retries.jsonl";
const OTHER: &str = "claude/demo-release-pitfall.jsonl";

/// The folder of Claude's sessions in the test's home.
const CLAUDE: &str = ".claude/projects";

impl Project {
    /// Adds a session of Claude to the home, as if it had run in `directory`.
    fn claude_session(&self, name: &str, from: &str, directory: &Path) -> PathBuf {
        let text = session_in(from, directory);
        self.write(&format!("{CLAUDE}/{name}.jsonl"), text.as_bytes())
    }

    #[track_caller]
    fn sync(&self, arguments: &[&str]) -> Value {
        self.sync_in(&self.root(), arguments).succeeded().json()
    }

    fn sync_in(&self, directory: &Path, arguments: &[&str]) -> Ran {
        let arguments = [&["sync", "--json"], arguments].concat();
        let output = self.command(&arguments).current_dir(directory).output();
        crate::support::ran(output.unwrap())
    }

    /// Creates a further repository beside the project.
    fn repository(&self, name: &str) -> PathBuf {
        let folder = self.outside().join(name);
        std::fs::create_dir_all(folder.join(".git")).unwrap();
        folder
    }
}

/// Returns a fixture whose agent worked in another directory. Its ids are made unique by the directory's name.
fn session_in(from: &str, directory: &Path) -> String {
    let text = std::fs::read_to_string(fixture(from)).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let recorded = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|record| record["cwd"].as_str().map(str::to_owned));
    let recorded = recorded.unwrap_or_else(|| panic!("{first}"));
    text.replace(
        &format!("\"cwd\":\"{recorded}\""),
        &format!("\"cwd\":\"{}\"", directory.display()),
    )
}

fn session_id(text: &str) -> String {
    let at = text.find("\"sessionId\":\"").unwrap() + 13;
    text[at..at + 36].to_owned()
}

/// Deletes an old session, as an agent does.
#[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
fn remove(path: &Path) {
    std::fs::remove_file(path).unwrap();
}

/// Sets a session's times back, so that its file counts as settled.
fn settle(path: &Path) {
    let file = std::fs::File::options().append(true).open(path).unwrap();
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    file.set_modified(then).unwrap();
}

/// A program that answers as a model runs in acreta's own folder, and may leave a session behind.
#[test]
fn sessions_of_acretas_own_work_are_not_learnt_from() {
    let project = Project::new();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("acreta-cache");
    let own = [
        project.root().join(".acreta/workspace/sync-1"),
        project.home(),
        project.home().join("workspace/maintain-1"),
        cache.join("scratch/model"),
    ];
    for (number, folder) in own.iter().enumerate() {
        project.claude_session(&format!("own-{number}"), DEMO, folder);
    }
    project.claude_session("real", OTHER, &project.root());
    let report = project.sync(&[]);
    assert_eq!(
        (&report["discovered"], &report["ran"]),
        (&1.into(), &1.into()),
        "{report}"
    );
}

#[test]
fn sessions_are_found_archived_and_run_once() {
    let project = Project::new();
    let session = project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    let report = project.sync(&[]);
    assert_eq!(report["discovered"], 1, "{report}");
    assert_eq!(report["archived"], 1, "{report}");
    assert_eq!(report["queued"], 1, "{report}");
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(report["failed"], 0, "{report}");
    assert!(report["counts"]["add"].as_u64().unwrap() > 1, "{report}");
    assert!(!project.statements().is_empty());

    // Memory is as if the session was run on its own.
    let alone = Project::new();
    alone.run(&session);
    assert_eq!(project.statements(), alone.statements());

    let again = project.sync(&[]);
    for key in ["discovered", "archived", "queued", "ran", "failed"] {
        assert_eq!(again[key], 0, "{key}: {again}");
    }
    let runs = project
        .acreta(&["runs", "list", "--json"])
        .succeeded()
        .json();
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
}

#[test]
fn run_without_a_trace_is_a_sync() {
    let project = Project::new();
    project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    let report = project.acreta(&["run", "--json"]).succeeded().json();
    assert_eq!(report["ran"], 1, "{report}");
}

#[test]
fn a_traced_run_is_not_repeated_by_sync() {
    let project = Project::new();
    let session = project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    project.run(&session);
    let report = project.sync(&[]);
    assert_eq!((&report["queued"], &report["ran"]), (&0.into(), &0.into()));
    assert_eq!(report["archived"], 1, "it is kept safe all the same");
}

/// A person runs a longer copy of a session in another project.
#[test]
fn a_copy_that_was_run_elsewhere_stands_for_nothing() {
    let project = Project::new();
    let other = project.repository("other");
    let whole = session_in(DEMO, &project.root());
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let file = format!("{CLAUDE}/a/demo-queue-retries.jsonl");
    let copy = project.write("copy/demo-queue-retries.jsonl", whole.as_bytes());
    let run_elsewhere = || {
        let arguments = ["run", copy.to_str().unwrap(), "--json"];
        let output = project.command(&arguments).current_dir(&other).output();
        crate::support::ran(output.unwrap()).succeeded();
    };
    for length in [lines.len() / 3, lines.len() * 2 / 3] {
        project.write(&file, lines[..length].concat().as_bytes());
        run_elsewhere();
        let report = project.sync(&[]);
        let counts = ["archived", "ran", "failed"].map(|key| report[key].as_u64().unwrap());
        assert_eq!(counts, [1, 1, 0], "{length} lines: {report}");
        assert_eq!(
            report["runs"][0]["project"],
            project.root().to_str().unwrap()
        );
    }
    // Nothing continues from the run of the copy, even if that was the last run.
    run_elsewhere();
    project.claude_session("a/demo-release-pitfall", OTHER, &project.root());
    let report = project.sync_in(&other, &[]).succeeded().json();
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(
        report["runs"][0]["project"],
        project.root().to_str().unwrap()
    );
}

/// Size and time of the last record stay the same.
#[test]
fn a_rewrite_in_place_is_noticed() {
    let project = Project::new();
    let text = session_in(DEMO, &project.root());
    let session = project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    settle(&session);
    assert_eq!(project.sync(&[])["ran"], 1);
    let middle = text[..text.len() / 2].rfind(" the ").unwrap();
    let rewritten = format!("{} xyz {}", &text[..middle], &text[middle + 5..]);
    assert_eq!(rewritten.len(), text.len());
    project.write(
        &format!("{CLAUDE}/a/demo-queue-retries.jsonl"),
        rewritten.as_bytes(),
    );
    settle(&session);
    let report = project.sync(&[]);
    assert_eq!(
        (&report["archived"], &report["ran"]),
        (&1.into(), &1.into()),
        "{report}"
    );
}

#[test]
fn a_failed_run_of_a_named_file_is_listed() {
    let project = Project::new();
    let nothing = project.write("nobody.jsonl", b"{\"nobody\": \"knows this\"}\n");
    let ran = project.acreta(&["run", nothing.to_str().unwrap()]);
    assert_ne!(ran.code, 0, "{}", ran.stdout);
    let runs = project
        .acreta(&["runs", "list", "--json"])
        .succeeded()
        .json();
    assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    assert_eq!(runs[0]["state"], "failed", "{runs}");
}

#[test]
fn a_grown_session_is_read_on_and_a_rewritten_one_whole() {
    let project = Project::new();
    let whole = session_in(DEMO, &project.root());
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let file = format!("{CLAUDE}/a/demo-queue-retries.jsonl");
    for length in [lines.len() / 3, lines.len() * 2 / 3, lines.len()] {
        let path = project.write(&file, lines[..length].concat().as_bytes());
        settle(&path);
        let report = project.sync(&[]);
        assert_eq!(report["ran"], 1, "{length} lines: {report}");
        let archived = crate::support::files(&project.home().join("archive"));
        assert_eq!(archived.len(), 1, "what only grew is kept once");
    }
    let alone = Project::new();
    alone.run(&alone.write("demo-queue-retries.jsonl", whole.as_bytes()));
    assert_eq!(project.statements(), alone.statements());

    // The session is now different from its first record on. What it said before stays.
    let before = project.statements();
    let other = session_in(OTHER, &project.root());
    let rewritten = other.replace(&session_id(&other), &session_id(&whole));
    project.write(&file, rewritten.as_bytes());
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 1, "{report}");
    let alone = Project::new();
    alone.run(&alone.write("demo-queue-retries.jsonl", rewritten.as_bytes()));
    let now = project.statements();
    for statement in alone.statements().iter().chain(&before) {
        assert!(now.contains(statement), "{statement:?} in {now:?}");
    }
    let archived = crate::support::files(&project.home().join("archive"));
    assert_eq!(archived.len(), 2, "what was rewritten stays as well");
}

/// OpenCode's adapter has no cursors: it returns the whole session each time.
#[test]
fn a_grown_session_of_a_database_is_kept_once() {
    let project = Project::new();
    let path = project.write(".local/share/opencode/opencode.db", b"");
    let database = rusqlite::Connection::open(&path).unwrap();
    let tables = "CREATE TABLE session (id text, directory text, time_created integer, time_updated integer);
        CREATE TABLE message (id text, session_id text, time_created integer, time_updated integer, data text);
        CREATE TABLE part (id text, message_id text, session_id text, data text);";
    database.execute_batch(tables).unwrap();
    let root = project.root();
    let insert = "INSERT INTO session VALUES ('ses_1', ?1, 1, 1)";
    database.execute(insert, [root.to_str().unwrap()]).unwrap();
    let prompts = [
        "From now on always use SQLite for the queue.",
        "Keep it in one file.",
        "Add a test.",
    ];
    for (number, prompt) in prompts.iter().enumerate() {
        let rows = format!(
            "INSERT INTO message VALUES ('msg_{number}', 'ses_1', {number}, {number}, '{{\"role\":\"user\"}}');
            INSERT INTO part VALUES ('prt_{number}', 'msg_{number}', 'ses_1', '{{\"type\":\"text\",\"text\":\"{prompt}\"}}');
            UPDATE session SET time_updated = 10 + {number};"
        );
        database.execute_batch(&rows).unwrap();
        let report = project.sync(&[]);
        assert_eq!(report["ran"], 1, "{report}");
        let trace = root.join(".acreta/meta/traces/sessions/opencode/ses_1.jsonl");
        let trace = std::fs::read_to_string(trace).unwrap();
        let events = trace
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let texts: Vec<String> = events
            .map(|event: Value| event["text"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(texts, prompts[..=number]);
    }
}

#[test]
fn a_session_that_its_agent_deleted_is_run_from_the_archive() {
    let project = Project::new();
    let later = project.repository("later");
    let session = project.claude_session("b/demo-queue-retries", DEMO, &later);
    let alone = Project::new();
    alone.run(&session);

    // Started outside of any repository: nothing is registered, everything is archived.
    let report = project.sync_in(project.outside(), &[]).succeeded().json();
    assert_eq!(report["archived"], 1, "{report}");
    assert_eq!(report["ran"], 0, "{report}");
    assert_eq!(report["waiting"][0]["sessions"], 1, "{report}");
    assert_eq!(report["waiting"][0]["exists"], true, "{report}");
    assert!(!later.join(".acreta").exists());

    remove(&session);
    project
        .acreta(&["project", "add", later.to_str().unwrap()])
        .succeeded();
    let report = project.sync_in(project.outside(), &[]).succeeded().json();
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(report["waiting"], Value::Array(Vec::new()), "{report}");
    let found = project
        .command(&["memory", "list", "--json"])
        .current_dir(&later)
        .output();
    let found = crate::support::ran(found.unwrap()).succeeded().json();
    let titles = |value: &Value| {
        let mut titles: Vec<String> = value["memories"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|memory| memory["type"] != "summary")
            .map(|memory| memory["title"].as_str().unwrap().to_owned())
            .collect();
        titles.sort();
        titles
    };
    let expected: Vec<String> = alone
        .statements()
        .into_iter()
        .map(|(title, _)| title)
        .collect();
    assert_eq!(titles(&found), expected);
}

#[test]
fn no_session_ends_up_in_another_project() {
    let project = Project::new();
    let other = project.repository("other");
    project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    project.claude_session("b/demo-release-pitfall", OTHER, &other);
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(report["waiting"][0]["project"], other.to_str().unwrap());
    let mine = project.statements();

    let report = project.sync_in(&other, &[]).succeeded().json();
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(project.statements(), mine);
    let evidence = |root: &Path| {
        let files = crate::support::files(&root.join(".acreta/meta/memories"));
        let texts = files
            .iter()
            .map(|file| std::fs::read_to_string(file).unwrap());
        texts.collect::<String>()
    };
    let ids = [DEMO, OTHER].map(|from| session_id(&session_in(from, &other)));
    assert_ne!(ids[0], ids[1]);
    assert!(evidence(&project.root()).contains(&ids[0]));
    assert!(!evidence(&project.root()).contains(&ids[1]));
    assert!(evidence(&other).contains(&ids[1]));
    assert!(!evidence(&other).contains(&ids[0]));
}

#[test]
fn a_worktree_belongs_to_its_main_checkout() {
    let project = Project::new();
    let worktree = project.outside().join("feature_x");
    std::fs::create_dir_all(&worktree).unwrap();
    let git = project.root().join(".git/worktrees/feature_x");
    std::fs::create_dir_all(&git).unwrap();
    project.write(
        "feature_x/.git",
        format!("gitdir: {}\n", git.display()).as_bytes(),
    );
    project.write("project/.git/worktrees/feature_x/commondir", b"../..\n");
    let back = format!("{}\n", worktree.join(".git").display());
    project.write("project/.git/worktrees/feature_x/gitdir", back.as_bytes());
    project.claude_session("a/demo-queue-retries", DEMO, &worktree);
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 1, "{report}");
    assert!(!project.statements().is_empty());
    assert!(!worktree.join(".acreta").exists());
}

#[test]
fn a_project_from_elsewhere_is_taken_in_by_its_old_path() {
    let project = Project::new();
    let before = Path::new("/Users/ann/code/ledger");
    project.claude_session("a/demo-queue-retries", DEMO, before);
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 0, "{report}");
    assert_eq!(report["waiting"][0]["project"], "/Users/ann/code/ledger");
    assert_eq!(report["waiting"][0]["exists"], false);
    project
        .acreta(&["project", "add", "--also", "/Users/ann/code/ledger"])
        .succeeded();
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 1, "{report}");
}

#[test]
fn subagents_are_kept_safe_and_not_worked_through() {
    let project = Project::new();
    let name = "b6d2f0c4-8a17-4c35-9e0b-5d3c1f2a4e68";
    for file in crate::support::files(&fixture("claude").join(name)) {
        let relative = file.strip_prefix(fixture("claude")).unwrap();
        let from = format!("claude/{}", relative.display());
        let target = relative.with_extension("");
        project.claude_session(&format!("a/{}", target.display()), &from, &project.root());
    }
    project.claude_session(
        &format!("a/{name}"),
        &format!("claude/{name}.jsonl"),
        &project.root(),
    );
    let report = project.sync(&[]);
    let discovered = report["discovered"].as_u64().unwrap();
    assert!(discovered > 1, "{report}");
    assert_eq!(report["archived"], discovered, "{report}");
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(report["skipped"], discovered - 1, "{report}");
}

#[test]
fn a_selection_narrows_what_is_run_and_nothing_else() {
    let project = Project::new();
    project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    project.claude_session("a/demo-release-pitfall", OTHER, &project.root());
    let dry = project.sync(&["--dry-run"]);
    assert_eq!((&dry["discovered"], &dry["ran"]), (&2.into(), &0.into()));
    assert!(!project.root().join(".acreta").exists());
    assert!(!project.home().join("archive").exists());

    let report = project.sync(&["--since", "2200-01-01"]);
    assert_eq!(
        (&report["archived"], &report["ran"]),
        (&2.into(), &0.into())
    );
    let report = project.sync(&["--max-sessions", "1"]);
    assert_eq!((&report["queued"], &report["ran"]), (&1.into(), &1.into()));
    let report = project.sync(&["--agent", "claude"]);
    assert_eq!(report["ran"], 1, "{report}");
    let report = project.sync(&["--force"]);
    assert_eq!(report["ran"], 2, "{report}");
    project
        .sync_in(&project.root(), &["--agent", "nobody"])
        .failed(2, "no adapter reads sessions of `nobody`");
    project
        .sync_in(&project.root(), &["--since", "yesterday"])
        .failed(2, "`yesterday` is not a time");
}

#[test]
fn an_agent_that_is_disconnected_is_left_alone() {
    let project = Project::new();
    project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    project.acreta(&["connect", "remove", "claude"]).succeeded();
    let report = project.sync(&[]);
    assert_eq!(report["discovered"], 0, "{report}");
    let listed = project
        .acreta(&["connect", "list", "--json"])
        .succeeded()
        .json();
    let claude = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|line| line["agent"] == "claude");
    assert_eq!(claude.unwrap()["granted"], false);

    // Connected again, with a custom folder.
    let elsewhere = project.outside().join("elsewhere");
    let text = session_in(DEMO, &project.root());
    project.write("elsewhere/x/demo-queue-retries.jsonl", text.as_bytes());
    project
        .acreta(&[
            "connect",
            "add",
            "claude",
            "--root",
            elsewhere.to_str().unwrap(),
        ])
        .succeeded();
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 1, "{report}");
    project
        .acreta(&["connect", "add", "nobody"])
        .failed(2, "no adapter with a folder of its own reads `nobody`");
}

#[test]
fn the_doctor_says_what_may_be_lost() {
    let project = Project::new();
    project
        .acreta(&["doctor"])
        .failed(3, "doctor found 1 warning");
    let session = project.claude_session("a/demo-queue-retries", DEMO, &project.root());
    project.sync(&[]);
    let checks = project.acreta(&["doctor", "--json"]).succeeded().json();
    let claude = checks
        .as_array()
        .unwrap()
        .iter()
        .find(|check| check["name"] == "claude")
        .unwrap();
    assert_eq!(claude["health"], "fine");
    let message = claude["message"].as_str().unwrap();
    assert!(
        message.contains("deletes sessions after 30 days"),
        "{message}"
    );
    let status = project.acreta(&["status", "--json"]).succeeded().json();
    assert_eq!(status["sessions"][0]["state"], "done", "{status}");
    let id = session_id(&std::fs::read_to_string(&session).unwrap());
    assert!(
        message.contains(&format!("next to be deleted: {id}, any moment")),
        "{message}"
    );

    // The agent's own settings count.
    for (days, told) in [(7, "after 7 days"), (99_999, "after 99999 days")] {
        let settings = format!("{{\"cleanupPeriodDays\": {days}}}");
        project.write(".claude/settings.json", settings.as_bytes());
        let checks = project.acreta(&["doctor", "--json"]).succeeded().json();
        let claude = checks
            .as_array()
            .unwrap()
            .iter()
            .find(|check| check["name"] == "claude");
        let message = claude.unwrap()["message"].as_str().unwrap();
        assert!(message.contains(told), "{message}");
        assert_eq!(message.contains("any moment"), days == 7, "{message}");
    }

    project.write(
        "home/state.db",
        b"this is no database, whatever its name is ........",
    );
    project
        .acreta(&["doctor"])
        .failed(1, "doctor found 1 problem");
    project.acreta(&["sync"]).failed(1, "hint: ");
}

#[test]
fn sessions_of_no_project_become_global_memory_once_that_is_wanted() {
    let project = Project::new();
    // An agent that was started in the home folder.
    project.claude_session("a/demo-queue-retries", DEMO, project.outside());
    for _ in 0..2 {
        let report = project.sync(&[]);
        assert_eq!(report["ran"], 0, "{report}");
        assert_eq!(report["waiting"][0]["sessions"], 1, "{report}");
    }
    project
        .acreta(&["config", "set", "sync.without_project", "global"])
        .succeeded();
    let report = project.sync(&[]);
    assert_eq!(report["ran"], 1, "{report}");
    assert!(project.home().join("memory/summaries").is_dir());
    assert!(!project.memory().exists());
}

/// Returns the number of compiled plugins below a folder.
fn compiled(folder: &Path) -> usize {
    let files = crate::support::files(folder);
    let is_compiled = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "cwasm");
    files.iter().filter(is_compiled).count()
}

#[test]
fn only_the_adapters_of_agents_that_are_there_are_compiled() {
    let project = Project::new();
    let cache = tempfile::tempdir().unwrap();
    let with_own_cache = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        let output = command.env("ACRETA_CACHE_DIR", cache.path()).output();
        crate::support::ran(output.unwrap()).succeeded()
    };
    for arguments in [
        &["sync"][..],
        &["connect", "list"],
        &["hook", "session-start", "--agent", "claude"],
        &["memory", "search", "anything"],
    ] {
        with_own_cache(arguments);
        assert_eq!(compiled(cache.path()), 0, "{arguments:?}");
    }
    let elsewhere = Path::new("/nowhere/at/all");
    project.claude_session("one", DEMO, elsewhere);
    with_own_cache(&["sync"]);
    assert_eq!(compiled(cache.path()), 1);
}
