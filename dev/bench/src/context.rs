//! Benches of codebase context: `context`, `history`, `localise` and `pilot`.

mod figures;
mod generate;
mod history;
mod localise;
mod open;
mod part;
mod pilot;
mod run;
mod trees;

use camino::{Utf8Path, Utf8PathBuf};

use crate::Outcome;

pub(crate) const USAGE: &str = "  context TREE
  history REPO
  localise FILE --repos DIR
  pilot REPO…";

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    match words {
        ["context", tree] => Some(trees::bench(Utf8Path::new(tree))),
        ["history", repository] => Some(history::bench(Utf8Path::new(repository))),
        ["localise", file, "--repos", repos] => {
            Some(localise::bench(Utf8Path::new(file), Utf8Path::new(repos)))
        }
        ["pilot", repos @ ..] if !repos.is_empty() => {
            let repos: Vec<Utf8PathBuf> = repos.iter().map(Utf8PathBuf::from).collect();
            Some(pilot::bench(&repos))
        }
        ["context-part", rest @ ..] => Some(part::run(rest)),
        _ => None,
    }
}
