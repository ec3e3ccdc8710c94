//! Syncs that are killed, that run at the same time, and that find unreadable files: nothing is lost, nothing is done
//! twice, and the next sync finishes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Daemon, Project, files, fixture, ran};

/// Every point of a sync at which it can be killed.
const POINTS: [&str; 12] = [
    "found",
    "looked",
    "recorded",
    "rescued",
    "archived",
    "assigned",
    "queued",
    "claimed",
    "step-begun",
    "step-done",
    "ran",
    "completed",
];

/// Returns a project with a few sessions that say different things.
fn with_sessions(number: usize) -> Project {
    let project = Project::new();
    for index in 0..number {
        session(&project, index, &project.root());
    }
    project
}

/// Creates a session with its own id and decision.
fn session(project: &Project, index: usize, directory: &Path) -> PathBuf {
    let id = format!("5e551000-0000-4000-8000-{index:012}");
    let text = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let old = text.find("\"sessionId\":\"").unwrap() + 13;
    let old = text[old..old + 36].to_owned();
    let cwd = text.find("\"cwd\":\"").unwrap() + 7;
    let cwd = text[cwd..].split('"').next().unwrap().to_owned();
    let text = text
        .replace(&old, &id)
        .replace(&cwd, directory.to_str().unwrap())
        .replace(
            "retr",
            &format!("retr{}", "xyzabcdefgh".chars().nth(index % 11).unwrap()),
        );
    project.write(&format!(".claude/projects/p/{id}.jsonl"), text.as_bytes())
}

fn sync(project: &Project) -> Value {
    project.acreta(&["sync", "--json"]).succeeded().json()
}

/// Returns sessions with the number of their completed runs.
fn completed(project: &Project) -> Vec<(String, usize)> {
    let runs = project
        .acreta(&["runs", "list", "--limit", "1000", "--json"])
        .succeeded()
        .json();
    let mut counts = std::collections::BTreeMap::new();
    for run in runs.as_array().unwrap() {
        if run["state"] == "completed" {
            let session = run["session"].as_str().unwrap().to_owned();
            *counts.entry(session).or_insert(0) += 1;
        }
    }
    counts.into_iter().collect()
}

#[test]
fn killed_anywhere_nothing_is_lost_and_nothing_is_done_twice() {
    let undisturbed = with_sessions(2);
    sync(&undisturbed);
    let expected = undisturbed.statements();
    assert!(!expected.is_empty());
    let mut killed = 0;
    for point in POINTS {
        for number in 1.. {
            let project = with_sessions(2);
            let output = project
                .command(&["sync", "--json"])
                .env("ACRETA_ABORT_AT", format!("{point}:{number}"))
                .output()
                .unwrap();
            if output.status.success() {
                assert!(number > 1, "{point} is never passed");
                break;
            }
            assert_eq!(output.status.code(), None, "{point}: {output:?}");
            killed += 1;
            sync(&project);
            let context = format!("killed at {point} for the {number}. time");
            assert_eq!(project.statements(), expected, "{context}");
            let done = completed(&project);
            assert_eq!(done.len(), 2, "{context}: {done:?}");
            assert!(
                done.iter().all(|(_, runs)| *runs == 1),
                "{context}: {done:?}"
            );
            let summaries = files(&project.memory().join("summaries")).len();
            assert_eq!(summaries, 2, "{context}");
            let again = sync(&project);
            assert_eq!(again["ran"], 0, "{context}: {again}");
            // Within a run there are sixteen such points; every third of them is enough.
            if point.starts_with("step") && number >= 6 {
                break;
            }
        }
    }
    assert!(killed >= 20, "{killed} kills");
}

/// Checks that the next sync finishes what was disturbed, and does nothing twice.
fn assert_finished(project: &Project, expected: &[(String, String)], context: &str) {
    sync(project);
    assert_eq!(project.statements(), expected, "{context}");
    let done = completed(project);
    assert_eq!(done.len(), 2, "{context}: {done:?}");
    let once = done.iter().all(|(_, runs)| *runs == 1);
    assert!(once, "{context}: {done:?}");
}

