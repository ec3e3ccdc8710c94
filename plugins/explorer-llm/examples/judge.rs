//! `cargo xtask bench relate FILE --requests FOLDER` writes the requests to a model for a file of labelled pairs, one
//! text per request. `--replies FOLDER` scores its replies: for `007.txt` a file `007.json`. Prints a table and, as the
//! last line, the figures as JSON.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a bench reads and writes the files it is told to, and prints its figures"
)]

#[path = "../../../host/compare/tests/score/mod.rs"]
mod score;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use acreta_compare::Relation;
use explorer_llm::{AT_ONCE, Note, relations, request};
use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        [file, "--requests", folder] => write_requests(file, Path::new(folder)),
        [file, "--replies", folder] => score_replies(file, Path::new(folder)),
        _ => {
            Err("usage: cargo xtask bench relate FILE --requests FOLDER | --replies FOLDER".into())
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn write_requests(file: &str, folder: &Path) -> Result<(), String> {
    let text = read(Path::new(file))?;
    let notes: Vec<(Note, Note)> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let pair: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let side = |one: &str, other: &str| note(pair.get(one).or(pair.get(other)));
            Ok((side("older", "a")?, side("newer", "b")?))
        })
        .collect::<Result<_, String>>()?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (number, chunk) in notes.chunks(AT_ONCE).enumerate() {
        let asked = request(chunk.iter().map(|(known, new)| (known, new)));
        let messages = asked.messages.iter().map(|message| message.content.trim());
        let text = messages.collect::<Vec<_>>().join("\n\n");
        let schema = asked.json_schema.unwrap_or_default();
        let text = format!("{text}\n\nAnswer with JSON of this schema alone:\n{schema}\n");
        let path = folder.join(format!("{number:03}.txt"));
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    println!(
        "{} requests in {}",
        notes.len().div_ceil(AT_ONCE),
        folder.display()
    );
    Ok(())
}

fn note(value: Option<&Value>) -> Result<Note, String> {
    let value = value.ok_or("a side of a pair is missing")?;
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    Ok(Note::new(
        text("type"),
        text("kind"),
        text("title"),
        text("body"),
    ))
}

/// Pairs without an answer stay unrelated, as they would in a run.
fn score_replies(file: &str, folder: &Path) -> Result<(), String> {
    let pairs = score::pairs_of(&read(Path::new(file))?)?;
    let mut judged = Vec::new();
    for (number, chunk) in pairs.chunks(AT_ONCE).enumerate() {
        let reply = read(&folder.join(format!("{number:03}.json")))?;
        judged.extend(relations(&reply, chunk.len())?);
    }
    let unanswered = judged.iter().filter(|one| one.is_none()).count();
    let score = score::Score::by(&pairs, |number, _| {
        let name = judged[number].map_or("unrelated", explorer_llm::Relation::name);
        score::Judged {
            relation: Relation::from_name(name).unwrap_or(Relation::Unrelated),
            is_certain: true,
            reason: "the model's word",
        }
    });
    for wrong in &score.wrong {
        println!("  {wrong}");
    }
    print!("by words alone: {}", score::Score::of(&pairs));
    println!(
        "by the model ({unanswered} of {} not answered):",
        pairs.len()
    );
    println!("{score}{}", score.json());
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
