//! Daemon and command line together under load: every acknowledged change exists exactly once at the end, and the
//! daemon's memory stays flat. New memories are added only for a while; then existing ones are archived and restored,
//! so that any later growth is a leak.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Outcome;
use crate::serve::Options;
use crate::serve::daemon::Daemon;
use crate::serve::home::{Home, words};

/// A sync whenever files change, and occasional maintenance.
const BUSY: &str = "[serve]\nsync_minutes = 1\nmaintain_minutes = 1\nwatch = true\n";

/// Notes by each of the two writers.
const NOTES: usize = 250;

/// Number of distinct statements in sessions; then they repeat.
const SAYINGS: usize = 150;

/// Maximum number of syncs after the end, until one has nothing to do.
const SYNCS: usize = 4;

/// Interval between two measurements of the daemon's memory.
const LOOK: Duration = Duration::from_secs(5);

pub(crate) fn bench(options: &Options) -> Outcome<()> {
    let home = Home::new(&options.binary, BUSY)?;
    home.remember(200)?;
    let sessions = home.path(".claude/projects/bench");
    std::fs::create_dir_all(&sessions)?;
    let daemon = Daemon::start(&home)?;
    let ends = Instant::now() + Duration::from_secs(options.seconds);
    let over = AtomicBool::new(false);
    let going = || Instant::now() < ends && !over.load(Ordering::Relaxed);
    let (asked, written, busy, changed) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let added = std::sync::Mutex::new(BTreeSet::new());
    let mut resident = Vec::new();
    let problem = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for reader in 0..4 {
            let (daemon, asked) = (&daemon, &asked);
            threads.push(scope.spawn(move || -> Result<(), String> {
                let mut client = daemon.client().map_err(told)?;
                let mut number = reader;
                while going() {
                    let query = words(number, 3).replace(' ', "+");
                    client
                        .ask("GET", &format!("/api/search?q={query}"), "")
                        .map_err(told)?;
                    client
                        .ask("GET", "/api/memories?limit=20", "")
                        .map_err(told)?;
                    asked.fetch_add(2, Ordering::Relaxed);
                    number += 4;
                }
                Ok(())
            }));
        }
        // Notes over HTTP and by the command line, each with distinct words; then archived and restored.
        let (daemon_of, added_of, busy_of, home_of) = (&daemon, &added, &busy, &home);
        let changed_of = &changed;
        threads.push(scope.spawn(move || {
            let mut client = daemon_of.client().map_err(told)?;
            let (mut number, mut ids) = (0, Vec::new());
            while going() {
                if ids.len() >= NOTES {
                    let id: &String = &ids[number % ids.len()];
                    for change in ["archive", "restore"] {
                        let path = format!("/api/memories/{id}/{change}");
                        loop {
                            let (status, text) = client.raw("POST", &path, "{}").map_err(told)?;
                            match status {
                                200 => break,
                                503 => busy_of.fetch_add(1, Ordering::Relaxed),
                                _ => return Err(format!("{status} {text}")),
                            };
                        }
                        changed_of.fetch_add(1, Ordering::Relaxed);
                    }
                    number += 1;
                    continue;
                }
                let (title, body) = note("http", number);
                let body = json!({ "title": title, "body": body }).to_string();
                let (status, text) = client.raw("POST", "/api/memories", &body).map_err(told)?;
                match status {
                    200 | 201 => {
                        keep(added_of, title);
                        let answer: Value = serde_json::from_str(&text).map_err(of_json)?;
                        ids.extend(answer["id"].as_str().map(str::to_owned));
                        number += 1;
                    }
                    503 => {
                        busy_of.fetch_add(1, Ordering::Relaxed);
                    }
                    _ => return Err(format!("{status} {text}")),
                }
            }
            Ok(())
        }));
        threads.push(scope.spawn(move || {
            let (mut number, mut ids) = (0, Vec::new());
            while going() {
                if ids.len() >= NOTES {
                    let id: &String = &ids[number % ids.len()];
                    for change in ["archive", "restore"] {
                        loop {
                            let output = home_of.command(&["memory", change, id]).output();
                            match output.map_err(|error| error.to_string())?.status.code() {
                                Some(0) => break,
                                Some(4) => busy_of.fetch_add(1, Ordering::Relaxed),
                                code => return Err(format!("memory {change} {id}: {code:?}")),
                            };
                        }
                        changed_of.fetch_add(1, Ordering::Relaxed);
                    }
                    number += 1;
                    continue;
                }
                let (title, body) = note("line", number);
                let output = home_of
                    .command(&["memory", "add", &title, "--body", &body, "--json"])
                    .output()
                    .map_err(|error| error.to_string())?;
                match output.status.code() {
                    Some(0) => {
                        keep(added_of, title);
                        let report: Value =
                            serde_json::from_slice(&output.stdout).map_err(of_json)?;
                        let id = report["actions"][0]["memory_id"].as_str();
                        ids.extend(id.map(str::to_owned));
                        number += 1;
                    }
                    Some(4) => {
                        busy_of.fetch_add(1, Ordering::Relaxed);
                    }
                    _ => return Err(String::from_utf8_lossy(&output.stderr).into_owned()),
                }
            }
            Ok(())
        }));
        // Sessions that grow.
        let written_of = &written;
        threads.push(scope.spawn(move || {
            let mut number = 0;
            while going() {
                write_session(home_of, number).map_err(told)?;
                written_of.fetch_add(1, Ordering::Relaxed);
                number += 1;
                std::thread::sleep(Duration::from_millis(500));
            }
            Ok(())
        }));
        while going() {
            std::thread::sleep(LOOK.min(ends.saturating_duration_since(Instant::now())));
            resident.extend(daemon.resident_mb());
            if threads.iter().any(|thread| thread.is_finished()) && Instant::now() < ends {
                over.store(true, Ordering::Relaxed);
            }
        }
        let mut problem = None;
        for thread in threads {
            if let Err(error) = thread
                .join()
                .unwrap_or_else(|_| Err("a thread panicked".into()))
            {
                problem = Some(error);
            }
        }
        problem
    });
    if let Some(problem) = problem {
        return Err(problem.into());
    }
    if !daemon.end()? {
        return Err("the daemon did not end well".into());
    }
    // Processes the pending work; then nothing is left.
    let mut last = Value::Null;
    let mut syncs = 0;
    while syncs < SYNCS && last["ran"] != 0 {
        last = serde_json::from_str(&home.acreta(&["sync", "--json"])?)?;
        syncs += 1;
    }
    let listed: Value = serde_json::from_str(&home.acreta(&["memory", "list", "--json"])?)?;
    let titles: Vec<&str> = listed["memories"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|memory| memory["title"].as_str())
        .collect();
    let added = added
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let count = |title: &String| titles.iter().filter(|known| *known == title).count();
    let lost = added.iter().filter(|title| count(title) == 0).count();
    let twice = added.iter().filter(|title| count(title) > 1).count();
    let runs: Value =
        serde_json::from_str(&home.acreta(&["runs", "list", "--limit", "100000", "--json"])?)?;
    let failed = runs
        .as_array()
        .into_iter()
        .flatten()
        .filter(|run| run["state"] == "failed")
        .count();
    let quarter = resident.len() / 4;
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len().max(1) as f64;
    let early = mean(
        resident
            .get(quarter..2 * quarter.max(1))
            .unwrap_or_default(),
    );
    let late = mean(
        resident
            .get(resident.len() - quarter.max(1)..)
            .unwrap_or_default(),
    );
    println!(
        "{} s, {} answers, {} notes, {} changes ({} times busy), {} session writes, {} runs",
        options.seconds,
        asked.load(Ordering::Relaxed),
        added.len(),
        changed.load(Ordering::Relaxed),
        busy.load(Ordering::Relaxed),
        written.load(Ordering::Relaxed),
        runs.as_array().map_or(0, Vec::len)
    );
    println!(
        "lost {lost}, twice {twice}, failed runs {failed}, left over {} after {syncs} syncs",
        last["ran"]
    );
    println!("resident {early:.0} MB in the second quarter, {late:.0} MB in the last");
    println!(
        "{}",
        json!({
            "answers": asked.load(Ordering::Relaxed),
            "notes": added.len(),
            "changes": changed.load(Ordering::Relaxed),
            "lost": lost,
            "twice": twice,
            "failed_runs": failed,
            "left_over": last["ran"],
            "rss_early_mb": early.round(),
            "rss_late_mb": late.round(),
            "rss_ratio": crate::serve::times::rounded(late / early.max(1.0)),
        })
    );
    Ok(())
}