/// A service manager ends a sync at each step of a run: it hands its job back.
#[cfg(target_os = "linux")]
#[test]
fn a_sync_that_is_told_to_end_hands_its_job_back() {
    let undisturbed = with_sessions(2);
    sync(&undisturbed);
    let expected = undisturbed.statements();
    let mut longest = Duration::ZERO;
    let points = ["claimed:1", "step-begun:1", "step-done:4", "ran:1"];
    for point in points {
        let project = with_sessions(2);
        let told = project
            .command(&["sync", "--json"])
            .env("ACRETA_ABORT_AT", format!("{point}:stop"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        while !is_stopped(told.id()) {
            assert!(Instant::now() < until, "{point} is never passed");
            std::thread::sleep(Duration::from_millis(10));
        }
        for signal in ["TERM", "CONT"] {
            let id = told.id().to_string();
            let sent = Command::new("kill").args(["-s", signal, &id]).status();
            assert!(sent.unwrap().success());
        }
        let started = Instant::now();
        let output = told.wait_with_output().unwrap();
        longest = longest.max(started.elapsed());
        assert!(output.status.code().is_some(), "{point}: {output:?}");
        let running = ["queue", "list", "--state", "running", "--json"];
        let running = project.acreta(&running).succeeded().json();
        assert_eq!(running, json!([]), "{point}: nobody holds a job");
        assert_finished(&project, &expected, point);
    }
    println!(
        "SIGTERM at {} points: at most {longest:.1?} to the end, 0 lost, 0 twice",
        points.len()
    );
    assert!(longest < Duration::from_secs(10), "{longest:?}");
}

#[cfg(target_os = "linux")]
fn is_stopped(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit(") ").next();
    state.is_some_and(|rest| rest.starts_with('T'))
}

/// The daemon dies without a word in the middle of a sync. `ACRETA_TEST_KILLS` sets how often.
#[test]
fn a_daemon_that_is_killed_loses_nothing() {
    let undisturbed = with_sessions(2);
    let started = Instant::now();
    sync(&undisturbed);
    let (expected, usual) = (undisturbed.statements(), started.elapsed());
    let kills = acreta_testing::count("ACRETA_TEST_KILLS", 3);
    for seed in 0..kills {
        let mut project = with_sessions(2);
        project.configure(crate::daemon::CALM);
        let daemon = Daemon::start(&project);
        daemon.post("/api/sync", &json!({})).ok();
        // Spread over the time that a sync takes.
        std::thread::sleep(usual * (seed as u32 * 7 % 10 + 1) / 10);
        drop(daemon);
        let daemon = Daemon::start(&project);
        let again = daemon.finished(&daemon.post("/api/sync", &json!({})).ok());
        assert_eq!(again["state"], "completed", "kill {seed}: {again}");
        assert!(daemon.end().success());
        assert_finished(&project, &expected, &format!("kill {seed}"));
    }
    println!("{kills} daemons killed: 0 sessions lost, 0 done twice");
}

#[test]
fn two_syncs_at_once_run_every_session_once() {
    const SESSIONS: usize = 12;
    let project = Project::new();
    for index in 0..SESSIONS {
        let directory = project.outside().join(format!("repository-{}", index % 4));
        std::fs::create_dir_all(directory.join(".git")).unwrap();
        session(&project, index, &directory);
        let folder = directory.to_str().unwrap();
        project.acreta(&["project", "add", folder]).succeeded();
    }
    let start = || {
        let mut command = project.command(&["sync", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let (first, second) = (start(), start());
    let reports =
        [first, second].map(|child| ran(child.wait_with_output().unwrap()).succeeded().json());
    let total: u64 = reports
        .iter()
        .map(|report| report["ran"].as_u64().unwrap())
        .sum();
    // Sessions that one of them skipped because the other held them are done for the next one.
    let rest = sync(&project)["ran"].as_u64().unwrap();
    assert_eq!(total + rest, SESSIONS as u64, "{reports:?}");
    let done = completed(&project);
    assert_eq!(done.len(), SESSIONS, "{done:?}");
    assert!(done.iter().all(|(_, runs)| *runs == 1), "{done:?}");
}

#[test]
fn what_cannot_be_read_costs_itself() {
    let project = with_sessions(1);
    let locked = project.write(".claude/projects/p/locked.jsonl", b"{}\n");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    let folder = project.outside().join(".claude/projects/closed");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = std::fs::read(&locked).is_ok();
    project.write(
        ".claude/projects/p/foreign.jsonl",
        b"{\"not\":\"a session\"}\n",
    );
    project.write(".claude/projects/p/garbage.jsonl", &[0xff; 4096]);
    project.write(
        ".local/share/opencode/opencode.db",
        b"SQLite format 3\0 and then nothing",
    );
    let output = project.acreta(&["sync", "--json"]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["ran"], 1, "{report}");
    assert_eq!(output.code, 3, "{}", output.stderr);
    let problems = report["problems"].as_array().unwrap();
    let named = |name: &str| {
        problems
            .iter()
            .any(|problem| problem["path"].as_str().unwrap().contains(name))
    };
    assert!(named("opencode.db"), "{report}");
    assert!(is_root || named("locked.jsonl"), "{report}");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).unwrap();
    project.acreta(&["doctor"]).failed(3, "doctor found");
}

#[test]
fn a_session_that_always_fails_blocks_nobody() {
    let mut project = with_sessions(2);
    project.configure("[plugin.extractor-rules.limits]\nvalue_bytes = 1");
    let output = project.acreta(&["sync", "--json"]);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(output.code, 3, "{}", output.stderr);
    assert_eq!(report["failed"], 2, "{report}");
    let jobs = project
        .acreta(&["queue", "list", "--json"])
        .succeeded()
        .json();
    assert_eq!(jobs.as_array().unwrap().len(), 2, "{jobs}");
    assert_eq!(
        jobs[0]["state"], "queued",
        "it waits for another try: {jobs}"
    );
    assert_eq!(jobs[0]["attempt"], 1, "{jobs}");
    let id = jobs[0]["id"].as_str().unwrap();
    project.acreta(&["queue", "skip", id]).succeeded();
    let other = jobs[1]["id"].as_str().unwrap();
    project.acreta(&["queue", "cancel", other]).succeeded();
    project.acreta(&["queue", "retry", other]).succeeded();

    project.write("home/config.toml", b"");
    let report = sync(&project);
    assert_eq!(report["ran"], 1, "{report}");
    let failed = project
        .acreta(&["runs", "list", "--failed", "--json"])
        .succeeded()
        .json();
    let run = failed[0]["run_id"].as_str().unwrap();
    let shown = project.acreta(&["runs", "show", run]).succeeded();
    assert!(shown.stdout.contains("value_bytes"), "{}", shown.stdout);
    project
        .acreta(&["queue", "show", "nothing"])
        .failed(1, "no such job: `nothing`");
}
