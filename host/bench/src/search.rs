//! Benches of search: `retrieval` and `search`.

pub(crate) mod generate;
mod latency;
mod measures;
mod memory;
mod options;
mod outside;
mod parts;
mod retrieval;
mod sqlite;
mod times;

use std::sync::Arc;

use crate::Outcome;
use options::Task;
pub(crate) use options::USAGE;

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    let task = match options::parse(words)? {
        Ok(task) => task,
        Err(problem) => return Some(Err(problem.into())),
    };
    Some(match task {
        Task::Retrieval { file, model } => retrieval::bench(&file, model.as_deref()),
        Task::Search(options) => latency::bench(&options),
        Task::Part(arguments) => parts::run(&arguments),
    })
}

/// Formats a model error with its hint.
fn told(error: Arc<acreta_search::ModelError>) -> String {
    format!("{error}\nhint: {}", error.hint())
}
