//! Issues of code bases, and the files changed for them: each source file of the tree at the time of an issue is an
//! entry. Trees are read from clones by git; nothing is checked out.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use acreta_types::MemoryType;
use serde_json::Value;

use crate::Outcome;
use crate::corpus::{Corpus, Question};
use crate::memories::memory;

pub(crate) fn read(issues: &Path, clones: &Path) -> Outcome<impl Iterator<Item = Outcome<Corpus>>> {
    let issues: Vec<Value> = std::fs::read_to_string(issues)?
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let clones = clones.to_owned();
    Ok(issues.into_iter().map(move |issue| corpus(&issue, &clones)))
}

/// Returns a corpus without a question if the clone or the changed file is missing.
fn corpus(issue: &Value, clones: &Path) -> Outcome<Corpus> {
    let text = |key: &str| issue[key].as_str().unwrap_or_default();
    let mut corpus = Corpus {
        texts: Vec::new(),
        questions: Vec::new(),
    };
    let Some(clone) = find(clones, text("repo")) else {
        eprintln!("no clone of {}", text("repo"));
        return Ok(corpus);
    };
    let mut places = HashMap::new();
    for (path, source) in sources(&clone, text("base_commit"))? {
        let place = corpus.texts.len();
        let Ok(text) = memory(place, MemoryType::Learning, "", &path, &source) else {
            continue;
        };
        corpus.texts.push(text);
        places.insert(path, place);
    }
    let gold = issue["gold_files"].as_array().into_iter().flatten();
    let entries: Vec<usize> = gold
        .filter_map(|path| places.get(path.as_str()?).copied())
        .collect();
    if entries.is_empty() {
        eprintln!("{}: the changed file is absent", text("instance_id"));
        return Ok(corpus);
    }
    corpus.questions.push(Question {
        text: text("problem_statement").to_owned(),
        entries,
        parts: Vec::new(),
    });
    Ok(corpus)
}

fn find(clones: &Path, repository: &str) -> Option<PathBuf> {
    let folder = clones.join(repository.replace('/', "+"));
    [folder.join("repo"), folder, clones.join(repository)]
        .into_iter()
        .find(|path| path.join("HEAD").exists() || path.join(".git").exists())
}

/// Returns Python files that are not tests, with their text; skips files that the clone lacks or that are not text.
fn sources(clone: &Path, commit: &str) -> Outcome<Vec<(String, String)>> {
    let listed = git(clone).args(["ls-tree", "-r", commit]).output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let wanted: Vec<(String, String)> = listed
        .lines()
        .filter_map(|line| {
            let (object, path) = line.split_once('\t')?;
            let id = object.split(' ').nth(2)?;
            let is_test = path
                .split(['/', '_', '.'])
                .any(|part| matches!(part, "test" | "tests"));
            (path.ends_with(".py") && !is_test).then(|| (path.to_owned(), id.to_owned()))
        })
        .collect();
    let mut child = git(clone)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut asks), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("git has no pipes".into());
    };
    let mut answers = BufReader::new(answers);
    let mut sources = Vec::new();
    for (path, id) in wanted {
        writeln!(asks, "{id}")?;
        asks.flush()?;
        let mut header = String::new();
        answers.read_line(&mut header)?;
        let Some(bytes) = header
            .split_whitespace()
            .nth(2)
            .and_then(|size| size.parse().ok())
        else {
            continue;
        };
        let mut text = vec![0; bytes];
        answers.read_exact(&mut text)?;
        answers.read_exact(&mut [0])?;
        if let Ok(text) = String::from_utf8(text) {
            sources.push((path, text));
        }
    }
    drop(asks);
    child.wait()?;
    Ok(sources)
}

fn git(clone: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(clone);
    git
}
