//! Latency of search over generated memories: building, adding, querying in a long-lived process and in a new one, by
//! words and, with a model, by meaning, compared with SQLite's FTS5 and `rg` on the same files.

use std::time::{SystemTime, UNIX_EPOCH};

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::search::options::SearchOptions;
use crate::search::parts::{child, questions};
use crate::search::times::{percentiles, timed};
use crate::search::{Outcome, generate, outside, sqlite};

const COLD_STARTS: usize = 21;

/// Measurements of one search method.
#[derive(Default)]
struct SearchMethod {
    name: &'static str,
    build_ms: Option<f64>,
    build_mb: Option<f64>,
    add_ms: Option<f64>,
    /// Times until an added memory is found, by method of adding.
    added: Value,
    asked: Value,
    cold: Value,
    disk_mb: Option<f64>,
}

pub(crate) fn bench(options: &SearchOptions) -> Outcome<()> {
    let mut last = Value::Null;
    for size in &options.sizes {
        last = one_size(*size, options)?;
    }
    println!("{last}");
    Ok(())
}

fn one_size(size: u64, options: &SearchOptions) -> Outcome<Value> {
    let scratch = tempfile::tempdir()?;
    let root = Utf8Path::from_path(scratch.path()).ok_or("the temporary folder is not UTF-8")?;
    generate::write(root, 0..size)?;
    let asked: Vec<String> = questions(size).take(COLD_STARTS).collect();
    // Past the time within which a change of a file may go unnoticed.
    let now = now_ms()? + 5_000;
    let later = (now + 10_000).to_string();

    let fts5 = fts5(root, size, &asked)?;
    let words = words(root, now, &later, size, &asked)?;
    println!("\n{size} memories");
    let mut ways = vec![words, fts5];
    let mut notes = Vec::new();
    if let Some(folder) = &options.model {
        let (way, note) = hybrid(root, &later, size, &asked, folder)?;
        ways.insert(1, way);
        notes.push(note);
    }
    let mut cold_cli = Value::Null;
    if let Some(binary) = &options.binary {
        cold_cli = outside::acreta(binary, root, &asked)?;
        ways.push(SearchMethod {
            name: "acreta, started",
            cold: cold_cli.clone(),
            ..SearchMethod::default()
        });
    }
    match outside::rg(root, &asked)? {
        Some(cold) => ways.push(SearchMethod {
            name: "rg",
            cold,
            ..SearchMethod::default()
        }),
        None => notes.push("rg not found".to_owned()),
    }
    table(&ways);
    for note in notes {
        println!("{note}");
    }
    let way = |name: &str| ways.iter().find(|way| way.name == name);
    let figure = |name: &str, key: &str| rounded(way(name).and_then(|way| way.asked[key].as_f64()));
    Ok(json!({
        "find_one_more_ms": rounded(way(WORDS).and_then(|way| way.add_ms)),
        "lexical_p50_ms": figure(WORDS, "p50"),
        "lexical_p95_ms": figure(WORDS, "p95"),
        "hybrid_p95_ms": figure(MEANING, "p95"),
        "cold_cli_ms": rounded(cold_cli["p50"].as_f64()),
        "rss_mb": figure(WORDS, "rss"),
        "fts5_p95_ms": figure(FTS5, "p95"),
    }))
}

const WORDS: &str = "words";
const MEANING: &str = "words and meaning";
const FTS5: &str = "FTS5";

fn words(
    root: &Utf8Path,
    now: i64,
    later: &str,
    size: u64,
    questions: &[String],
) -> Outcome<SearchMethod> {
    let built = child(&["build", root.as_str(), &now.to_string()])?;
    let disk_mb = Some(generate::megabytes(&root.join(".acreta/index/memory"))?);
    let added = child(&["add", root.as_str(), later, &size.to_string()])?;
    Ok(SearchMethod {
        name: WORDS,
        build_ms: built["ms"].as_f64(),
        build_mb: built["rss"].as_f64(),
        add_ms: added["told"].as_f64(),
        added,
        asked: child(&["ask", root.as_str(), later, &size.to_string()])?,
        cold: cold(questions, |question| {
            vec!["cold", root.as_str(), later, question]
        })?,
        disk_mb,
    })
}

