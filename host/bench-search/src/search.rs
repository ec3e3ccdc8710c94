//! Search over 1,000, 10,000 and 100,000 memories: building, adding, asking in a process that stays
//! and in one that starts. Building and asking run in processes of their own, so that what each
//! uses can be told apart.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use acreta_fs::NoFaults;
use acreta_search::{MemoryIndex, Query, RefreshOutcome, Source};
use acreta_store::Layout;
use camino::Utf8Path;
use serde_json::{Value, json};

use crate::{Outcome, generate, memory, sqlite};

const SIZES: [u64; 3] = [1_000, 10_000, 100_000];
const QUESTIONS: u64 = 1_000;
const SLOW_QUESTIONS: usize = 200;
const COLD_STARTS: usize = 11;

pub(crate) fn bench() -> Outcome<()> {
    println!(
        "{:>8} {:>9} {:>8} {:>8} {:>7} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9}",
        "memories",
        "build s",
        "build MB",
        "add ms",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "cold ms",
        "check ms",
        "index MB",
        "rss MB",
        "fts5 p50",
        "fts5 p95"
    );
    let mut last = Value::Null;
    for size in SIZES {
        last = one_size(size)?;
    }
    println!("{last}");
    Ok(())
}

/// A part of the bench that has a process of its own.
pub(crate) fn part(arguments: &[&str]) -> Outcome<()> {
    let result = match arguments {
        ["build", root, now] => build(Utf8Path::new(root), now.parse()?)?,
        ["ask", root, now, size] => ask(Utf8Path::new(root), now.parse()?, size.parse()?)?,
        ["cold", root, now, question] => cold(Utf8Path::new(root), now.parse()?, question)?,
        _ => return Err("unknown part".into()),
    };
    println!("{result}");
    Ok(())
}

fn one_size(size: u64) -> Outcome<Value> {
    let scratch = tempfile::tempdir()?;
    let root = Utf8Path::from_path(scratch.path()).ok_or("the temporary folder is not UTF-8")?;
    let folder = root.join(".acreta/memory/learnings");
    std::fs::create_dir_all(&folder)?;
    for number in 0..size {
        write(&folder, number)?;
    }
    // Past the time within which a file may change unseen.
    let now = now_ms()? + 5_000;
    let run = |arguments: &[&str]| child(arguments);
    let (root_text, now_text, size_text) = (root.as_str(), now.to_string(), size.to_string());
    let built = run(&["build", root_text, &now_text])?;
    let index_mb = folder_bytes(&root.join(".acreta/index/memory"))? as f64 / 1e6;

    write(&folder, size)?;
    let later = (now + 10_000).to_string();
    let added = run(&["build", root_text, &later])?;

    let asked = run(&["ask", root_text, &later, &size_text])?;
    let mut cold_times = Vec::new();
    for number in 0..COLD_STARTS {
        let question = generate::question(number as u64, size);
        let started = Instant::now();
        run(&["cold", root_text, &later, &question])?;
        cold_times.push(started.elapsed());
    }
    let (cold_ms, _, _) = percentiles(&mut cold_times);

    let (connection, _) = sqlite::build(&scratch.path().join("fts5.db"), size)?;
    let questions: Vec<String> = questions(size).into_iter().take(SLOW_QUESTIONS).collect();
    let (fts5_p50, fts5_p95) = {
        let mut times = sqlite::ask(&connection, &questions)?;
        let (p50, _, _) = percentiles(&mut times);
        (p50, at(&times, 95))
    };
    let figure = |value: &Value, key: &str| value[key].as_f64().unwrap_or(f64::NAN);
    println!(
        "{size:>8} {:>9.2} {:>8.1} {:>8.1} {:>7.3} {:>7.3} {:>7.3} {cold_ms:>8.1} {:>8.1} {index_mb:>8.1} {:>8.1} {fts5_p50:>9.2} {fts5_p95:>9.2}",
        figure(&built, "ms") / 1e3,
        figure(&built, "rss"),
        figure(&added, "ms"),
        figure(&asked, "p50"),
        figure(&asked, "p95"),
        figure(&asked, "p99"),
        figure(&asked, "check"),
        figure(&asked, "rss"),
    );
    Ok(json!({
        "lexical_p50_ms": round(figure(&asked, "p50")),
        "lexical_p95_ms": round(figure(&asked, "p95")),
        "hybrid_p95_ms": Value::Null,
        "cold_cli_ms": round(cold_ms),
        "rss_mb": round(figure(&asked, "rss")),
        "fts5_p95_ms": round(fts5_p95),
    }))
}

