//! The bench of search: `search`. An example of `host/search` measures its ranking.

pub(crate) mod generate;
mod latency;
pub(crate) mod memory;
mod options;
mod outside;
mod parts;
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
        Task::Search(options) => latency::bench(&options),
        Task::Part(arguments) => parts::run(&arguments),
    })
}

/// Formats a model error with its hint.
fn told(error: Arc<acreta_search::ModelError>) -> String {
    format!("{error}\nhint: {}", error.hint())
}