fn hybrid(
    root: &Utf8Path,
    later: &str,
    size: u64,
    questions: &[String],
    model: &Utf8Path,
) -> Outcome<(SearchMethod, String)> {
    let (root_text, model) = (root.as_str(), model.as_str());
    let embedded = child(&["embed", root_text, later, model])?;
    let way = SearchMethod {
        name: MEANING,
        asked: child(&["ask", root_text, later, &size.to_string(), model])?,
        cold: cold(questions, |question| {
            vec!["cold", root_text, later, question, model]
        })?,
        disk_mb: Some(generate::megabytes(&root.join(".acreta/index"))?),
        ..SearchMethod::default()
    };
    let note = format!(
        "vectors of the memories are drawn, those of the questions are the model's; it takes {:.1} ms for a memory",
        embedded["each"].as_f64().unwrap_or(f64::NAN)
    );
    Ok((way, note))
}

fn fts5(root: &Utf8Path, size: u64, questions: &[String]) -> Outcome<SearchMethod> {
    let asked = child(&["fts5", root.as_str(), &size.to_string()])?;
    Ok(SearchMethod {
        name: FTS5,
        build_ms: asked["built"].as_f64(),
        add_ms: asked["added"].as_f64(),
        cold: cold(questions, |question| {
            vec!["fts5-cold", root.as_str(), question]
        })?,
        disk_mb: Some(sqlite::file(root).metadata()?.len() as f64 / 1e6),
        asked,
        ..SearchMethod::default()
    })
}

/// Starts a process for each question.
fn cold<'a>(
    questions: &'a [String],
    arguments: impl Fn(&'a str) -> Vec<&'a str>,
) -> Outcome<Value> {
    let mut times = Vec::new();
    for question in questions {
        times.push(timed(|| child(&arguments(question)))?.1);
    }
    Ok(percentiles(times))
}

fn table(ways: &[SearchMethod]) {
    print!("{:<26}", "");
    for way in ways {
        print!(" {:>18}", way.name);
    }
    println!();
    let seconds = |milliseconds: Option<f64>| milliseconds.map(|figure| figure / 1e3);
    row("build, s", ways, |way| seconds(way.build_ms));
    row("build, peak memory MB", ways, |way| way.build_mb);
    row("find one more, ms", ways, |way| way.add_ms);
    for (name, key) in [
        ("  its commit, ms", "commit"),
        ("  put there by hand, ms", "by_hand"),
        ("  written in place, ms", "in_place"),
    ] {
        row(name, ways, |way| way.added[key].as_f64());
    }
    row("check all files, ms", ways, |way| {
        way.asked["check"].as_f64()
    });
    for part in ["p50", "p95", "p99"] {
        let name = format!("ask in process, {part} ms");
        row(&name, ways, |way| way.asked[part].as_f64());
    }
    for part in ["p50", "p99"] {
        let name = format!("ask cold, {part} ms");
        row(&name, ways, |way| way.cold[part].as_f64());
    }
    row("index, MB", ways, |way| way.disk_mb);
    row("ask, peak memory MB", ways, |way| way.asked["rss"].as_f64());
}

fn row(name: &str, ways: &[SearchMethod], figure: impl Fn(&SearchMethod) -> Option<f64>) {
    print!("{name:<26}");
    for way in ways {
        match figure(way) {
            Some(figure) => print!(" {figure:>18.3}"),
            None => print!(" {:>18}", "-"),
        }
    }
    println!();
}

fn rounded(figure: Option<f64>) -> Option<f64> {
    figure.map(|figure| (figure * 1e3).round() / 1e3)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is a binary, and reads the clock itself"
)]
fn now_ms() -> Outcome<i64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64)
}
