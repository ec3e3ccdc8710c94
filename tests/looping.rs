//! Adapters that never return. Whoever is told to end stops them at once, and other agents' sessions do not wait for
//! them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::daemon::CALM;
use crate::support::{ClaudeSession, Daemon, Project, component};

/// Far below the ten minutes that an adapter has, far above what a busy machine needs.
const SOON: Duration = Duration::from_secs(10);

/// Returns a project with a session of Claude Code and a newer one of an adapter that runs `attack`.
fn attacked(attack: &str) -> Project {
    let mut project = Project::new();
    let root = project.root().canonicalize().unwrap();
    let root = root.to_str().unwrap();
    project.acreta(&["project", "add"]).succeeded();
    project.configure(&format!(
        "{CALM}\n[plugin.hostile-adapter.settings]\nattack = \"{attack}\"\nproject_dir = \"{root}\""
    ));
    let manifest = "id = \"hostile-adapter\"\nversion = \"0.1.0\"\nrole = \"adapter\"\ncomponent = \"it.wasm\"\n\
         description = \"For tests.\"\n[[roots]]\nname = \"hostile\"\ncandidates = [\"~/.hostile\"]\n\
         patterns = [\"*.jsonl\"]\nreason = \"sessions\"\n";
    project.write("source/it.wasm", &component("hostile-adapter"));
    let file = project.write("source/plugin.toml", manifest.as_bytes());
    let folder = file.parent().unwrap().to_str().unwrap();
    project
        .acreta(&["plugin", "install", folder, "--yes", "--grant"])
        .succeeded();
    let grant = ["plugin", "grant", "hostile-adapter", "--yes", "--project"];
    project.acreta(&[&grant[..], &[root]].concat()).succeeded();
    project.write(".hostile/endless.jsonl", b"{\"hostile\": true}\n");
    let database = project.outside().join(".hostile/numbers.db");
    rusqlite::Connection::open(database)
        .unwrap()
        .execute_batch("CREATE TABLE t (x)")
        .unwrap();
    let mut session = ClaudeSession::new(1);
    session.person("From now on always run the linter before you commit.");
    session.agent("I will.");
    let text = session.text.replace("/home/dev/shop", root);
    // Older than the session of the plugin.
    let text = text.replace("2026-05-", "2026-01-");
    project.write(".claude/projects/p/s.jsonl", text.as_bytes());
    project
}

/// Waits until the plugin's session is being read.
fn wait_for_the_loop(project: &Project) {
    let until = Instant::now() + Duration::from_secs(120);
    let running = ["queue", "list", "--state", "running", "--json"];
    loop {
        let jobs = project.acreta(&running).succeeded();
        if jobs.stdout.contains("endless") {
            return;
        }
        assert!(Instant::now() < until, "it never runs: {}", jobs.stdout);
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Checks that nobody holds the plugin's job, and that its interruption was no attempt.
fn assert_handed_back(project: &Project) {
    let jobs = project.acreta(&["queue", "list", "--json"]).succeeded();
    let jobs = jobs.json();
    let job = jobs.as_array().unwrap().iter();
    let job: Vec<&Value> = job
        .filter(|job| job.to_string().contains("endless"))
        .collect();
    assert_eq!(job.len(), 1, "{jobs}");
    let found = json!([job[0]["state"], job[0]["attempt"]]);
    assert_eq!(found, json!(["queued", 0]), "{jobs}");
}

/// Waits until the session of Claude Code is memory.
fn wait_for_the_honest(project: &Project) {
    let until = Instant::now() + Duration::from_secs(120);
    while project.statements().is_empty() {
        assert!(Instant::now() < until, "it waits for the plugin");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn other_sessions_do_not_wait_for_a_plugin_and_an_end_stops_it() {
    for (attack, stage) in [("loop", "sessions"), ("loop", "read"), ("queries", "read")] {
        let project = attacked(&format!("{attack}\"\nstage = \"{stage}"));
        let mut sync = project.command(&["sync", "--json"]);
        let sync = sync.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut sync = sync.spawn().unwrap();
        wait_for_the_honest(&project);
        if stage == "read" {
            wait_for_the_loop(&project);
        }
        assert!(sync.try_wait().unwrap().is_none(), "{stage}: it has ended");
        let id = sync.id().to_string();
        let told = Command::new("kill").args(["-s", "TERM", &id]).status();
        assert!(told.unwrap().success());
        let started = Instant::now();
        let output = sync.wait_with_output().unwrap();
        let taken = started.elapsed();
        println!("SIGTERM while `{stage}` is in `{attack}`: {taken:.1?} to the end");
        assert!(taken < SOON, "{taken:?}");
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        if stage == "read" {
            assert_handed_back(&project);
        }
    }
}

#[test]
fn a_daemon_that_ends_leaves_no_plugin_behind() {
    let project = attacked("loop");
    let daemon = Daemon::start(&project);
    daemon.post("/api/sync", &json!({})).ok();
    wait_for_the_loop(&project);
    // A worker's lock is named after its process.
    let workers = std::fs::read_dir(project.home().join("workers")).unwrap();
    let workers = workers.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let workers: Vec<String> = workers
        .map(|name| name.split('-').next().unwrap().to_owned())
        .collect();
    assert_eq!(workers.len(), 1, "{workers:?}");
    let started = Instant::now();
    project.acreta(&["down"]).succeeded();
    let taken = started.elapsed();
    println!("`down` while a plugin loops: {taken:.1?} to the end");
    assert!(taken < SOON, "{taken:?}");
    let process = Path::new("/proc").join(&workers[0]);
    assert!(!process.exists(), "the sync {} goes on", workers[0]);
    assert!(daemon.end_of_itself().success());
    assert_handed_back(&project);
}
