//! `replay [FOLDER]`: series of real sessions of one project, in order. Learns from the first N and replays session N+1
//! prompt by prompt and failure by failure: what would have been offered, how often, and, with judgements, how often
//! rightly. Prints a table, then one line of JSON.

mod figures;
mod judging;
mod learner;
mod offers;
mod series;
mod walk;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Outcome;
use figures::ReplayFigures;
use judging::Judgements;
use learner::Learner;

pub(crate) const USAGE: &str =
    "  replay [FOLDER] [--out FILE] [--judged FILE] [--config FILE] [--only TEXT]";

/// The parsed command line.
#[derive(Debug, Default)]
struct ReplayArguments {
    folder: Option<PathBuf>,
    /// Folder to which moments are written for people to judge.
    out: Option<PathBuf>,
    /// Moments with judgements.
    judged: Option<PathBuf>,
    /// Settings of acreta, as TOML.
    config: String,
    /// Only series whose name contains this.
    only: Option<String>,
}

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    let ["replay", rest @ ..] = words else {
        return None;
    };
    match asked(rest) {
        Ok(asked) => Some(bench(&asked?)),
        Err(error) => Some(Err(error)),
    }
}

fn asked(words: &[&str]) -> Outcome<Option<ReplayArguments>> {
    let mut asked = ReplayArguments::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            asked.folder = Some(PathBuf::from(word));
            continue;
        }
        let Some(value) = words.next() else {
            return Ok(None);
        };
        match *word {
            "--out" => asked.out = Some(PathBuf::from(value)),
            "--judged" => asked.judged = Some(PathBuf::from(value)),
            "--config" => asked.config = std::fs::read_to_string(value)?,
            "--only" => asked.only = Some((*value).to_owned()),
            _ => return Ok(None),
        }
    }
    Ok(Some(asked))
}

fn bench(asked: &ReplayArguments) -> Outcome<()> {
    let folder = asked.folder.clone();
    let folder = folder.unwrap_or_else(crate::engine::corpus_folder);
    let out = asked.out.clone().unwrap_or_else(default_out);
    if let Some(parent) = out.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut judging = BufWriter::new(File::create(&out)?);
    let mut sum = ReplayFigures::default();
    println!("{}", ReplayFigures::HEAD);
    for series in series::find(&folder)? {
        if asked
            .only
            .as_ref()
            .is_some_and(|only| !series.name.contains(only))
        {
            continue;
        }
        let figures = replayed(&series, &asked.config, &mut judging)?;
        if figures.sessions >= 2 {
            println!("{}", figures.row(&series.name));
            sum.add(&figures);
        }
    }
    judging.flush()?;
    println!("{}", sum.row("all"));
    println!("\nlookup of a cure: {:.2?} (p95)", sum.lookup_p95());
    println!("to judge: {}", out.display());
    let judgements = asked.judged.as_deref().map(Judgements::read).transpose()?;
    if let Some(judgements) = &judgements {
        judgements.print();
    }
    println!("{}", sum.json(judgements.as_ref()));
    Ok(())
}

/// Replays one series; `None` for a single session.
fn replayed(
    series: &series::Series,
    config: &str,
    judging: &mut impl Write,
) -> Outcome<ReplayFigures> {
    let mut reader = Learner::new("reader", config)?;
    let sessions = series::sessions(series, &mut reader)?;
    let mut figures = ReplayFigures::default();
    if sessions.len() < 2 {
        return Ok(figures);
    }
    let mut learner = Learner::new("learner", config)?;
    let mut walker = walk::Walker::new(&series.name);
    for session in &sessions {
        let moments = walker.walk(session, &learner, &mut figures)?;
        for moment in moments {
            serde_json::to_writer(&mut *judging, &moment)?;
            judging.write_all(b"\n")?;
        }
        if let Err(error) = learner.learn(&session.file) {
            println!(
                "skipped: {} is not learnt from: {error}",
                session.file.display()
            );
        }
    }
    Ok(figures)
}

fn default_out() -> PathBuf {
    let root: &Path = &acreta_plugin_build::workspace_root();
    root.join("target/bench/replay.jsonl")
}
