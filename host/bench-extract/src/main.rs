//! Benches of extraction: `extract LABELS SESSIONS` scores labelled sessions, `sample SESSIONS` shows
//! what is kept of sessions without labels, `cost` says what a model would be asked, `agreement` compares
//! two labellings. A table for people, then one line of JSON.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod cost;
mod driver;
mod labelled;
mod sample;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Whatever goes wrong ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "\
usage: acreta-bench-extract extract LABELS SESSIONS [--verbose] [--ablate] [--config FILE] --binary FILE
       acreta-bench-extract agreement LABELS LABELS
       acreta-bench-extract cost LABELS SESSIONS [--config FILE] --binary FILE
       acreta-bench-extract sample SESSIONS [--sessions N] [--show N] [--seed N] [--config FILE] --binary FILE";

/// What was asked on the command line.
#[derive(Debug, Default)]
struct Asked {
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

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("bench failed: {error}");
            ExitCode::FAILURE
        }
    }
}

/// False when it was asked wrongly.
fn run() -> Outcome<bool> {
    let Some(asked) = asked(std::env::args().skip(1))? else {
        return Ok(false);
    };
    let names: Vec<&str> = asked.names.iter().map(String::as_str).collect();
    match names.as_slice() {
        ["extract", labels, sessions] => {
            labelled::bench(&asked, Path::new(labels), Path::new(sessions))?;
        }
        ["agreement", left, right] => labelled::agreement(Path::new(left), Path::new(right))?,
        ["cost", labels, sessions] => {
            cost::bench(&asked, Path::new(labels), Path::new(sessions))?;
        }
        ["sample", sessions] => sample::bench(&asked, Path::new(sessions))?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn asked(mut words: impl Iterator<Item = String>) -> Outcome<Option<Asked>> {
    let mut asked = Asked::default();
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
