//! Cold build, hit and delta compared with `git status`, listing, reading and hashing all bytes, and parsing all
//! source, on a given tree and on generated ones of three sizes.

use std::ops::ControlFlow;
use std::process::Command;
use std::time::Duration;

use acreta_codebase::{Analysis, Event, Following};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

use crate::Outcome;
use crate::context::figures::ratio;
use crate::context::open::open;
use crate::context::run::{git, median, milliseconds, part, timed};

const ROUNDS: usize = 9;

struct TreeFigures {
    status: Duration,
    listing: Duration,
    reading: Duration,
    parsing: Duration,
    cold: Duration,
    cold_hashes: Duration,
    hit: Duration,
    delta: Duration,
    watched: Duration,
    peak_mb: f64,
}

pub(crate) fn bench(tree: &Utf8Path) -> Outcome<()> {
    let scratch = tempfile::tempdir()?;
    let scratch = Utf8PathBuf::try_from(scratch.path().canonicalize()?)?;
    println!(
        "{:<12} {:>10} {:>9} {:>9} {:>9} {:>9} {:>11} {:>8} {:>8} {:>8} {:>7}",
        "tree",
        "git status",
        "listing",
        "read+hash",
        "parse",
        "cold",
        "cold,hashes",
        "hit",
        "delta",
        "watched",
        "MB"
    );
    let mut report = serde_json::Map::new();
    // A copy: the given tree is not edited.
    let copy = scratch.join("given");
    git(
        &scratch,
        &["clone", "-q", "--shared", tree.as_str(), copy.as_str()],
    )?;
    let given = measure(&copy, &scratch.join("cache"))?;
    print_row("given", &given);
    for (key, value) in keys(&given) {
        report.insert(key.to_owned(), value);
    }
    for count in [1_000, 10_000, 100_000] {
        let root = scratch.join(format!("generated{count}"));
        crate::context::generate::tree(&root, count)?;
        let figures = measure(&root, &scratch.join(format!("cache{count}")))?;
        print_row(&count.to_string(), &figures);
        for (key, value) in keys(&figures) {
            report.insert(format!("{key}_{count}"), value);
        }
    }
    println!("{}", Value::Object(report));
    Ok(())
}

fn print_row(name: &str, figures: &TreeFigures) {
    println!(
        "{name:<12} {:>10} {:>9} {:>9} {:>9} {:>9} {:>11} {:>8} {:>8} {:>8} {:>7}",
        milliseconds(figures.status),
        milliseconds(figures.listing),
        milliseconds(figures.reading),
        milliseconds(figures.parsing),
        milliseconds(figures.cold),
        milliseconds(figures.cold_hashes),
        milliseconds(figures.hit),
        milliseconds(figures.delta),
        milliseconds(figures.watched),
        figures.peak_mb,
    );
}