fn told(error: Box<dyn std::error::Error>) -> String {
    error.to_string()
}

fn of_json(error: serde_json::Error) -> String {
    error.to_string()
}

fn keep(added: &std::sync::Mutex<BTreeSet<String>>, title: String) {
    let mut added = added
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    added.insert(title);
}

/// Builds a unique note.
fn note(by: &str, number: usize) -> (String, String) {
    let seed = number * 2 + usize::from(by == "line");
    let own: String = (0..6).map(|part| format!("{by}{number}x{part} ")).collect();
    let title = format!("{by} note {number} about {}", words(seed, 3));
    (title, format!("{own}{}", words(seed + 31, 12)))
}

/// Writes a session of Claude Code in the project; every fifth continues an earlier one.
fn write_session(home: &Home, number: usize) -> Outcome<()> {
    let saying = number % SAYINGS;
    let session = saying - saying % 5;
    let name = format!(".claude/projects/bench/00000000-0000-4000-8000-{session:012}.jsonl");
    let mut text = std::fs::read_to_string(home.path(&name)).unwrap_or_default();
    let line = json!({
        "type": "user",
        "uuid": format!("{number:08}-0000-4000-8000-000000000000"),
        "sessionId": format!("00000000-0000-4000-8000-{session:012}"),
        "cwd": home.project(),
        "timestamp": format!("2026-06-{:02}T10:{:02}:{:02}.000Z", 1 + number / 3600 % 28, number / 60 % 60, number % 60),
        "version": "2.1.0",
        "message": { "role": "user", "content": format!("We decided to keep {} in {}.", words(saying, 2), words(saying + 9, 2)) },
    });
    text.push_str(&format!("{line}\n"));
    home.write(&name, &text)
}
