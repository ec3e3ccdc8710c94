//! Benches of search: `retrieval` and `search`. A table for people, then one line of JSON. Figures
//! are compared inside one run; nothing here passes or fails by the clock.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod generate;
mod measures;
mod memory;
mod options;
mod outside;
mod parts;
mod retrieval;
mod search;
mod sqlite;
mod times;

use std::process::ExitCode;
use std::sync::Arc;

use crate::options::Task;

/// Whatever goes wrong ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let task = match options::parse(&words) {
        Ok(task) => task,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    let done = match task {
        Task::Retrieval { file, model } => retrieval::bench(&file, model.as_deref()),
        Task::Search(options) => search::bench(&options),
        Task::Part(arguments) => parts::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What is wrong with a model, and what to do about it.
fn told(error: Arc<acreta_vectors::ModelError>) -> String {
    format!("{error}\nhint: {}", error.hint())
}