fn keys(figures: &TreeFigures) -> [(&'static str, Value); 9] {
    [
        (
            "hit_over_git_status",
            json!(ratio(figures.hit, figures.status)),
        ),
        (
            "delta_over_git_status",
            json!(ratio(figures.delta, figures.status)),
        ),
        (
            "cold_over_read_hash",
            json!(ratio(figures.cold, figures.reading)),
        ),
        (
            "cold_over_parse",
            json!(ratio(figures.cold, figures.parsing)),
        ),
        (
            "cold_hashes_over_read_hash",
            json!(ratio(figures.cold_hashes, figures.reading)),
        ),
        (
            "watched_over_git_status",
            json!(ratio(figures.watched, figures.status)),
        ),
        ("peak_rss_mb", json!(figures.peak_mb)),
        ("hit_ms", json!(milliseconds(figures.hit))),
        ("watched_ms", json!(milliseconds(figures.watched))),
    ]
}

fn measure(root: &Utf8Path, cache: &Utf8Path) -> Outcome<TreeFigures> {
    let (mut reading, mut parsing) = (Vec::new(), Vec::new());
    let (mut cold, mut cold_hashes) = (Vec::new(), Vec::new());
    let mut peak_mb: f64 = 0.0;
    for round in 0..3 {
        reading.push(part(&["read", root.as_str()])?.0);
        parsing.push(part(&["parse", root.as_str()])?.0);
        let own = format!("{cache}-{round}");
        let (time, output) = part(&["explore", root.as_str(), &own])?;
        cold.push(time);
        peak_mb = peak_mb.max(last_number(&output));
        let hashes = format!("{own}-hashes");
        cold_hashes.push(part(&["explore-hashes", root.as_str(), &hashes])?.0);
    }
    let cache = format!("{cache}-0");
    // Lets stamps settle: files written in the last tick are compared again.
    part(&["explore", root.as_str(), &cache])?;
    let (mut status, mut listing, mut hit) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        status.push(git_status(root)?);
        let (time, output) = part(&["explore", root.as_str(), &cache])?;
        if !output.contains("\"cache_status\":\"hit\",\"freshness\":\"fresh\"") {
            return Err(format!("no hit: {}", output.get(..300).unwrap_or(&output)).into());
        }
        hit.push(time);
        listing.push(part(&["list", root.as_str()])?.0);
    }
    let edited = first_source(root)?;
    let mut delta = Vec::new();
    let mut dirty_status = Vec::new();
    for round in 0..ROUNDS {
        let mut text = std::fs::read_to_string(&edited)?;
        text.push_str(&format!("# edit {round}\n"));
        crate::context::generate::put(&edited, &text)?;
        dirty_status.push(git_status(root)?);
        let (time, output) = part(&["delta", root.as_str(), &cache])?;
        if !output.contains("\"modified\":1") {
            return Err("the edit was not seen".into());
        }
        delta.push(time);
    }
    git(root, &["checkout", "-q", "--", "."])?;
    part(&["explore", root.as_str(), &cache])?;
    let watched = watched(root, Utf8Path::new(&cache))?;
    status.extend(dirty_status);
    Ok(TreeFigures {
        status: median(status),
        listing: median(listing),
        reading: median(reading),
        parsing: median(parsing),
        cold: median(cold),
        cold_hashes: median(cold_hashes),
        hit: median(hit),
        delta: median(delta),
        watched,
        peak_mb,
    })
}

/// Measures hits while a watcher holds the project.
fn watched(root: &Utf8Path, cache: &Utf8Path) -> Outcome<Duration> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let tell = &mut |event: Event| {
                if matches!(event, Event::Started { .. }) {
                    let _ = sender.send(());
                }
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let watching = open(cache, Analysis::Symbols).and_then(|context| {
                Ok(context.watch(root, Following::every(Duration::from_millis(20)), tell)?)
            });
            if let Err(error) = watching {
                eprintln!("watch: {error}");
            }
        });
        let started = receiver.recv_timeout(Duration::from_secs(120));
        let mut times = Vec::new();
        let mut outcome = Ok(());
        if started.is_ok() {
            for _ in 0..ROUNDS {
                match part(&["explore", root.as_str(), cache.as_str()]) {
                    Ok((time, _)) => times.push(time),
                    Err(error) => outcome = Err(error),
                }
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        outcome.map(|()| median(times))
    })
}

fn git_status(root: &Utf8Path) -> Outcome<Duration> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(root)
        .args(["status", "--porcelain", "-uall", "--no-renames"]);
    Ok(timed(&mut command)?.0)
}

fn first_source(root: &Utf8Path) -> Outcome<Utf8PathBuf> {
    let files = git(root, &["ls-files"])?;
    let files = String::from_utf8_lossy(&files).into_owned();
    let endings = [".py", ".rs", ".ts", ".go", ".c", ".js", ".java"];
    files
        .lines()
        .find(|path| endings.iter().any(|ending| path.ends_with(ending)))
        .map(|path| root.join(path))
        .ok_or_else(|| "no source file in the tree".into())
}

fn last_number(output: &str) -> f64 {
    output
        .lines()
        .last()
        .and_then(|line| line.parse().ok())
        .unwrap_or(0.0)
}