/// Brings the index up to date and says how long that took.
fn build(root: &Utf8Path, now: i64) -> Outcome<Value> {
    let index = open(root);
    let started = Instant::now();
    let refreshed = index.refresh(now)?;
    let took = started.elapsed();
    if !matches!(
        refreshed.outcome,
        RefreshOutcome::Current | RefreshOutcome::Rebuilt
    ) {
        return Err(format!("the index was not written: {refreshed:?}").into());
    }
    Ok(json!({"ms": milliseconds(took), "rss": memory::peak_mb()}))
}

/// Asks many questions in one process, every hit compared with the disk.
fn ask(root: &Utf8Path, now: i64, size: u64) -> Outcome<Value> {
    let index = open(root);
    let questions = questions(size);
    for question in questions.iter().take(50) {
        index.search(&Query::new(question), now)?;
    }
    let mut times = Vec::new();
    for question in &questions {
        let query = Query::new(question);
        let started = Instant::now();
        let found = index.search(&query, now)?;
        times.push(started.elapsed());
        if found.source != Source::Disk || found.hits.is_empty() {
            return Err(format!("`{question}` found {found:?}").into());
        }
    }
    let rss = memory::peak_mb();
    let started = Instant::now();
    index.refresh(now)?;
    let check = started.elapsed();
    let (p50, _, _) = percentiles(&mut times);
    Ok(json!({
        "p50": p50,
        "p95": at(&times, 95),
        "p99": at(&times, 99),
        "rss": rss,
        "check": milliseconds(check),
    }))
}

/// What a command does: open, ask, print.
fn cold(root: &Utf8Path, now: i64, question: &str) -> Outcome<Value> {
    let found = open(root).search(&Query::new(question), now)?;
    let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
    Ok(json!(titles))
}

fn open(root: &Utf8Path) -> MemoryIndex {
    MemoryIndex::new(Layout::for_project(root), Arc::new(NoFaults))
}

fn questions(size: u64) -> Vec<String> {
    (0..QUESTIONS)
        .map(|number| generate::question(number, size))
        .collect()
}

fn write(folder: &Utf8Path, number: u64) -> Outcome<()> {
    let made = generate::memory(number);
    let text = format!(
        "---\nid: made{number:06}\ntitle: {}\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n\
         source: bench\nconfidence: 0.8\nkind: insight\ntags: [bench]\nrelated: []\n---\n{}\n",
        made.title, made.body
    );
    let mut file = std::fs::File::create(folder.join(format!("20260101-made-{number:06}.md")))?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    Ok(())
}

fn child(arguments: &[&str]) -> Outcome<Value> {
    let output = Command::new(std::env::current_exe()?)
        .arg("part")
        .args(arguments)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn folder_bytes(folder: &Utf8Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(Path::new(folder))? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is a binary, and reads the clock itself"
)]
fn now_ms() -> Outcome<i64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Sorts, and gives the median, the 95th and the 99th of a hundred, in milliseconds.
fn percentiles(times: &mut [Duration]) -> (f64, f64, f64) {
    times.sort();
    (at(times, 50), at(times, 95), at(times, 99))
}

fn at(sorted: &[Duration], percent: usize) -> f64 {
    milliseconds(sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)])
}

fn round(figure: f64) -> f64 {
    (figure * 1e3).round() / 1e3
}
