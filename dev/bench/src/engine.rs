//! Benches of the engine: `sandbox`, `sync` and `languages`.

mod corpus;
mod ingest;
mod languages;
mod process;
mod sandbox;
mod sync;

use crate::Outcome;
pub(crate) use corpus::{all_files, corpus_folder};

pub(crate) const USAGE: &str = "  sandbox
  sync
  languages SESSION FILE.wasm…";

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    match words {
        ["sandbox"] => Some(sandbox::bench()),
        ["sync"] => Some(sync::bench()),
        ["languages", session, components @ ..] => Some(languages::bench(session, components)),
        _ => None,
    }
}
