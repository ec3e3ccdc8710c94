//! Benches of extraction: `extract LABELS SESSIONS` scores labelled sessions, `sample SESSIONS` shows what is kept of
//! sessions without labels, `cost` estimates the requests to a model, `agreement` compares two labellings. Prints a
//! table, then one line of JSON.

mod cost;
mod driver;
mod labelled;
mod sample;

use std::path::{Path, PathBuf};

use crate::Outcome;

pub(crate) const USAGE: &str = "  extract LABELS SESSIONS [--verbose] [--ablate] [--config FILE]
  agreement LABELS LABELS
  cost LABELS SESSIONS [--config FILE]
  sample SESSIONS [--sessions N] [--show N] [--seed N] [--config FILE]";

/// The parsed command line.
#[derive(Debug, Default)]
struct ExtractArguments {
    names: Vec<String>,
    binary: PathBuf,
    /// Settings of acreta, as TOML.
    config: String,
    verbose: bool,
    ablate: bool,
    sessions: Option<usize>,
    show: Option<usize>,
    seed: Option<u64>,
}

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    if !matches!(
        words.first(),
        Some(&"extract" | &"agreement" | &"cost" | &"sample")
    ) {
        return None;
    }
    let asked = match asked(words.iter().map(|word| (*word).to_owned())) {
        Ok(asked) => asked?,
        Err(error) => return Some(Err(error)),
    };
    let names: Vec<&str> = asked.names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["extract", labels, sessions] => Some(labelled::bench(
            &asked,
            Path::new(labels),
            Path::new(sessions),
        )),
        ["agreement", left, right] => Some(labelled::agreement(Path::new(left), Path::new(right))),
        ["cost", labels, sessions] => {
            Some(cost::bench(&asked, Path::new(labels), Path::new(sessions)))
        }
        ["sample", sessions] => Some(sample::bench(&asked, Path::new(sessions))),
        _ => None,
    }
}

fn asked(mut words: impl Iterator<Item = String>) -> Outcome<Option<ExtractArguments>> {
    let mut asked = ExtractArguments::default();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--verbose" => asked.verbose = true,
            "--ablate" => asked.ablate = true,
            name if name.starts_with("--") => {
                let Some(value) = words.next() else {
                    return Ok(None);
                };
                match name {
                    "--binary" => asked.binary = PathBuf::from(value),
                    "--config" => asked.config = std::fs::read_to_string(value)?,
                    "--sessions" => asked.sessions = Some(value.parse()?),
                    "--show" => asked.show = Some(value.parse()?),
                    "--seed" => asked.seed = Some(value.parse()?),
                    _ => return Ok(None),
                }
            }
            _ => asked.names.push(word),
        }
    }
    Ok((!asked.binary.as_os_str().is_empty()).then_some(asked))
}
