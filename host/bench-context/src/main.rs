//! Benches of codebase context: `context TREE`, `history REPO`, `localise FILE --repos DIR`, `pilot REPO…`. A table
//! for people, then one line of JSON. Figures are compared inside one run; nothing passes or fails
//! by the clock.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints its figures"
)]

mod figures;
mod generate;
mod history;
mod localise;
mod part;
mod pilot;
mod run;
mod trees;

use std::process::ExitCode;

use camino::{Utf8Path, Utf8PathBuf};

/// Whatever goes wrong ends the bench with a message.
type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["context", tree] => trees::bench(Utf8Path::new(tree)),
        ["history", repository] => history::bench(Utf8Path::new(repository)),
        ["localise", file, "--repos", repos] => {
            localise::bench(Utf8Path::new(file), Utf8Path::new(repos))
        }
        ["pilot", repos @ ..] if !repos.is_empty() => {
            let repos: Vec<Utf8PathBuf> = repos.iter().map(Utf8PathBuf::from).collect();
            pilot::bench(&repos)
        }
        ["part", rest @ ..] => part::run(rest),
        _ => {
            eprintln!(
                "usage: acreta-bench-context context TREE | history REPO | localise FILE --repos DIR | pilot REPO…"
            );
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
