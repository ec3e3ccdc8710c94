//! Costs of a sync: with nothing new among ten thousand sessions, with one new session, and over all available session
//! files, compared with reading and parsing the same bytes natively.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Outcome;
use crate::engine::corpus::{Corpus, corpus_folder, files};
use crate::engine::ingest;
use crate::engine::process::{Acreta, median, round};

const SESSIONS: usize = 10_000;
const FOLDERS: usize = 100;
const ROUNDS: usize = 9;
const LARGE_BYTES: u64 = 250_000_000;

pub(crate) fn bench() -> Outcome<()> {
    let scratch = tempfile::tempdir()?;
    let unchanged = no_change(&scratch.path().join("many"))?;
    println!("{SESSIONS} catalogued sessions in {FOLDERS} folders, median of {ROUNDS}");
    println!(
        "  find -type f                 {:>8.1} ms",
        ms(unchanged.find)
    );
    println!(
        "  find with size and time      {:>8.1} ms",
        ms(unchanged.find_stat)
    );
    println!(
        "  acreta sync, nothing new     {:>8.1} ms",
        ms(unchanged.nothing_new)
    );
    println!(
        "  acreta sync, one new session {:>8.1} ms",
        ms(unchanged.one_new)
    );
    let over_find = unchanged.nothing_new.as_secs_f64() / unchanged.find.as_secs_f64();
    let over_stat = unchanged.nothing_new.as_secs_f64() / unchanged.find_stat.as_secs_f64();
    println!("  nothing new / find           {over_find:>8.2}");
    println!("  nothing new / find with stat {over_stat:>8.2}");

    let ingested = ingest::measure(&scratch.path().join("ingest"))?;
    let whole = everything(&scratch.path().join("all"))?;
    println!("All session files ({})", ingested.source);
    println!(
        "  read and parse natively      {:>8.1} MB/s",
        ingested.native_mb_s
    );
    println!(
        "  normalise, redact, archive   {:>8.1} MB/s  {:.2}× the time of native parsing",
        ingested.mb_s, ingested.over_native
    );
    println!(
        "  acreta sync with extraction  {:>8.1} MB/s  {} sessions run, {:.1} MB, {:.0} + {:.0} ms",
        whole.mb_s,
        whole.ran,
        whole.megabytes,
        ms(whole.first),
        ms(whole.second)
    );
    let peak = peak(&scratch.path().join("large"))?;
    println!(
        "Peak memory of `acreta sync` on one file of 250 MB  {:.0} MB",
        peak.0
    );
    println!("  that sync                    {:>8.1} MB/s", peak.1);
    println!(
        "{}",
        serde_json::json!({
            "no_change_over_find": round(over_find),
            "no_change_over_find_stat": round(over_stat),
            "one_new_ms": ms(unchanged.one_new).round(),
            "ingest_mb_s": ingested.mb_s.round(),
            "ingest_over_native": round(ingested.over_native),
            "extract_mb_s": whole.mb_s.round(),
            "large_file_mb_s": peak.1.round(),
            "peak_rss_mb": peak.0.round(),
        })
    );
    Ok(())
}

struct Unchanged {
    find: Duration,
    find_stat: Duration,
    nothing_new: Duration,
    one_new: Duration,
}

fn no_change(home: &Path) -> Outcome<Unchanged> {
    let acreta = Acreta::new(home)?;
    let root = home.join(".claude/projects");
    for number in 0..SESSIONS {
        small_session(&root, number)?;
    }
    let sync = || acreta.run(home, &["sync", "--json"]);
    // Once to register them, and once more for files that were still fresh then.
    sync()?;
    std::thread::sleep(Duration::from_secs(3));
    sync()?;
    let (mut finds, mut stats, mut syncs, mut news) = (vec![], vec![], vec![], vec![]);
    for number in 0..ROUNDS {
        finds.push(find(&root, &[])?);
        stats.push(find(&root, &["-printf", "%s %T@ %i\n"])?);
        syncs.push(sync()?.elapsed);
        small_session(&root, SESSIONS + number)?;
        let took = sync()?;
        let report: Value = serde_json::from_str(&took.stdout)?;
        if report["discovered"] == 0 {
            return Err(format!("the new session was not found: {report}").into());
        }
        news.push(took.elapsed);
        std::thread::sleep(Duration::from_secs(3));
        sync()?;
    }
    Ok(Unchanged {
        find: median(&mut finds),
        find_stat: median(&mut stats),
        nothing_new: median(&mut syncs),
        one_new: median(&mut news),
    })
}

/// Writes a session of a few lines.
fn small_session(root: &Path, number: usize) -> Outcome<()> {
    let folder = root.join(format!("-srv-project-{}", number % FOLDERS));
    fs::create_dir_all(&folder)?;
    let id = format!("{number:08x}-0000-4000-8000-000000000000");
    let mut file = BufWriter::new(File::create(folder.join(format!("{id}.jsonl")))?);
    for (line, (kind, text)) in [
        ("user", "please look at the parser"),
        ("assistant", "I looked at it and it is fine."),
        ("user", "thanks"),
    ]
    .into_iter()
    .enumerate()
    {
        writeln!(
            file,
            r#"{{"type":"{kind}","sessionId":"{id}","cwd":"/srv/project-{}","version":"2.1.0","uuid":"{number:08x}-{line:04}-4000-8000-000000000000","timestamp":"2026-01-02T03:04:{line:02}.000Z","message":{{"role":"{kind}","content":"{text}"}}}}"#,
            number % FOLDERS
        )?;
    }
    Ok(())
}

