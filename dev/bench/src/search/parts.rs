//! The parts of the bench that run in separate processes, so that their resource usage can be measured: building,
//! adding, querying, and starting from nothing. Each prints one line of JSON.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::NoFaults;
use acreta_search::{
    CHECK_INTERVAL_MS, LocalModel, MemoryIndex, ModelFailure, ModelIdentity, Query, RefreshOutcome,
    SentenceModel, Source,
};
use acreta_store::{Change, FileChange, Layout, Store};
use camino::Utf8Path;
use serde_json::{Value, json};

use crate::search::generate::{self, Xorshift};
use crate::search::times::{percentiles, timed};
use crate::search::{Outcome, memory, sqlite, told};

const QUESTIONS: u64 = 1_000;
/// The other methods are so much slower that they get fewer questions.
const SLOW_QUESTIONS: usize = 200;
const EMBEDDED: u64 = 32;
/// Memories that are added one after the other.
const ADDED: usize = 11;

pub(crate) fn run(arguments: &[String]) -> Outcome<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["build", root, now] => build(Utf8Path::new(root), now.parse()?)?,
        ["add", root, now, number] => add(Utf8Path::new(root), now.parse()?, number.parse()?)?,
        ["embed", root, now, model] => {
            embed(Utf8Path::new(root), now.parse()?, Utf8Path::new(model))?
        }
        ["ask", root, now, size] => ask(open(root, None), now.parse()?, size.parse()?)?,
        ["ask", root, now, size, model] => {
            ask(open(root, Some(model)), now.parse()?, size.parse()?)?
        }
        ["cold", root, now, question] => cold(open(root, None), now.parse()?, question)?,
        ["cold", root, now, question, model] => {
            cold(open(root, Some(model)), now.parse()?, question)?
        }
        ["fts5", root, size] => fts5(Utf8Path::new(root), size.parse()?)?,
        ["fts5-cold", root, question] => sqlite::cold(Utf8Path::new(root), question)?,
        _ => return Err("unknown part".into()),
    };
    println!("{result}");
    Ok(())
}

/// Runs a part in a separate process.
pub(crate) fn child(arguments: &[&str]) -> Outcome<Value> {
    let output = Command::new(std::env::current_exe()?)
        .arg("search-part")
        .args(arguments)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

pub(crate) fn questions(size: u64) -> impl Iterator<Item = String> {
    (0..QUESTIONS).map(move |number| generate::question(number, size))
}

/// Updates the index and measures the time.
fn build(root: &Utf8Path, now: i64) -> Outcome<Value> {
    let index = open(root.as_str(), None);
    let (refreshed, took) = timed(|| index.refresh(now))?;
    if !matches!(
        refreshed.outcome,
        RefreshOutcome::Current | RefreshOutcome::Rebuilt
    ) {
        return Err(format!("the index was not written: {refreshed:?}").into());
    }
    Ok(json!({"ms": took, "rss": memory::peak_mb()}))
}

#[expect(clippy::disallowed_methods, reason = "a person writes the file")]
fn by_hand_write(path: &Utf8Path, text: &str) -> std::io::Result<()> {
    std::fs::write(path, text.replace("id: made", "id: hand"))
}

/// Adds one memory and measures the time until a search finds it: committed by the store, written by hand, and
/// overwritten in place, which is noticed when everything is compared.
fn add(root: &Utf8Path, now: i64, number: u64) -> Outcome<Value> {
    let index = open(root.as_str(), None);
    index.search(&Query::new("anything"), now)?;
    let found = |word: &str, now: i64| -> Outcome<()> {
        match index.search(&Query::new(word), now)?.hits.is_empty() {
            true => Err(format!("`{word}` was not found").into()),
            false => Ok(()),
        }
    };
    let text = |word: &str| {
        let made = generate::memory(number);
        let made = generate::GeneratedMemory {
            body: format!("{} {word}", made.body),
            ..made
        };
        made.text(number)
    };
    let store = Store::open(Layout::for_project(root), NoFaults::shared())?;
    let lock = store.lock(Duration::ZERO)?;
    let (mut told, mut committed) = (Vec::new(), Vec::new());
    for round in 0..ADDED {
        let word = format!("xuxu{round}ba");
        let change = Change {
            run_id: format!("bench-{round}"),
            files: vec![FileChange {
                path: format!("memory/learnings/20260101-told-{round:03}.md").into(),
                old: None,
                new: Some(
                    text(&word)
                        .replace("id: made", &format!("id: told{round}"))
                        .into(),
                ),
            }],
        };
        let (_, took) = timed(|| store.commit(&lock, &change))?;
        committed.push(took);
        told.push(timed(|| found(&word, now))?.1);
    }
    let folder = root.join(generate::FOLDER);
    let path = folder.join("20260101-by-hand.md");
    by_hand_write(&path, &text("xuxuby"))?;
    let (_, by_hand) = timed(|| found("xuxuby", now))?;
    by_hand_write(&path, &text("xuxuin"))?;
    let (_, in_place) = timed(|| found("xuxuin", now + CHECK_INTERVAL_MS))?;
    Ok(json!({
        "commit": percentiles(committed)["p50"],
        "told": percentiles(told)["p50"],
        "by_hand": by_hand,
        "in_place": in_place,
    }))
}

/// Gives every passage a vector, and measures the model's time for one. Only a few are really computed: the values of
/// the vectors do not affect the time of a search.
fn embed(root: &Utf8Path, now: i64, folder: &Utf8Path) -> Outcome<Value> {
    let model = LocalModel::new(folder);
    model.check().map_err(told)?;
    let texts: Vec<String> = (0..EMBEDDED)
        .map(|number| generate::memory(number).body)
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (_, took) = timed(|| model.vectors(&texts)).map_err(|failure| failure.to_string())?;
    let layout = Layout::for_project(root);
    let index = MemoryIndex::with_model(layout, Arc::new(NoFaults), Arc::new(RandomModel(model)));
    let (embedded, wrote) = timed(|| index.embed(usize::MAX, now))?;
    if embedded.waiting > 0 {
        return Err(format!("not everything has a vector: {embedded:?}").into());
    }
    Ok(json!({"each": took / EMBEDDED as f64, "wrote": wrote}))
}

/// A fake model with random vectors.
struct RandomModel(LocalModel);

impl SentenceModel for RandomModel {
    fn identity(&self) -> Result<ModelIdentity, ModelFailure> {
        self.0.identity()
    }

    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFailure> {
        let dimensions = self.identity()?.dimensions;
        let seed = |text: &str| {
            let bytes = text.bytes();
            bytes.fold(7, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte))
        };
        let vectors = texts.iter().map(|text| {
            let mut chance = Xorshift::new(seed(text));
            let vector: Vec<f32> = (0..dimensions)
                .map(|_| chance.below(2001) as f32 - 1000.0)
                .collect();
            let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
            vector.iter().map(|value| value / length).collect()
        });
        Ok(vectors.collect())
    }
}

