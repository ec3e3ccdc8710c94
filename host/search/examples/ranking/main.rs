//! `cargo xtask bench ranking`: ranking quality of search on four kinds of text, compared with plain BM25 over the same
//! words in the same run, in total and in slices by length. `cargo xtask bench retrieval FILE` does the same for one
//! file of conversations. Prints tables and, as the last line, the figures as JSON.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod bm25;
mod code;
mod conversations;
mod corpus;
mod measures;
mod memories;
mod options;
mod systems;
mod table;

use std::process::ExitCode;
use std::sync::Arc;

use acreta_search::LocalModel;
use serde_json::{Map, Value, json};

use crate::options::{Options, Task, USAGE};
use crate::systems::Scores;

/// Any failure ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match options::parse(&words) {
        Ok(options) => run(&options),
        Err(problem) => {
            eprintln!("{problem}\nusage: cargo xtask bench {USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Outcome<()> {
    let model = match &options.model {
        Some(folder) => {
            let model = Arc::new(LocalModel::new(folder));
            model
                .check()
                .map_err(|error| format!("{error}\nhint: {}", error.hint()))?;
            Some(model)
        }
        None => None,
    };
    if let Task::Retrieval(file) = &options.task {
        let scores = systems::measure(conversations::read(file)?, model.as_ref())?;
        table::kind("conversations", &scores);
        let best = |level: &systems::Level| level.systems.last().map(|system| system.all().json());
        println!(
            "{}",
            json!({"turn": best(&scores.parts), "session": best(&scores.entries)})
        );
        return Ok(());
    }
    let Task::Ranking(files) = &options.task else {
        return Ok(());
    };
    let mut figures = Map::new();
    let mut add = |name: &str, scores: Scores| {
        table::kind(name, &scores);
        figures.insert(name.to_owned(), table::json(&scores));
    };
    if let Some(file) = &files.turns {
        add(
            "turns",
            systems::measure(conversations::read(file)?, model.as_ref())?,
        );
    }
    if let Some(file) = &files.long {
        add(
            "long",
            systems::measure(conversations::read(file)?, model.as_ref())?,
        );
    }
    if let Some(file) = &files.memories {
        add(
            "memories",
            systems::measure(memories::read(file)?, model.as_ref())?,
        );
    }
    if let Some((issues, clones)) = &files.code {
        // Embedding whole trees takes hours.
        add("code", systems::measure(code::read(issues, clones)?, None)?);
    }
    println!("{}", Value::Object(figures));
    Ok(())
}