fn find(root: &Path, arguments: &[&str]) -> Outcome<Duration> {
    let started = Instant::now();
    let status = Command::new("find")
        .arg(root)
        .args(["-type", "f"])
        .args(arguments)
        .stdout(Stdio::null())
        .status()?;
    if !status.success() {
        return Err("`find` failed".into());
    }
    Ok(started.elapsed())
}

struct FullSync {
    /// Finding and archiving, with sessions outside of any project.
    first: Duration,
    /// The runs, once every project is registered.
    second: Duration,
    mb_s: f64,
    megabytes: f64,
    ran: u64,
}

/// Lays the session files out as their agents would, registers every project, and syncs.
fn everything(home: &Path) -> Outcome<FullSync> {
    let acreta = Acreta::new(home)?;
    let bytes = lay_out(home)?;
    acreta.run(home, &["config", "set", "sync.without_project", "global"])?;
    warm_up(&acreta, home)?;
    let first = partial(&acreta, home)?;
    let report: Value = serde_json::from_str(&first.stdout)?;
    let waiting = report["waiting"].as_array().cloned().unwrap_or_default();
    for (number, line) in waiting.iter().enumerate() {
        let Some(place) = line["project"].as_str() else {
            continue;
        };
        let repository = home.join(format!("repository-{number}"));
        fs::create_dir_all(repository.join(".git"))?;
        acreta.run(&repository, &["project", "add", "--also", place])?;
    }
    let second = partial(&acreta, home)?;
    let report_of_runs: Value = serde_json::from_str(&second.stdout)?;
    let ran = report["ran"].as_u64().unwrap_or(0) + report_of_runs["ran"].as_u64().unwrap_or(0);
    let megabytes = bytes as f64 / 1e6;
    let elapsed = first.elapsed + second.elapsed;
    Ok(FullSync {
        first: first.elapsed,
        second: second.elapsed,
        mb_s: megabytes / elapsed.as_secs_f64(),
        megabytes,
        ran,
    })
}

/// Runs a sync in which some files may not be their agent's.
fn partial(acreta: &Acreta, home: &Path) -> Outcome<crate::engine::process::ProcessCost> {
    acreta.run(home, &["sync", "--json"])
}

/// Compiles the plugins, which happens once and is not measured.
fn warm_up(acreta: &Acreta, home: &Path) -> Outcome<()> {
    let project = home.join("warm");
    fs::create_dir_all(project.join(".git"))?;
    let demo = acreta_plugin_build::workspace_root()
        .join("tests/fixtures/claude/demo-queue-retries.jsonl");
    let demo = demo.to_string_lossy().into_owned();
    acreta.run(&project, &["run", &demo, "--dry-run"])?;
    acreta.run(&project, &["connect", "list"])?;
    Ok(())
}

fn lay_out(home: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for (agent, folder) in [
        ("claude", ".claude/projects/p"),
        ("codex", ".codex/sessions/2026/01/02"),
        ("copilot", ".copilot/session-state"),
        ("pi", ".pi/agent/sessions/p"),
    ] {
        let target = home.join(folder);
        fs::create_dir_all(&target)?;
        for (number, file) in files(&corpus_folder().join(agent))?.iter().enumerate() {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            bytes += fs::copy(file, target.join(format!("{number}-{name}")))?;
        }
    }
    Ok(bytes)
}

/// Measures peak memory and speed of a sync that finds one large session.
fn peak(folder: &Path) -> Outcome<(f64, f64)> {
    let trace = "33333333-2222-4333-8444-555555555555.jsonl";
    let corpus = Corpus::claude()?;
    let prepare = |name: &str, bytes: u64| -> Outcome<(Acreta, PathBuf, u64)> {
        let acreta = Acreta::new(&folder.join(name))?;
        warm_up(&acreta, &acreta.home)?;
        let sessions = acreta.home.join(".claude/projects/p");
        fs::create_dir_all(&sessions)?;
        let written = corpus.write(&sessions.join(trace), bytes)?;
        let project = acreta.home.join("project");
        fs::create_dir_all(project.join(".git"))?;
        Ok((acreta, project, written))
    };
    // A small session shows which directory the lines name.
    let (small, _, _) = prepare("small", 1_000_000)?;
    let report: Value = serde_json::from_str(&small.run(&small.home, &["sync", "--json"])?.stdout)?;
    let (large, project, bytes) = prepare("large", LARGE_BYTES)?;
    for line in report["waiting"].as_array().into_iter().flatten() {
        if let Some(place) = line["project"].as_str() {
            large.run(&project, &["project", "add", "--also", place])?;
        }
    }
    let took = large.watched(&project, &["sync", "--json"])?;
    let runs = large.run(&project, &["runs", "list", "--json"])?;
    let runs: Value = serde_json::from_str(&runs.stdout)?;
    if runs[0]["state"] != "completed" {
        return Err(format!("the large session did not run: {runs}").into());
    }
    Ok((
        took.peak_mb,
        bytes as f64 / 1e6 / took.elapsed.as_secs_f64(),
    ))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