/// Runs many queries in one process; compares every hit with the disk.
fn ask(index: MemoryIndex, now: i64, size: u64) -> Outcome<Value> {
    for question in questions(size).take(50) {
        index.search(&Query::new(question), now)?;
    }
    let mut times = Vec::new();
    for question in questions(size) {
        let query = Query::new(&question);
        let (found, took) = timed(|| index.search(&query, now))?;
        times.push(took);
        if found.source != Source::Disk || found.hits.is_empty() || found.warning.is_some() {
            return Err(format!("`{question}` found {found:?}").into());
        }
    }
    let rss = memory::peak_mb();
    let (_, check) = timed(|| index.refresh(now))?;
    let mut result = percentiles(times);
    result["rss"] = json!(rss);
    result["check"] = json!(check);
    Ok(result)
}

/// Does what a command does: open, query, print.
fn cold(index: MemoryIndex, now: i64, question: &str) -> Outcome<Value> {
    let found = index.search(&Query::new(question), now)?;
    let titles: Vec<&str> = found.hits.iter().map(|hit| hit.title.as_str()).collect();
    Ok(json!(titles))
}

/// Runs the same queries in SQLite's FTS5.
fn fts5(root: &Utf8Path, size: u64) -> Outcome<Value> {
    let (mut connection, built) = timed(|| sqlite::build(root))?;
    let (_, added) = timed(|| sqlite::add(&mut connection, size))?;
    let questions: Vec<String> = questions(size).take(SLOW_QUESTIONS).collect();
    let mut result = percentiles(sqlite::ask(&connection, &questions)?);
    result["built"] = json!(built);
    result["added"] = json!(added);
    result["rss"] = json!(memory::peak_mb());
    Ok(result)
}

fn open(root: &str, model: Option<&str>) -> MemoryIndex {
    let layout = Layout::for_project(Utf8Path::new(root));
    match model {
        Some(folder) => {
            let model = LocalModel::new(Utf8Path::new(folder));
            MemoryIndex::with_model(layout, Arc::new(NoFaults), Arc::new(model))
        }
        None => MemoryIndex::new(layout, Arc::new(NoFaults)),
    }
}
